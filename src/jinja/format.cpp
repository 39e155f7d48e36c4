// SPDX-License-Identifier: Apache-2.0
// Python's two ways to fill in a format: `format % values` and `format.format(values)`.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "jinja/operations.hpp"
#include "strata/text.hpp"
#include "text/unicode/characters.hpp"

namespace strata::jinja {
namespace {

constexpr std::int64_t kMaxWidth = 1'000'000;
constexpr std::int64_t kMaxPrecision = 1000;

/// What both mini languages can say about one field.
struct Spec {
  std::string fill = " ";
  char align = '\0';  ///< `<`, `>`, `^`, `=`; none is the type's own.
  char sign = '\0';   ///< `+`, ` `, `-`.
  bool alternate = false;
  std::int64_t width = 0;
  char grouping = '\0';
  std::optional<std::int64_t> precision;
  char type = '\0';
};

std::string padded(const Spec& spec, const std::string& sign, const std::string& body, char align) {
  const auto size = static_cast<std::int64_t>(text::unicode::length(sign) + text::unicode::length(body));
  const std::int64_t missing = std::max<std::int64_t>(0, spec.width - size);
  const std::int64_t before = align == '<' ? 0 : align == '^' ? missing / 2 : missing;
  std::string left;
  std::string right;
  for (std::int64_t index = 0; index < missing; ++index) (index < before ? left : right) += spec.fill;
  return align == '=' ? sign + left + body : left + sign + body + right;
}

std::string sign_of(const Spec& spec, bool negative) {
  if (negative) return "-";
  return spec.sign == '+' ? "+" : spec.sign == ' ' ? " " : "";
}

std::string grouped(const std::string& digits, char separator, std::size_t size) {
  if (separator == '\0') return digits;
  std::string out;
  for (std::size_t index = 0; index < digits.size(); ++index) {
    if (index != 0 && (digits.size() - index) % size == 0) out += separator;
    out += digits[index];
  }
  return out;
}

std::string integer_digits(std::uint64_t number, int base, bool upper) {
  char buffer[70];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, number, base);
  static_cast<void>(error);
  std::string digits(buffer, end);
  return upper ? text::unicode::upper(digits) : digits;
}

std::string format_integer(Runtime& runtime, const Spec& spec, std::int64_t number) {
  const std::uint64_t amount = number < 0 ? 0 - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number);
  std::string prefix = sign_of(spec, number < 0);
  int base = 10;
  switch (spec.type) {
    case 'x':
    case 'X':
      base = 16;
      break;
    case 'o':
      base = 8;
      break;
    case 'b':
      base = 2;
      break;
    case '\0':
    case 'd':
    case 'n':
      break;
    default:
      runtime.fail("an integer cannot be formatted as '" + std::string(1, spec.type) + "'");
  }
  if (spec.alternate && base != 10) prefix += std::string("0") + spec.type;
  std::string digits = integer_digits(amount, base, spec.type == 'X');
  if (spec.precision && static_cast<std::int64_t>(digits.size()) < *spec.precision) {
    digits.insert(0, static_cast<std::size_t>(*spec.precision) - digits.size(), '0');
  }
  return padded(spec, prefix, grouped(digits, spec.grouping, base == 10 ? 3 : 4),
                spec.align == '\0' ? '>' : spec.align);
}

std::string float_digits(double number, char type, std::int64_t precision, bool alternate) {
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return "inf";
  std::string buffer(1500, '\0');
  const std::chars_format format = type == 'f' || type == '%' ? std::chars_format::fixed
                                   : type == 'e'              ? std::chars_format::scientific
                                                              : std::chars_format::general;
  const auto [end, error] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, format, static_cast<int>(precision));
  static_cast<void>(error);  // Large enough for any double at the largest precision.
  buffer.resize(static_cast<std::size_t>(end - buffer.data()));
  if (alternate && buffer.find('.') == std::string::npos) buffer.insert(std::min(buffer.find('e'), buffer.size()), ".");
  return buffer;
}

