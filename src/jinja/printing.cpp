// SPDX-License-Identifier: Apache-2.0
// Values as text: str(), repr(), JSON, HTML.
#include <algorithm>
#include <cmath>

#include "jinja/operations.hpp"
#include "python/data.hpp"
#include "strata/text.hpp"
#include "text/unicode/characters.hpp"

namespace strata::jinja {
namespace {

void append_hex(std::string& out, std::string_view prefix, char32_t number, int digits) {
  static constexpr char kDigits[] = "0123456789abcdef";
  out += prefix;
  for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4) out += kDigits[number >> shift & 0xF];
}

/// repr() of one value, with the containers that are being printed, for Python's `[...]`.
class Printer {
 public:
  explicit Printer(Runtime& runtime) : runtime_(runtime) {}

  void print(const Datum& datum) {
    runtime_.step();
    if (out_.size() > kMaxText) runtime_.fail_limit("limit.result", "a text of the template is larger than 64 MiB");
    switch (datum.type) {
      case Type::none:
        out_ += "None";
        return;
      case Type::boolean:
        out_ += datum.integer != 0 ? "True" : "False";
        return;
      case Type::integer:
        out_ += std::to_string(datum.integer);
        return;
      case Type::big_integer:
        out_ += datum.text().bytes;
        return;
      case Type::floating:
        out_ += float_repr(datum.floating);
        return;
      case Type::text:
        runtime_.work_on(datum.text().bytes.size());
        out_ += datum.text().markup ? "Markup(" + text_repr(datum.text().bytes) + ")" : text_repr(datum.text().bytes);
        return;
      case Type::list:
        return print_items(datum, "[", "]");
      case Type::tuple:
        return print_items(datum, "(", datum.list().items.size() == 1 ? ",)" : ")");
      case Type::dict:
        return print_dict(datum.dict());
      case Type::name_space:
        out_ += "<Namespace ";
        print_dict(datum.dict());
        out_ += ">";
        return;
      case Type::view:
        out_ += type_name(datum);
        out_ += "(";
        print(runtime_.list(collect(runtime_, datum)));
        out_ += ")";
        return;
      case Type::range:
        return print_range(datum.range());
      case Type::iterator:
        out_ += "<";
        out_ += datum.iterator().kind;
        out_ += ">";
        return;
      case Type::function:
        out_ += datum.function().name;
        return;
      case Type::loop:
        out_ += "<LoopContext " + std::to_string(datum.loop().index0 + 1) + "/" +
                to_text(runtime_, *attribute(runtime_, datum, "length")) + ">";
        return;
      case Type::cycler:
        out_ += "<Cycler>";
        return;
      case Type::undefined:
        out_ += "Undefined";
        return;
    }
  }

  std::string take() { return std::move(out_); }

 private:
  bool enter(const Object* object, std::string_view cycle) {
    if (std::find(open_.begin(), open_.end(), object) != open_.end()) {
      out_ += cycle;
      return false;
    }
    if (open_.size() > 400) runtime_.fail("nested too deeply");
    open_.push_back(object);
    return true;
  }

  void print_items(const Datum& datum, std::string_view begin, std::string_view end) {
    if (!enter(datum.object, begin == "[" ? "[...]" : "(...)")) return;
    out_ += begin;
    bool first = true;
    for (std::size_t index = 0; index < datum.list().items.size(); ++index) {
      if (!first) out_ += ", ";
      first = false;
      print(datum.list().items[index]);
    }
    out_ += end;
    open_.pop_back();
  }

  void print_dict(const Dict& dict) {
    if (!enter(&dict, "{...}")) return;
    out_ += "{";
    bool first = true;
    for (const auto& [key, value] : dict.entries) {
      if (!first) out_ += ", ";
      first = false;
      print(key);
      out_ += ": ";
      print(value);
    }
    out_ += "}";
    open_.pop_back();
  }

  void print_range(const Range& range) {
    out_ += "range(" + std::to_string(range.start) + ", " + std::to_string(range.stop);
    if (range.step != 1) out_ += ", " + std::to_string(range.step);
    out_ += ")";
  }

  Runtime& runtime_;
  std::string out_;
  std::vector<const Object*> open_;
};

/// json.dumps() with sorted keys, and what HTML would read as markup escaped.
class JsonWriter {
 public:
  JsonWriter(Runtime& runtime, std::optional<std::int64_t> indent) : runtime_(runtime), indent_(indent) {}

  void write(const Datum& datum) {
    runtime_.step();
    const DepthGuard guard(runtime_, depth_);
    if (out_.size() > kMaxText) runtime_.fail_limit("limit.result", "a text of the template is larger than 64 MiB");
    switch (datum.type) {
      case Type::none:
        out_ += "null";
        return;
      case Type::boolean:
        out_ += datum.integer != 0 ? "true" : "false";
        return;
      case Type::integer:
        out_ += std::to_string(datum.integer);
        return;
      case Type::big_integer:
        out_ += datum.text().bytes;
        return;
      case Type::floating:
        return write_float(datum.floating);
      case Type::text:
        return write_text(datum.text().bytes);
      case Type::list:
      case Type::tuple:
        return write_items(datum.list().items);
      case Type::dict:
        return write_entries(datum.dict());
      default:
        runtime_.fail("a value of type " + std::string(type_name(datum)) + " has no JSON form");
    }
  }

