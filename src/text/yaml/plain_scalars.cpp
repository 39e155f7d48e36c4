// SPDX-License-Identifier: Apache-2.0
#include "text/yaml/plain_scalars.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <vector>

#include "text/decimal.hpp"
#include "text/yaml/scalar_scan.hpp"
#include "value/same_text.hpp"

namespace strata::text {
namespace {

bool is_digit_or_underscore(char c) { return is_digit(c) || c == '_'; }

/// `(:[0-5]?[0-9])+`
bool sexagesimal_groups(Scan& scan) {
  bool any = false;
  while (scan.one_of(":")) {
    Scan digits(scan.rest());
    const std::size_t n = digits.digits(3);
    if (n == 0 || n > 2 || (n == 2 && scan.rest().front() > '5')) return false;
    scan = digits;
    any = true;
  }
  return any;
}

template <std::size_t N>
bool is_any_of(std::string_view text, const std::array<std::string_view, N>& words) {
  return std::ranges::any_of(words, [text](std::string_view word) { return detail::same_text(word, text); });
}

bool infinity_or_nan(std::string_view text, bool sign_before) {
  static constexpr std::array<std::string_view, 3> kInfinity{".inf", ".Inf", ".INF"};
  static constexpr std::array<std::string_view, 3> kNan{".nan", ".NaN", ".NAN"};
  return is_any_of(text, kInfinity) || (!sign_before && is_any_of(text, kNan));
}

/// An unsigned integer of any size, made digit by digit; for the few that do not fit 64 bits.
class Digits {
 public:
  void push(std::uint32_t base, std::uint32_t digit) {
    std::uint64_t carry = digit;
    for (std::uint32_t& limb : limbs_) {
      carry += static_cast<std::uint64_t>(limb) * base;
      limb = static_cast<std::uint32_t>(carry % kLimb);
      carry /= kLimb;
    }
    if (carry != 0) limbs_.push_back(static_cast<std::uint32_t>(carry));
  }
  [[nodiscard]] std::string decimal() const {
    std::string text = limbs_.empty() ? "0" : std::to_string(limbs_.back());
    for (std::size_t i = limbs_.size(); i-- > 1;) {
      const std::string limb = std::to_string(limbs_[i - 1]);
      text.append(9 - limb.size(), '0').append(limb);
    }
    return text;
  }

 private:
  static constexpr std::uint32_t kLimb = 1'000'000'000;
  std::vector<std::uint32_t> limbs_;
};

constexpr std::size_t kMostDigits =
    4300;  ///< Python 3.11 refuses to convert longer ones; it also bounds our own quadratic conversion.

std::uint32_t digit_of(char c) {
  if (is_digit(c)) return static_cast<std::uint32_t>(c - '0');
  return static_cast<std::uint32_t>((c | 0x20) - 'a') + 10;
}

}  // namespace

std::optional<Value> number_in_base(Arena& arena, bool negative, std::string_view digits, std::uint32_t base) {
  if (digits.empty() || digits.size() > kMostDigits) return std::nullopt;
  const bool fits = std::ranges::all_of(digits, [base](char c) { return is_hex(c) && digit_of(c) < base; });
  if (!fits) return std::nullopt;
  Digits number;
  for (const char c : digits) number.push(base, digit_of(c));
  return arena.integer((negative ? "-" : "") + number.decimal());
}

namespace {

/// Without the blanks that Python leaves out around numbers.
std::string_view trim_python_blanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\n\v\f\r\x1C\x1D\x1E\x1F";
  const std::size_t begin = std::min(text.find_first_not_of(kBlanks), text.size());
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

/// As Python's `int(text, base)`: blanks around, a sign and the base's prefix are allowed. Reached with such texts
/// under an explicit tag only.
std::optional<Value> python_integer(Arena& arena, bool negative, std::string_view text, std::uint32_t base) {
  text = trim_python_blanks(text);
  if (text.starts_with('-') || text.starts_with('+')) {
    negative ^= text.front() == '-';
    text.remove_prefix(1);
  }
  const char letter = base == 2 ? 'b' : base == 8 ? 'o' : 'x';
  if (base != 10 && text.size() > 2 && text[0] == '0' && (text[1] | 0x20) == letter) text.remove_prefix(2);
  return number_in_base(arena, negative, text, base);
}

std::string without_underscores(std::string_view text) {
  std::string plain(text);
  std::erase(plain, '_');
  return plain;
}

/// Splits at colons and folds the groups with base 60.
std::optional<Value> sexagesimal_integer(Arena& arena, bool negative, std::string_view text) {
  if (text.size() > kMostDigits) return std::nullopt;
  Digits total;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(':', begin), text.size());
    const std::string_view group = text.substr(begin, end - begin);
    if (group.empty() || !std::ranges::all_of(group, is_digit)) return std::nullopt;
    // total = total * 60 + group, with the group's digits pushed one by one only where it leads.
    if (begin == 0) {
      for (const char c : group) total.push(10, digit_of(c));
    } else {
      std::uint32_t amount = 0;
      if (std::from_chars(group.data(), group.data() + group.size(), amount).ec != std::errc{}) return std::nullopt;
      total.push(60, amount);
    }
    begin = end + 1;
  }
  return arena.integer((negative ? "-" : "") + total.decimal());
}