std::string format_float(Runtime& runtime, const Spec& spec, double number) {
  const char type = static_cast<char>(spec.type | 0x20);
  std::string digits;
  const double amount = std::fabs(number);
  if (spec.type == '\0' && !spec.precision) {
    digits = float_repr(amount);
  } else if (spec.type == '\0') {
    digits = float_digits(amount, 'g', std::max<std::int64_t>(1, *spec.precision), false);
    if (digits.find_first_of(".ein") == std::string::npos) digits += ".0";
  } else if (type == 'f' || type == 'e' || type == 'g') {
    const std::int64_t precision = spec.precision.value_or(6);
    digits = float_digits(amount, type, type == 'g' ? std::max<std::int64_t>(1, precision) : precision, spec.alternate);
  } else if (spec.type == '%') {
    digits = float_digits(amount * 100, '%', spec.precision.value_or(6), spec.alternate) + "%";
  } else {
    runtime.fail("a number cannot be formatted as '" + std::string(1, spec.type) + "'");
  }
  if (spec.type >= 'A' && spec.type <= 'Z') digits = text::unicode::upper(digits);
  if (spec.grouping != '\0') {
    const std::size_t whole = std::min(digits.find_first_not_of("0123456789"), digits.size());
    digits = grouped(digits.substr(0, whole), spec.grouping, 3) + digits.substr(whole);
  }
  return padded(spec, sign_of(spec, std::signbit(number) && !std::isnan(number)), digits,
                spec.align == '\0' ? '>' : spec.align);
}

std::string format_text(const Spec& spec, std::string text) {
  if (spec.precision) text.resize(text::unicode::offset(text, static_cast<std::size_t>(*spec.precision)));
  return padded(spec, {}, text, spec.align == '\0' ? '<' : spec.align);
}

std::int64_t take_number(Runtime& runtime, std::string_view text, std::size_t& at, std::int64_t limit) {
  std::int64_t number = 0;
  while (at < text.size() && text[at] >= '0' && text[at] <= '9') {
    number = number * 10 + (text[at++] - '0');
    if (number > limit)
      runtime.fail_limit("limit.result", "a field of a format is wider than " + std::to_string(limit));
  }
  return number;
}

/// `format % values`.
class PercentFormat {
 public:
  PercentFormat(Runtime& runtime, const Datum& format, const Datum& values)
      : runtime_(runtime), format_(format.text().bytes), markup_(format.text().markup), values_(values) {}

  std::string run() {
    while (at_ < format_.size()) {
      if (format_[at_] != '%') {
        out_ += format_[at_++];
      } else {
        ++at_;
        field();
      }
      if (out_.size() > kMaxText) runtime_.fail_limit("limit.result", "a text of the template is larger than 64 MiB");
    }
    const bool like_mapping =
        values_.is(Type::dict) || values_.is(Type::list) || values_.is(Type::range) || values_.is_undefined();
    const bool used = values_.is(Type::tuple) ? taken_ >= values_.list().items.size() : taken_ > 0 || like_mapping;
    if (!used && !by_key_) runtime_.fail("not all values of the format are used");
    return std::move(out_);
  }

 private:
  Datum next() {
    if (values_.is(Type::tuple)) {
      if (taken_ >= values_.list().items.size()) runtime_.fail("the format needs more values");
      return values_.list().items[taken_++];
    }
    if (taken_++ > 0 || by_key_) runtime_.fail("the format needs more values");
    return values_;
  }

  std::int64_t number_or_star(std::int64_t limit) {
    if (at_ >= format_.size() || format_[at_] != '*') return take_number(runtime_, format_, at_, limit);
    ++at_;
    const std::int64_t number = need_integer(runtime_, next());
    if (number > limit || number < -limit)
      runtime_.fail_limit("limit.result", "a field of a format is wider than " + std::to_string(limit));
    return number;
  }