  std::string take() { return std::move(out_); }

 private:
  void write_float(double number) {
    out_ += std::isnan(number)   ? "NaN"
            : std::isinf(number) ? (number > 0 ? "Infinity" : "-Infinity")
                                 : float_repr(number);
  }

  void write_text(std::string_view text) {
    runtime_.work_on(text.size());
    out_ += '"';
    for (std::size_t at = 0; at < text.size();) write_character(text::unicode::decode(text, at));
    out_ += '"';
  }

  void write_character(char32_t point) {
    switch (point) {
      case '"':
        out_ += "\\\"";
        return;
      case '\\':
        out_ += "\\\\";
        return;
      case '\n':
        out_ += "\\n";
        return;
      case '\r':
        out_ += "\\r";
        return;
      case '\t':
        out_ += "\\t";
        return;
      case '\b':
        out_ += "\\b";
        return;
      case '\f':
        out_ += "\\f";
        return;
      default:
        break;
    }
    if (point >= 0x10000) {
      append_hex(out_, "\\u", 0xD800 + ((point - 0x10000) >> 10), 4);
      append_hex(out_, "\\u", 0xDC00 + ((point - 0x10000) & 0x3FF), 4);
    } else if (point < 0x20 || point > 0x7F || point == '<' || point == '>' || point == '&' || point == '\'') {
      append_hex(out_, "\\u", point, 4);
    } else {
      out_ += static_cast<char>(point);
    }
  }

  void break_line() {
    if (!indent_) return;
    out_ += '\n';
    const std::size_t width = *indent_ > 0 ? static_cast<std::size_t>(*indent_) : 0;
    if (width > 1000) runtime_.fail_unsupported("an indent of more than 1000");
    runtime_.work_on(width * open_);
    out_.append(width * open_, ' ');
  }

  void separate(bool first) {
    if (!first) out_ += indent_ ? "," : ", ";
    break_line();
  }

  void write_items(const std::vector<Datum>& items) {
    if (items.empty()) {
      out_ += "[]";
      return;
    }
    out_ += "[";
    ++open_;
    for (std::size_t index = 0; index < items.size(); ++index) {
      separate(index == 0);
      write(items[index]);
    }
    --open_;
    break_line();
    out_ += "]";
  }

  void write_entries(const Dict& dict) {
    if (dict.entries.empty()) {
      out_ += "{}";
      return;
    }
    std::vector<Datum> keys;
    for (const auto& entry : dict.entries) keys.push_back(entry.first);
    out_ += "{";
    ++open_;
    bool first = true;
    for (const std::size_t index : sorted_order(runtime_, keys, false)) {
      separate(first);
      first = false;
      write_key(keys[index]);
      out_ += ": ";
      write(dict.entries[index].second);
    }
    --open_;
    break_line();
    out_ += "}";
  }

  void write_key(const Datum& key) {
    if (key.is(Type::text)) return write_text(key.text().bytes);
    if (!key.is_number() && !key.is(Type::none))
      runtime_.fail("a key of type " + std::string(type_name(key)) + " has no JSON form");
    out_ += '"';
    write(key);
    out_ += '"';
  }

  Runtime& runtime_;
  std::optional<std::int64_t> indent_;
  std::size_t open_ = 0;
  std::size_t depth_ = 0;
  std::string out_;
};

}  // namespace

std::string float_repr(double number) { return python::float_repr(number); }

std::string text_repr(std::string_view text) { return python::repr(text); }

std::string to_text(Runtime& runtime, const Datum& datum) {
  if (datum.is(Type::text)) {
    runtime.work_on(datum.text().bytes.size());
    return datum.text().bytes;
  }
  if (datum.is_undefined()) {
    if (datum.undefined().is_silent) return {};
    const std::string name = to_text(runtime, datum.undefined().name);
    runtime.note_missing(name, datum.undefined().at);
    return std::string(kMissing) + name;
  }
  return to_repr(runtime, datum);
}

std::string to_repr(Runtime& runtime, const Datum& datum) {
  Printer printer(runtime);
  printer.print(datum);
  return printer.take();
}

std::string to_json(Runtime& runtime, const Datum& datum, std::optional<std::int64_t> indent) {
  JsonWriter writer(runtime, indent);
  writer.write(datum);
  return writer.take();
}

std::string escape_html(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char byte : text) {
    switch (byte) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '\'':
        out += "&#39;";
        break;
      case '"':
        out += "&#34;";
        break;
      default:
        out += byte;
    }
  }
  return out;
}

Datum escaped(Runtime& runtime, const Datum& datum) {
  if (datum.is(Type::text) && datum.text().markup) return datum;
  return runtime.text(escape_html(to_text(runtime, datum)), true);
}

}  // namespace strata::jinja