/// As Python's `float(text)`: blanks around, a sign and the words for infinity and not-a-number are allowed.
std::optional<double> python_float(std::string_view text) {
  text = trim_python_blanks(text);
  const double sign = text.starts_with('-') ? -1.0 : 1.0;
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; });
  if (lower == "inf" || lower == "infinity") return sign * std::numeric_limits<double>::infinity();
  if (lower == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (lower.find_first_not_of("0123456789.e+-") != std::string::npos || lower.starts_with('-')) return std::nullopt;
  const auto number = parse_decimal(text);
  return number ? std::optional(sign * *number) : std::nullopt;
}

std::uint32_t parse_digits(std::string_view digits) {
  std::uint32_t value = 0;
  for (const char c : digits) value = value * 10 + digit_of(c);
  return value;
}

bool possible(const Date& date) {
  static constexpr std::array<std::uint8_t, 12> kDays{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (date.year < 1 || date.month < 1 || date.month > 12 || date.day < 1) return false;
  const bool leap = (date.year % 4 == 0 && date.year % 100 != 0) || date.year % 400 == 0;
  return date.day <= kDays.at(date.month - 1U) + (leap && date.month == 2 ? 1 : 0);
}

}  // namespace

bool is_yaml11_null(std::string_view text) {
  return text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL";
}

bool is_yaml11_boolean(std::string_view text) { return boolean_value(text).has_value(); }

bool is_pyyaml_integer(std::string_view text) {
  Scan scan(text);
  scan.one_of("-+");
  const std::string_view body = scan.rest();
  if (body.starts_with("0b") || body.starts_with("0x")) {
    scan.word(body.substr(0, 2));
    const bool binary = body[1] == 'b';
    const std::size_t n =
        scan.take_while([binary](char c) { return c == '_' || (binary ? c == '0' || c == '1' : is_hex(c)); });
    return n != 0 && scan.done();
  }
  if (body.starts_with('0')) {
    scan.one_of("0");
    scan.take_while([](char c) { return (c >= '0' && c <= '7') || c == '_'; });
    return scan.done();
  }
  if (body.empty() || !is_digit(body.front())) return false;
  scan.take_while(is_digit_or_underscore);
  if (scan.done()) return true;
  return sexagesimal_groups(scan) && scan.done();
}

bool is_pyyaml_float(std::string_view text) {
  Scan scan(text);
  const bool sign = scan.one_of("-+");
  if (infinity_or_nan(scan.rest(), sign)) return true;
  const auto exponent = [](Scan& at) {
    return at.done() || (at.one_of("eE") && at.one_of("-+") && at.digits() != 0 && at.done());
  };
  if (scan.one_of(".")) {
    if (sign || scan.digits(1) == 0) return false;
    scan.take_while(is_digit_or_underscore);
    return exponent(scan);
  }
  if (scan.digits(1) == 0) return false;
  scan.take_while(is_digit_or_underscore);
  const bool sixty = scan.rest().starts_with(':');
  if (sixty && !sexagesimal_groups(scan)) return false;
  if (!scan.one_of(".")) return false;
  scan.take_while(is_digit_or_underscore);
  return sixty ? scan.done() : exponent(scan);
}