  void field() {
    Spec spec;
    std::optional<Datum> value;
    if (at_ < format_.size() && format_[at_] == '(') value = keyed();
    bool zero = false;
    for (; at_ < format_.size(); ++at_) {
      const char flag = format_[at_];
      if (flag == '-') {
        spec.align = '<';
      } else if (flag == '+' || (flag == ' ' && spec.sign != '+')) {
        spec.sign = flag;
      } else if (flag == '#') {
        spec.alternate = true;
      } else if (flag == '0') {
        zero = true;
      } else if (flag != ' ') {
        break;
      }
    }
    spec.width = number_or_star(kMaxWidth);
    if (spec.width < 0) {
      spec.align = '<';
      spec.width = -spec.width;
    }
    if (at_ < format_.size() && format_[at_] == '.') {
      ++at_;
      spec.precision = std::max<std::int64_t>(0, number_or_star(kMaxPrecision));
    }
    while (at_ < format_.size() && (format_[at_] == 'h' || format_[at_] == 'l' || format_[at_] == 'L')) ++at_;
    if (at_ >= format_.size()) runtime_.fail("the format ends inside a field");
    const char type = format_[at_++];
    if (type == '%') {
      out_ += '%';
      return;
    }
    convert(spec, type, zero, value ? *value : next());
  }

  Datum keyed() {
    std::size_t depth = 1;
    const std::size_t begin = ++at_;
    for (; at_ < format_.size() && depth > 0; ++at_)
      depth = depth + (format_[at_] == '(' ? 1 : 0) - (format_[at_] == ')' ? 1 : 0);
    if (depth > 0) runtime_.fail("a key of the format is not closed");
    if (!values_.is(Type::dict)) runtime_.fail("the format needs a dictionary");
    by_key_ = true;
    const Datum* found = find(runtime_, values_.dict(), format_.substr(begin, at_ - 1 - begin));
    if (found == nullptr) runtime_.fail("the dictionary has no key '" + format_.substr(begin, at_ - 1 - begin) + "'");
    return *found;
  }

  void convert(Spec& spec, char type, bool zero, const Datum& value) {
    switch (type) {
      case 's':
      case 'r': {
        std::string text = type == 's' ? to_text(runtime_, value) : to_repr(runtime_, value);
        const bool is_safe = type == 's' && value.is(Type::text) && value.text().markup;
        if (markup_ && !is_safe) text = escape_html(text);
        if (spec.align == '\0') spec.align = '>';
        out_ += format_text(spec, std::move(text));
        return;
      }
      case 'c': {
        std::string text;
        if (value.is_whole()) {
          if (value.integer < 0 || value.integer > 0x10FFFF) runtime_.fail("there is no such character");
          text::append_utf8(text, static_cast<char32_t>(value.integer));
        } else {
          text = need_text(runtime_, value).bytes;
          if (value.text().length != 1) runtime_.fail("'%c' needs one character");
        }
        spec.precision.reset();
        if (spec.align == '\0') spec.align = '>';
        out_ += format_text(spec, std::move(text));
        return;
      }
      case 'd':
      case 'i':
      case 'u':
      case 'x':
      case 'X':
      case 'o':
        return convert_integer(spec, type, zero, value);
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G':
        runtime_.need_defined(value);
        if (!value.is_number())
          runtime_.fail("a number is needed here, not a value of type " + std::string(type_name(value)));
        spec.type = type;
        zero_pad(spec, zero);
        out_ += format_float(runtime_, spec, value.as_double());
        return;
      case 'a':
        runtime_.fail_unsupported("'%a' in a format");
      default:
        runtime_.fail("there is no '%" + std::string(1, type) + "' in formats");
    }
  }

  void convert_integer(Spec& spec, char type, bool zero, const Datum& value) {
    const bool decimal = type == 'd' || type == 'i' || type == 'u';
    runtime_.need_defined(value);
    if (!value.is_whole() && !(decimal && value.is(Type::floating))) {
      runtime_.fail("a number is needed here, not a value of type " + std::string(type_name(value)));
    }
    spec.type = decimal ? 'd' : type;
    zero_pad(spec, zero);
    out_ += format_integer(runtime_, spec, value.is_whole() ? value.integer : whole(runtime_, value.floating).integer);
  }

  static void zero_pad(Spec& spec, bool zero) {
    if (!zero || spec.align == '<') return;
    spec.fill = "0";
    spec.align = '=';
  }

