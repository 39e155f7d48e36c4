// SPDX-License-Identifier: Apache-2.0
#include "python/data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "strata/error.hpp"
#include "strata/scalar_text.hpp"
#include "strata/text.hpp"
#include "text/json/python_number.hpp"
#include "text/unicode/characters.hpp"
#include "value/growth_charge.hpp"

namespace strata::python {
namespace {

/// What both notations have in common: members with separators between them, and a bound.
// Recursion: bounded by Limits::depth, which every maker of values keeps.
class Writer {
 public:
  explicit Writer(std::size_t most) noexcept : most_(most) {}
  virtual ~Writer() = default;
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  void write(const Value& value) {
    if (out_.size() > most_)
      throw Error("limit.result", fmt::format("a text of more than {} bytes is made of data", most_));
    growth_.look(out_.size());
    switch (value.kind()) {
      case Kind::sequence:
        return items(value, "[", "]");
      case Kind::mapping:
        return members(value);
      case Kind::integer:
        out_ += std::to_string(value.as_integer());
        return;
      case Kind::big_integer:
        out_ += value.text();
        return;
      default:
        return scalar(value);
    }
  }

  std::string take() { return std::move(out_); }

 protected:
  virtual void scalar(const Value& value) = 0;
  virtual void key(const Value& key) = 0;

  void items(const Value& list, std::string_view begin, std::string_view end) {
    out_ += begin;
    std::string_view separator;
    for (const Value& item : list.items()) {
      out_ += separator;
      write(item);
      separator = ", ";
    }
    out_ += end;
  }

  void keys(const Value& set, std::string_view begin, std::string_view end) {
    out_ += begin;
    std::string_view separator;
    for (const Entry& entry : set.entries()) {
      out_ += separator;
      write(entry.key);
      separator = ", ";
    }
    out_ += end;
  }

  std::string out_;  // NOLINT(misc-non-private-member-variables-in-classes): both notations append to it.

 private:
  void members(const Value& mapping) {
    out_ += "{";
    std::string_view separator;
    for (const Entry& entry : mapping.entries()) {
      out_ += separator;
      key(entry.key);
      out_ += ": ";
      write(entry.value);
      separator = ", ";
    }
    out_ += "}";
  }

  std::size_t most_;
  detail::GrowthCharge growth_;
};

std::string repr_of_bytes(std::string_view bytes) {
  std::string out =
      bytes.find('\'') != std::string_view::npos && bytes.find('"') == std::string_view::npos ? "b\"" : "b'";
  const char quote = out.back();
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == quote || c == '\\') {
      out += {'\\', c};
    } else if (c == '\n' || c == '\r' || c == '\t') {
      out += c == '\n' ? "\\n" : c == '\r' ? "\\r" : "\\t";
    } else if (byte >= 0x20 && byte < 0x7F) {
      out += c;
    } else {
      out += fmt::format("\\x{:02x}", byte);
    }
  }
  return out + quote;
}

class ReprWriter : public Writer {
 public:
  using Writer::Writer;

 private:
  void scalar(const Value& value) override {
    switch (value.kind()) {
      case Kind::boolean:
        out_ += value.as_boolean() ? "True" : "False";
        return;
      case Kind::floating:
        out_ += float_repr(value.as_floating());
        return;
      case Kind::text:
        out_ += repr(value.text());
        return;
      case Kind::binary:
        out_ += repr_of_bytes(value.text());
        return;
      case Kind::date:
        out_ +=
            fmt::format("datetime.date({}, {}, {})", value.as_date().year, value.as_date().month, value.as_date().day);
        return;
      case Kind::timestamp:
        return timestamp(value.as_timestamp());
      case Kind::set:
        return value.size() == 0 ? void(out_ += "set()") : keys(value, "{", "}");
      case Kind::object:
        out_ += value.as_object().to_string();
        return;
      default:
        out_ += "None";
    }
  }

  void timestamp(const Timestamp& at) {
    out_ += fmt::format("datetime.datetime({}, {}, {}, {}, {}", at.date.year, at.date.month, at.date.day, at.hour,
                        at.minute);
    if (at.second != 0 || at.microsecond != 0) out_ += fmt::format(", {}", at.second);
    if (at.microsecond != 0) out_ += fmt::format(", {}", at.microsecond);
    if (at.has_zone && at.zone_seconds == 0) {
      out_ += ", tzinfo=datetime.timezone.utc";
    } else if (at.has_zone) {
      // Python keeps the days of a difference apart from its seconds, which are never negative.
      constexpr std::int32_t kDay = 86400;
      const bool west = at.zone_seconds < 0;
      out_ += fmt::format(", tzinfo=datetime.timezone(datetime.timedelta({}seconds={}))", west ? "days=-1, " : "",
                          at.zone_seconds + (west ? kDay : 0));
    }
    out_ += ")";
  }

  void key(const Value& key) override { write(key); }
};

class JsonWriter : public Writer {
 public:
  using Writer::Writer;

 private:
  void scalar(const Value& value) override {
    switch (value.kind()) {
      case Kind::floating:
        out_ += text::python_json_number(value.as_floating());
        return;
      case Kind::set:
        return keys(value, "[", "]");
      case Kind::boolean:
      case Kind::null:
      case Kind::absent:
        out_ += scalar_text(value);
        return;
      case Kind::text:
        return quote(value.text());
      default:
        return quote(scalar_text(value));
    }
  }