namespace {

/// `short_dates`: a day without a time may have a month and day of one digit.
bool is_timestamp(std::string_view text, bool short_dates) {
  Scan scan(text);
  if (scan.digits(4) != 4 || !scan.one_of("-")) return false;
  const std::size_t month = scan.digits(2);
  if (month == 0 || !scan.one_of("-")) return false;
  const std::size_t day = scan.digits(2);
  if (day == 0) return false;
  if (scan.done()) return short_dates || (month == 2 && day == 2);
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  if (!scan.one_of("Tt") && scan.take_while(is_blank) == 0) return false;
  if (scan.digits(2) == 0 || !scan.one_of(":") || scan.digits(2) != 2 || !scan.one_of(":") || scan.digits(2) != 2)
    return false;
  if (scan.one_of(".")) scan.digits();
  if (scan.done()) return true;
  scan.take_while(is_blank);
  if (scan.one_of("Z")) return scan.done();
  if (!scan.one_of("-+") || scan.digits(2) == 0) return false;
  return scan.done() || (scan.one_of(":") && scan.digits(2) == 2 && scan.done());
}

}  // namespace

bool is_pyyaml_timestamp(std::string_view text) { return is_timestamp(text, false); }

bool is_merge(std::string_view text) { return text == "<<"; }
bool is_value_sign(std::string_view text) { return text == "="; }

bool is_core_null(std::string_view text) { return is_yaml11_null(text); }

bool is_core_boolean(std::string_view text) {
  static constexpr std::array<std::string_view, 6> kWords{"true", "True", "TRUE", "false", "False", "FALSE"};
  return is_any_of(text, kWords);
}

bool is_core_integer(std::string_view text) {
  Scan scan(text);
  if (scan.word("0o")) return scan.take_while([](char c) { return c >= '0' && c <= '7'; }) != 0 && scan.done();
  if (scan.word("0x")) return scan.take_while(is_hex) != 0 && scan.done();
  scan.one_of("-+");
  return scan.digits() != 0 && scan.done();
}

bool is_core_float(std::string_view text) {
  Scan scan(text);
  const bool sign = scan.one_of("-+");
  if (infinity_or_nan(scan.rest(), sign)) return true;
  const std::size_t whole = scan.digits();
  if (scan.one_of(".")) {
    if (scan.digits() == 0 && whole == 0) return false;
  } else if (whole == 0) {
    return false;
  }
  if (scan.one_of("eE")) {
    scan.one_of("-+");
    if (scan.digits() == 0) return false;
  }
  return scan.done();
}

std::optional<bool> boolean_value(std::string_view text) {
  static constexpr std::array<std::string_view, 9> kTrue{"yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"};
  static constexpr std::array<std::string_view, 9> kFalse{"no",    "No",  "NO",  "false", "False",
                                                          "FALSE", "off", "Off", "OFF"};
  if (is_any_of(text, kTrue)) return true;
  if (is_any_of(text, kFalse)) return false;
  return std::nullopt;
}

namespace {

std::optional<Value> integer_value(Arena& arena, std::string_view text, bool leading_zero_is_octal) {
  const std::string plain = without_underscores(text);
  std::string_view digits = plain;
  const bool negative = digits.starts_with('-');
  if (negative || digits.starts_with('+')) digits.remove_prefix(1);
  if (digits.starts_with("0b")) return python_integer(arena, negative, digits.substr(2), 2);
  if (digits.starts_with("0x")) return python_integer(arena, negative, digits.substr(2), 16);
  if (digits.starts_with("0o") || (leading_zero_is_octal && digits.starts_with('0')))
    return python_integer(arena, negative, digits, 8);
  if (digits.find(':') != std::string_view::npos) return sexagesimal_integer(arena, negative, digits);
  if (digits.empty() || digits.size() > kMostDigits) return std::nullopt;
  if (!std::ranges::all_of(digits, is_digit)) return python_integer(arena, negative, digits, 10);
  return arena.integer(plain);
}

}  // namespace