  Runtime& runtime_;
  const std::string& format_;
  bool markup_;
  Datum values_;
  std::size_t at_ = 0;
  std::size_t taken_ = 0;
  bool by_key_ = false;
  std::string out_;
};

/// `format.format(values)`.
class BraceFormat {
 public:
  BraceFormat(Runtime& runtime, bool markup, const Arguments& arguments)
      : runtime_(runtime), markup_(markup), arguments_(arguments) {}

  std::string run(std::string_view format, int depth) {
    if (depth > 1) runtime_.fail("a format is nested too deeply");
    std::string out;
    for (std::size_t at = 0; at < format.size();) {
      const char byte = format[at++];
      if (byte != '{' && byte != '}') {
        out += byte;
      } else if (at < format.size() && format[at] == byte) {
        out += byte;
        ++at;
      } else if (byte == '}') {
        runtime_.fail("a '}' of the format has no '{'");
      } else {
        std::size_t open = 1;
        const std::size_t begin = at;
        for (; at < format.size() && open > 0; ++at)
          open = open + (format[at] == '{' ? 1 : 0) - (format[at] == '}' ? 1 : 0);
        if (open > 0) runtime_.fail("a '{' of the format is not closed");
        out += field(format.substr(begin, at - 1 - begin), depth);
      }
      if (out.size() > kMaxText) runtime_.fail_limit("limit.result", "a text of the template is larger than 64 MiB");
    }
    return out;
  }

 private:
  std::string field(std::string_view text, int depth) {
    std::size_t end = 0;
    for (bool in_key = false; end < text.size() && (in_key || (text[end] != ':' && text[end] != '!')); ++end) {
      in_key = text[end] == '[' || (in_key && text[end] != ']');
    }
    Datum value = resolve(text.substr(0, end));
    text.remove_prefix(end);
    if (text.starts_with('!')) {
      if (text.size() < 2 || (text.size() > 2 && text[2] != ':'))
        runtime_.fail("the conversion of a format field is wrong");
      if (text[1] == 'a') runtime_.fail_unsupported("'!a' in a format");
      if (text[1] != 's' && text[1] != 'r')
        runtime_.fail("there is no conversion '!" + std::string(1, text[1]) + "' in formats");
      value = text[1] == 's' ? runtime_.text(to_text(runtime_, value), value.is(Type::text) && value.text().markup)
                             : runtime_.text(to_repr(runtime_, value));
      text.remove_prefix(2);
    }
    const std::string spec = text.empty() ? std::string() : run(text.substr(1), depth + 1);
    std::string out = formatted(value, spec);
    return markup_ && depth == 0 && !(value.is(Type::text) && value.text().markup) ? escape_html(out) : out;
  }

  Datum resolve(std::string_view name) {
    std::size_t end = std::min(name.find_first_of(".["), name.size());
    Datum value = first(name.substr(0, end));
    while (end < name.size()) {
      const bool is_attribute = name[end] == '.';
      const std::size_t begin = end + 1;
      end = is_attribute ? std::min(name.find_first_of(".[", begin), name.size()) : name.find(']', begin);
      if (end == std::string_view::npos || end == begin) runtime_.fail("the name of a format field is wrong");
      const std::string_view key = name.substr(begin, end - begin);
      value = is_attribute ? get_attribute(runtime_, value, key) : get_item(runtime_, value, key_of(key));
      if (!is_attribute) ++end;
      if (end < name.size() && name[end] != '.' && name[end] != '[')
        runtime_.fail("the name of a format field is wrong");
    }
    return value;
  }

  Datum key_of(std::string_view key) {
    if (key.find_first_not_of("0123456789") != std::string_view::npos) return runtime_.text(std::string(key));
    std::size_t at = 0;
    return Datum::of_integer(take_number(runtime_, key, at, kMaxWidth));
  }

