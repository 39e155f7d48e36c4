// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <cmath>

#include "puppet/characters.hpp"
#include "puppet/convert/arguments.hpp"
#include "puppet/evaluation/objects.hpp"
#include "puppet/types/integer.hpp"
#include "text/decimal.hpp"

namespace strata::puppet {
namespace {

constexpr std::string_view kBlanks = " \t\n\v\f\r";

int digit_value(char c) noexcept {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'z') return c - 'a' + 10;
  return c >= 'A' && c <= 'Z' ? c - 'A' + 10 : 99;
}

bool all_in_radix(std::string_view text, int radix) noexcept {
  for (const char c : text) {
    if (digit_value(c) >= radix) return false;
  }
  return !text.empty();
}

/// A number as it is written: a sign with blanks after it, a prefix that tells the radix, digits.
struct Written {
  bool minus = false;
  bool line_ends = false;  ///< Among the blanks: Puppet takes the text for a number first and then fails on it.
  bool blanks = false;
  char prefix = 0;  ///< `x`, `b` or none.
  std::string_view digits;
};

Written take_apart(std::string_view text) {
  Written out;
  if (text.starts_with('-') || text.starts_with('+')) {
    out.minus = text.front() == '-';
    text.remove_prefix(1);
  }
  while (!text.empty() && kBlanks.find(text.front()) != std::string_view::npos) {
    out.blanks = true;
    out.line_ends = out.line_ends || (text.front() != ' ' && text.front() != '\t');
    text.remove_prefix(1);
  }
  if (text.size() > 1 && text[0] == '0') {
    const char letter = static_cast<char>(text[1] | 0x20);
    if (letter == 'x' || letter == 'b') {
      out.prefix = letter;
      text.remove_prefix(2);
    }
  }
  out.digits = text;
  return out;
}

/// Decimal digits of a number in another radix.
std::string decimal(std::string_view digits, int radix) {
  constexpr std::size_t kLongest = 10'000;  // The work grows with the square.
  if (digits.size() > kLongest)
    throw Error("limit.result", "a number of " + std::to_string(digits.size()) + " digits is too long to convert");
  constexpr std::uint64_t kBase = 1'000'000'000;
  std::vector<std::uint64_t> groups = {0};
  for (const char c : digits) {
    auto carry = static_cast<std::uint64_t>(digit_value(c));
    for (std::uint64_t& group : groups) {
      group = group * static_cast<std::uint64_t>(radix) + carry;
      carry = group / kBase;
      group %= kBase;
    }
    if (carry != 0) groups.push_back(carry);
  }
  std::string out = std::to_string(groups.back());
  for (std::size_t i = groups.size() - 1; i-- > 0;) {
    const std::string group = std::to_string(groups[i]);
    out += std::string(9 - group.size(), '0') + group;
  }
  return out;
}

Value whole_from_digits(const Conversion& call, bool minus, std::string_view digits, int radix) {
  const std::string text = radix == 10 ? std::string(digits) : decimal(digits, radix);
  return call.arena.integer(minus ? "-" + text : text);
}

/// The digits of a written number under a radix (0: as the number says), as Ruby's Integer() reads them; a value that
/// is absent where it does not.
Value read_integer(const Conversion& call, const Written& number, int radix) {
  std::string_view digits = number.digits;
  if (number.line_ends) return {};
  if (number.prefix == 'x') {
    if (radix != 0 && radix != 16) return {};
    return all_in_radix(digits, 16) ? whole_from_digits(call, number.minus, digits, 16) : Value();
  }
  std::string with_prefix;
  if (number.prefix == 'b') {
    if (radix == 0 || radix == 2)
      return all_in_radix(digits, 2) ? whole_from_digits(call, number.minus, digits, 2) : Value();
    // `b` is a digit in base 16.
    with_prefix = "0b" + std::string(digits);
    digits = with_prefix;
  }
  const bool octal = radix == 0 && digits.size() > 1 && digits.front() == '0';
  const int base = radix != 0 ? radix : octal ? 8 : 10;
  return all_in_radix(digits, base) ? whole_from_digits(call, number.minus, digits, base) : Value();
}

/// Whether Puppet takes a text for an integer at all.
bool looks_whole(const Written& number) {
  if (number.prefix == 'x') return all_in_radix(number.digits, 16);
  return all_in_radix(number.digits, number.prefix == 'b' ? 2 : 10);
}

Value absolute(const Conversion& call, const Value& value) {
  if (value.kind() == Kind::floating) return Value::floating(std::fabs(value.as_floating()));
  const std::string digits = Integer(value).to_string();
  return digits.starts_with('-') ? call.arena.integer(digits.substr(1)) : value;
}

Value truncated_value(const Conversion& call, const Value& from) {
  const std::optional<Integer> whole_number = whole_part(from.as_floating());
  if (!whole_number) throw cannot_convert(from, "Integer");
  return call.arena.integer(whole_number->to_string());
}

Value integer_from(const Conversion& call, const Value& from, int radix) {
  switch (from.kind()) {
    case Kind::integer:
    case Kind::big_integer:
      return from;
    case Kind::boolean:
      return Value::integer(from.as_boolean() ? 1 : 0);
    case Kind::floating:
      return truncated_value(call, from);
    case Kind::text: {
      const Written number = take_apart(from.text());
      const Value read = looks_whole(number) ? read_integer(call, number, radix) : Value();
      if (read) return read;
      break;
    }
    default:
      break;
  }
  throw cannot_convert(from, "Integer");
}

int radix_of(const Value& value) {
  const std::int64_t radix = value.kind() == Kind::integer ? value.as_integer() : 0;
  if (radix == 2 || radix == 8 || radix == 10 || radix == 16) return static_cast<int>(radix);
  throw Error("puppet.convert", "illegal radix: " + Integer(value).to_string() + ", expected 2, 8, 10, 16, or default");
}

/// The arguments of a number's conversion, given one by one or as one hash.
struct NumberArguments {
  Value from;
  Value radix;
  bool absolute = false;
};

bool required_boolean(const Conversion& call, const Value& value, std::string_view expected) {
  if (value.kind() != Kind::boolean) throw wrong_arguments(call, expected);
  return value.as_boolean();
}

NumberArguments number_arguments(const Conversion& call, bool has_radix, std::string_view expected) {
  NumberArguments out;
  const std::span<const Value> given = call.arguments;
  if (given.size() == 1 && is_hash(given[0])) {
    for (const Entry& entry : given[0].entries()) {
      const std::string_view name = entry.key.is_text() ? entry.key.text() : std::string_view();
      if (name == "from") {
        out.from = entry.value;
      } else if (name == "radix" && has_radix) {
        out.radix = entry.value;
      } else if (name == "abs") {
        out.absolute = required_boolean(call, entry.value, expected);
      } else {
        throw wrong_arguments(call, expected);
      }
    }
    if (!out.from) throw wrong_arguments(call, expected);
  } else {
    need_arguments(call, 1, has_radix ? 3 : 2, expected);
    out.from = given[0];
    if (has_radix && given.size() > 1) out.radix = given[1];
    const std::size_t at = has_radix ? 2 : 1;
    if (given.size() > at) out.absolute = required_boolean(call, given[at], expected);
  }
  if (is_default(out.radix)) out.radix = {};
  if (out.radix && !is_whole(out.radix)) throw wrong_arguments(call, expected);
  return out;
}

bool skip_digits(std::string_view& text) {
  const std::size_t before = text.size();
  while (!text.empty() && is_digit(text.front())) text.remove_prefix(1);
  return text.size() != before;
}

/// `12`, `1.5`, `1e-3`: no leading zeros, no plus in the exponent.
bool looks_decimal(std::string_view text) {
  if (text.empty()) return false;
  if (text.front() == '0') {
    text.remove_prefix(1);
  } else if (!skip_digits(text)) {
    return false;
  }
  if (text.size() > 1 && text[0] == '.' && is_digit(text[1])) {
    text.remove_prefix(1);
    skip_digits(text);
  }
  if (!text.empty() && (text.front() | 0x20) == 'e') {
    text.remove_prefix(1);
    if (text.starts_with('-')) text.remove_prefix(1);
    if (!skip_digits(text)) return false;
  }
  return text.empty();
}

/// Whether Puppet takes a text for a number.
bool looks_numeric(const Written& number) {
  if (number.prefix == 'x') return all_in_radix(number.digits, 16);
  if (number.prefix == 'b') return all_in_radix(number.digits, 2);
  return looks_decimal(number.digits) ||
         (number.digits.size() > 1 && number.digits.front() == '0' && all_in_radix(number.digits, 8));
}

double read_float(const Written& number) {
  const double value =
      (number.prefix == 'x' ? text::parse_hexadecimal(number.digits) : text::parse_decimal(number.digits))
          .value_or(0.0);
  return number.minus ? -value : value;
}

double whole_as_double(const Value& whole) { return *text::parse_decimal(Integer(whole).to_string()); }

Value float_from_text(const Conversion& call, const Value& from) {
  const Written number = take_apart(from.text());
  if (!looks_numeric(number) || number.line_ends) throw cannot_convert(from, "Float");
  if (number.prefix != 'b') return Value::floating(read_float(number));
  // Binary numbers are read without a sign only.
  if (!from.text().starts_with('0')) throw cannot_convert(from, "Float");
  return Value::floating(whole_as_double(read_integer(call, number, 2)));
}

bool only_zeros(std::string_view text) { return text.find_first_of("123456789") == std::string_view::npos; }

Value numeric_from_text(const Conversion& call, const Value& from) {
  const Written number = take_apart(from.text());
  const bool binary = number.prefix == 'b' && from.text().starts_with('0');
  const bool whole_number = number.prefix != 0 || all_in_radix(number.digits, 10);
  if (!looks_numeric(number) || number.line_ends || (number.prefix == 'b' && !binary))
    throw cannot_convert(from, "Numeric");
  if (whole_number) {
    const Value read = read_integer(call, number, 0);
    if (!read) throw cannot_convert(from, "Numeric");
    return read;
  }
  const double value = read_float(number);
  // Nothing times ten to some power is not taken for a number.
  const std::size_t exponent = number.digits.find_first_of("eE");
  const bool nothing = exponent != std::string_view::npos && only_zeros(number.digits.substr(0, exponent));
  if (std::isinf(value) || nothing) throw cannot_convert(from, "Numeric");
  return Value::floating(value);
}

}  // namespace