std::optional<Value> pyyaml_integer(Arena& arena, std::string_view text) { return integer_value(arena, text, true); }
std::optional<Value> core_integer(Arena& arena, std::string_view text) { return integer_value(arena, text, false); }

std::optional<double> float_value(std::string_view text) {
  std::string plain = without_underscores(text);
  std::string_view digits = plain;
  const double sign = digits.starts_with('-') ? -1.0 : 1.0;
  if (digits.starts_with('-') || digits.starts_with('+')) digits.remove_prefix(1);
  if (digits == ".inf" || digits == ".Inf" || digits == ".INF") return sign * std::numeric_limits<double>::infinity();
  if (digits == ".nan" || digits == ".NaN" || digits == ".NAN") return std::numeric_limits<double>::quiet_NaN();
  if (digits.find(':') == std::string_view::npos) {
    const auto number = python_float(digits);
    return number ? std::optional(sign * *number) : std::nullopt;
  }
  // Summed from the last group, as the reference does: the rounding is part of the value.
  double total = 0;
  double base = 1;
  for (bool more = true; more;) {
    const std::size_t colon = digits.rfind(':');
    const auto group = python_float(colon == std::string_view::npos ? digits : digits.substr(colon + 1));
    if (!group) return std::nullopt;
    total += *group * base;
    base *= 60;
    more = colon != std::string_view::npos;
    if (more) digits = digits.substr(0, colon);
  }
  return sign * total;
}

std::optional<Value> timestamp_value(Arena& arena, std::string_view text) {
  if (!is_timestamp(text, true)) return std::nullopt;  // Under an explicit tag short dates are read, too.
  const auto take_number = [&text]() {
    std::size_t n = 0;
    while (n < text.size() && is_digit(text[n])) ++n;
    const std::string_view digits = text.substr(0, n);
    text.remove_prefix(n);
    return digits;
  };
  const auto skip = [&text](std::string_view set) {
    while (!text.empty() && set.find(text.front()) != std::string_view::npos) text.remove_prefix(1);
  };
  Timestamp stamp;
  stamp.date.year = static_cast<std::int32_t>(parse_digits(take_number()));
  skip("-");
  stamp.date.month = static_cast<std::uint8_t>(parse_digits(take_number()));
  skip("-");
  stamp.date.day = static_cast<std::uint8_t>(parse_digits(take_number()));
  if (!possible(stamp.date)) return std::nullopt;
  if (text.empty()) return Arena::date(stamp.date);
  skip("Tt \t");
  stamp.hour = static_cast<std::uint8_t>(parse_digits(take_number()));
  skip(":");
  stamp.minute = static_cast<std::uint8_t>(parse_digits(take_number()));
  skip(":");
  stamp.second = static_cast<std::uint8_t>(parse_digits(take_number()));
  if (stamp.hour > 23 || stamp.minute > 59 || stamp.second > 59) return std::nullopt;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    std::string fraction(take_number().substr(0, 6));
    fraction.append(6 - fraction.size(), '0');
    stamp.microsecond = parse_digits(fraction);
  }
  skip(" \t");
  if (!text.empty()) {
    stamp.has_zone = true;
    const bool west = text.starts_with('-');
    text.remove_prefix(1);
    const auto hours = static_cast<std::int32_t>(parse_digits(take_number()));
    skip(":");
    const auto minutes = static_cast<std::int32_t>(parse_digits(take_number()));
    stamp.zone_seconds = (hours * 60 + minutes) * 60 * (west ? -1 : 1);
    if (std::abs(stamp.zone_seconds) >= 24 * 3600) return std::nullopt;
  }
  return arena.timestamp(stamp);
}

}  // namespace strata::text