  void key(const Value& key) override {
    if (key.kind() == Kind::floating) return quote(text::python_json_number(key.as_floating()));
    quote(key.is_text() ? std::string(key.text()) : scalar_text(key));
  }

  void quote(std::string_view text) {
    out_ += '"';
    for (std::size_t at = 0; at < text.size();) character(text::unicode::decode(text, at));
    out_ += '"';
  }

  void character(char32_t point) {
    constexpr std::string_view kEscaped = "\"\\\n\r\t\b\f";
    constexpr std::string_view kLetters = "\"\\nrtbf";
    constexpr char32_t kSupplementary = 0x10000;
    const std::size_t known = point < 0x80 ? kEscaped.find(static_cast<char>(point)) : std::string_view::npos;
    if (known != std::string_view::npos) {
      out_ += {'\\', kLetters[known]};
    } else if (point >= 0x20 && point < 0x7F) {
      out_ += static_cast<char>(point);
    } else if (point < kSupplementary) {
      out_ += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(point));
    } else {
      const std::uint32_t rest = point - kSupplementary;
      out_ += fmt::format("\\u{:04x}\\u{:04x}", 0xD800 + (rest >> 10U), 0xDC00 + (rest & 0x3FFU));
    }
  }
};

bool is_number(const Value& value) noexcept {
  return value.kind() == Kind::integer || value.kind() == Kind::floating || value.kind() == Kind::boolean ||
         value.kind() == Kind::big_integer;
}

/// The digits of a number that is whole; empty for any other one.
std::string digits_of(const Value& number) {
  switch (number.kind()) {
    case Kind::boolean:
      return number.as_boolean() ? "1" : "0";
    case Kind::integer:
      return std::to_string(number.as_integer());
    case Kind::big_integer:
      return std::string(number.text());
    default: {
      const double amount = number.as_floating();
      if (!std::isfinite(amount) || std::trunc(amount) != amount) return {};
      return amount == 0 ? "0" : fmt::format("{:.0f}", amount);
    }
  }
}

bool same_amount(const Value& left, const Value& right) {
  if (left.kind() == Kind::floating && right.kind() == Kind::floating) return left.as_floating() == right.as_floating();
  if (left.kind() == Kind::integer && right.kind() == Kind::integer) return left.as_integer() == right.as_integer();
  const std::string digits = digits_of(left);
  return !digits.empty() && digits == digits_of(right);
}

}  // namespace

std::string float_repr(double number) {
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
  return text::python_json_number(number);
}

std::string repr(std::string_view text) {
  const char quote = text.find('\'') != std::string_view::npos && text.find('"') == std::string_view::npos ? '"' : '\'';
  std::string out(1, quote);
  for (std::size_t at = 0; at < text.size();) {
    const char32_t point = text::unicode::decode(text, at);
    if (point == static_cast<char32_t>(quote) || point == '\\') {
      out += {'\\', static_cast<char>(point)};
    } else if (point == '\n' || point == '\r' || point == '\t') {
      out += point == '\n' ? "\\n" : point == '\r' ? "\\r" : "\\t";
    } else if (text::unicode::is_printable(point)) {
      text::append_utf8(out, point);
    } else {
      const auto number = static_cast<std::uint32_t>(point);
      out += number < 0x100     ? fmt::format("\\x{:02x}", number)
             : number < 0x10000 ? fmt::format("\\u{:04x}", number)
                                : fmt::format("\\U{:08x}", number);
    }
  }
  return out + quote;
}

std::string repr(const Value& value, std::size_t most) {
  ReprWriter writer(most);
  writer.write(value);
  return writer.take();
}

std::string str(const Value& value, std::size_t most) {
  if (value.is_text()) return std::string(value.text());
  if (value.kind() == Kind::date) return date_text(value.as_date());
  if (value.kind() == Kind::timestamp) return timestamp_text(value.as_timestamp(), ' ');
  return repr(value, most);
}

std::string json(const Value& value, std::size_t most) {
  JsonWriter writer(most);
  writer.write(value);
  return writer.take();
}

bool truth(const Value& value) noexcept {
  switch (value.kind()) {
    case Kind::absent:
    case Kind::null:
      return false;
    case Kind::boolean:
      return value.as_boolean();
    case Kind::integer:
      return value.as_integer() != 0;
    case Kind::floating:
      return value.as_floating() != 0;
    case Kind::text:
    case Kind::binary:
      return !value.text().empty();
    default:
      return !value.is_container() || value.size() != 0;
  }
}

// Recursion: bounded by Limits::depth.
bool equal(const Value& left, const Value& right) {
  if (is_number(left) && is_number(right)) return same_amount(left, right);
  if (left.kind() != right.kind()) return false;
  if (left.is_sequence()) return std::ranges::equal(left.items(), right.items(), python::equal);
  if (!left.is_mapping()) return strata::equal(left, right);
  return left.size() == right.size() && std::ranges::all_of(left.entries(), [&right](const Entry& entry) {
           const Value* other = right.find(entry.key);
           return other != nullptr && python::equal(entry.value, *other);
         });
}

std::string expandtabs(std::string_view text) {
  std::string out;
  std::size_t column = 0;  // Of code points.
  for (const char c : text) {
    if (c == '\t') {
      const std::size_t blanks = 8 - column % 8;
      out.append(blanks, ' ');
      column += blanks;
      continue;
    }
    out += c;
    if (c == '\n' || c == '\r') {
      column = 0;
    } else if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) {
      ++column;
    }
  }
  return out;
}

}  // namespace strata::python