Value new_integer(const Conversion& call) {
  const NumberArguments given = number_arguments(call, true, "a value, a radix and whether to drop the sign");
  const int radix = given.radix ? radix_of(given.radix) : 0;
  const Value result = integer_from(call, given.from, radix);
  return given.absolute ? absolute(call, result) : result;
}

Value new_float(const Conversion& call) {
  const NumberArguments given = number_arguments(call, false, "a value and whether to drop the sign");
  const Value& from = given.from;
  Value result;
  if (from.kind() == Kind::floating) {
    result = from;
  } else if (is_whole(from)) {
    result = Value::floating(whole_as_double(from));
  } else if (from.kind() == Kind::boolean) {
    result = Value::floating(from.as_boolean() ? 1.0 : 0.0);
  } else if (from.is_text()) {
    result = float_from_text(call, from);
  } else {
    throw cannot_convert(from, "Float");
  }
  return given.absolute ? absolute(call, result) : result;
}

Value new_numeric(const Conversion& call) {
  const NumberArguments given = number_arguments(call, false, "a value and whether to drop the sign");
  const Value& from = given.from;
  Value result = from;
  if (from.kind() == Kind::boolean) {
    result = Value::integer(from.as_boolean() ? 1 : 0);
  } else if (from.is_text()) {
    result = numeric_from_text(call, from);
  } else if (!is_whole(from) && from.kind() != Kind::floating) {
    throw cannot_convert(from, "Numeric");
  }
  return given.absolute ? absolute(call, result) : result;
}

Value new_boolean(const Conversion& call) {
  need_arguments(call, 1, 1, "one value");
  const Value& from = call.arguments[0];
  if (from.kind() == Kind::boolean) return from;
  if (from.kind() == Kind::floating) return Value::boolean(from.as_floating() != 0);
  if (is_whole(from)) return Value::boolean(Integer(from) != Integer(0));
  if (from.is_text()) {
    const std::string word = lower(from.text());
    if (word == "true" || word == "yes" || word == "y") return Value::boolean(true);
    if (word == "false" || word == "no" || word == "n") return Value::boolean(false);
  }
  throw cannot_convert(from, "Boolean");
}

}  // namespace strata::puppet