  Datum first(std::string_view name) {
    const bool is_number = name.find_first_not_of("0123456789") == std::string_view::npos;
    if (!is_number) {
      for (const auto& [other, value] : arguments_.named) {
        if (other == name) return value;
      }
      runtime_.fail("the format needs a value named '" + std::string(name) + "'");
    }
    const Numbering wanted = name.empty() ? Numbering::automatic : Numbering::manual;
    if (numbering_ != Numbering::unknown && numbering_ != wanted)
      runtime_.fail("the format has fields with and without numbers");
    numbering_ = wanted;
    std::size_t at = 0;
    const auto index = name.empty() ? next_++ : static_cast<std::size_t>(take_number(runtime_, name, at, kMaxWidth));
    if (index >= arguments_.positional.size()) runtime_.fail("the format needs more values");
    return arguments_.positional[index];
  }

  std::string formatted(const Datum& value, std::string_view text) {
    if (text.empty()) return to_text(runtime_, value);
    const Spec spec = parse(text, value);
    if (value.is(Type::floating)) return format_float(runtime_, spec, value.floating);
    if (value.is_whole()) {
      if (spec.type == 'c') runtime_.fail_unsupported("'c' in a format");
      if (spec.type != '\0' && std::string_view("eEfFgG%").find(spec.type) != std::string_view::npos) {
        return format_float(runtime_, spec, value.as_double());
      }
      if (spec.precision) runtime_.fail("an integer has no precision");
      return format_integer(runtime_, spec, value.integer);
    }
    if (!value.is(Type::text)) runtime_.fail("a value of type " + std::string(type_name(value)) + " has no format");
    if (spec.align == '=' || spec.sign != '\0' || spec.alternate || spec.grouping != '\0' ||
        (spec.type != '\0' && spec.type != 's')) {
      runtime_.fail("a text cannot be formatted like this");
    }
    return format_text(spec, value.text().bytes);
  }

  Spec parse(std::string_view text, const Datum& value) {
    const auto is_align = [](char byte) { return byte == '<' || byte == '>' || byte == '^' || byte == '='; };
    Spec spec;
    std::size_t at = 0;
    std::size_t second = 0;
    text::unicode::decode(text, second);
    if (second < text.size() && is_align(text[second])) {
      spec.fill = std::string(text.substr(0, second));
      spec.align = text[second];
      at = second + 1;
    } else if (is_align(text[0])) {
      spec.align = text[at++];
    }
    const auto take = [&](std::string_view choices) {
      return at < text.size() && choices.find(text[at]) != std::string_view::npos ? text[at++] : '\0';
    };
    spec.sign = take("+- ");
    spec.alternate = take("#") != '\0';
    if (take("0") != '\0' && spec.align == '\0') {
      spec.fill = "0";
      spec.align = value.is(Type::text) ? '<' : '=';
    }
    spec.width = take_number(runtime_, text, at, kMaxWidth);
    spec.grouping = take(",_");
    if (take(".") != '\0') {
      if (at >= text.size() || text[at] < '0' || text[at] > '9')
        runtime_.fail("the precision of a format field is missing");
      spec.precision = take_number(runtime_, text, at, kMaxPrecision);
    }
    if (at < text.size()) spec.type = text[at++];
    if (at < text.size()) runtime_.fail("the format of a field is wrong");
    if (spec.grouping != '\0' && spec.fill == "0" && spec.align == '=')
      runtime_.fail_unsupported("zeros and grouping together in a format");
    return spec;
  }

  enum class Numbering { unknown, automatic, manual };

  Runtime& runtime_;
  bool markup_;
  const Arguments& arguments_;
  Numbering numbering_ = Numbering::unknown;
  std::size_t next_ = 0;
};

}  // namespace

Datum format_percent(Runtime& runtime, const Datum& format, const Datum& values) {
  runtime.work_on(format.text().bytes.size());
  return runtime.text(PercentFormat(runtime, format, values).run(), format.text().markup);
}

Datum format_braces(Runtime& runtime, const Datum& format, const Arguments& arguments) {
  runtime.work_on(format.text().bytes.size());
  const bool markup = format.text().markup;
  return runtime.text(BraceFormat(runtime, markup, arguments).run(format.text().bytes, 0), markup);
}

}  // namespace strata::jinja
