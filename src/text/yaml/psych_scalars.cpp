// SPDX-License-Identifier: Apache-2.0
#include "text/yaml/psych_scalars.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "text/decimal.hpp"
#include "text/yaml/plain_scalars.hpp"
#include "text/yaml/scalar_scan.hpp"

namespace strata::text {
namespace {

constexpr std::size_t kLongestWord = kLongestPsychWord / 3;  ///< Characters of `false`.

/// In lower case, with the characters beyond ASCII that Ruby's matching without case takes for letters of the words.
std::string fold(std::string_view text) {
  constexpr std::string_view kLongS = "\u017F";
  constexpr std::string_view kDoubleF = "\uFB00";
  std::string folded;
  while (!text.empty()) {
    std::size_t length = 1;
    if (text.starts_with(kLongS)) {
      folded += 's';
      length = kLongS.size();
    } else if (text.starts_with(kDoubleF)) {
      folded += "ff";
      length = kDoubleF.size();
    } else {
      const char c = text.front();
      folded += c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
    }
    text.remove_prefix(length);
  }
  return folded;
}

std::size_t characters_in(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

enum class Word : std::uint8_t { none, null, yes, no };

Word word_in(std::string_view line) {
  if (line == "null") return Word::null;
  if (line == "yes" || line == "true" || line == "on") return Word::yes;
  if (line == "no" || line == "false" || line == "off") return Word::no;
  return Word::none;
}

/// The reference looks for its words in each line of a scalar (they come with quotes or a blank line); null is stronger
/// than true, true than false.
Word word_of(std::string_view text) {
  if (text.size() > kLongestPsychWord || characters_in(text) > kLongestWord) return Word::none;
  if (text == "~") return Word::null;
  const std::string folded = fold(text);
  Word found = Word::none;
  for (std::size_t begin = 0; begin < folded.size();) {
    if (std::string_view("ytonf~").find(folded[begin]) == std::string_view::npos) return Word::none;
    const std::size_t end = std::min(folded.find('\n', begin), folded.size());
    const Word word = word_in(std::string_view(folded).substr(begin, end - begin));
    if (word != Word::none && (found == Word::none || word < found)) found = word;
    begin = end + 1;
  }
  return found;
}

bool is_ruby_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

bool has_line_break(std::string_view text) { return text.find('\n') != std::string_view::npos; }

/// `Z`, `+1`, `+01:30`, `+0130` behind a time of day; all of the rest.
bool is_zone(Scan& scan) {
  scan.take_while(is_ruby_blank);
  if (scan.one_of("Z")) return scan.done();
  if (!scan.one_of("-+")) return false;
  const std::size_t digits = scan.digits();
  if (digits == 0 || digits > 4) return false;
  if (scan.done()) return true;
  if (digits > 2 || !scan.one_of(":")) return false;
  return scan.done() || (scan.digits() == 2 && scan.done());
}

bool is_time_of_day(Scan& scan) {
  if (!scan.one_of("Tt") && scan.take_while(is_ruby_blank) == 0) return false;
  const std::size_t hour = scan.digits();
  if (hour == 0 || hour > 2 || !scan.one_of(":") || scan.digits() != 2 || !scan.one_of(":") || scan.digits(2) != 2)
    return false;
  if (scan.one_of(".")) scan.digits();
  return scan.done() || is_zone(scan);
}

/// One or two digits up to `most`.
bool is_at_most(std::string_view digits, std::string_view most) {
  return digits.size() == 1 || (digits.size() == 2 && digits <= most);
}

/// `(:[0-5]?[0-9]){1,2}`
std::size_t base60_groups(Scan& scan) {
  std::size_t groups = 0;
  while (groups < 2 && scan.one_of(":")) {
    const std::string_view rest = scan.rest();
    const std::size_t n = scan.digits();
    if (n == 0 || n > 2 || (n == 2 && rest.front() > '5')) return 0;
    ++groups;
  }
  return groups;
}

/// The sign, the digits and underscores, and the groups of a number in base 60, up to its point or end.
bool is_base60(Scan& scan) {
  scan.one_of("-+");
  if (scan.digits(1) == 0) return false;
  scan.take_while([](char c) { return is_digit(c) || c == '_'; });
  return base60_groups(scan) != 0;
}

std::string without_separators(std::string_view text) {
  std::string plain(text);
  std::erase_if(plain, [](char c) { return c == '_' || c == ','; });
  return plain;
}

/// The number that a text begins with, as Ruby's `to_f` and `to_i` find it: an underscore may stand between two digits.
std::string leading_number(std::string_view text) {
  std::string number;
  bool has_point = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool between = i != 0 && is_digit(text[i - 1]) && i + 1 < text.size() && is_digit(text[i + 1]);
    if (is_digit(text[i])) {
      number += text[i];
    } else if (text[i] == '.' && between && !has_point) {
      number += text[i];
      has_point = true;
    } else if (text[i] != '_' || !between) {
      break;
    }
  }
  return number;
}

std::optional<double> base60_float(std::string_view text) {
  const double sign = text.starts_with('-') ? -1.0 : 1.0;
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  double total = 0;
  double unit = 3600;
  for (bool first = true; !text.empty(); first = false) {
    const std::size_t end = std::min(text.find(':'), text.size());
    const auto group = parse_decimal(leading_number(text.substr(0, end)));
    if (!group) return std::nullopt;
    total += (first ? sign : 1.0) * *group * unit;
    unit /= 60;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return total;
}

/// `hours` times 3600 and `seconds` more, in decimal digits; the sum is not negative.
std::string in_seconds(std::string_view hours, std::int64_t seconds) {
  std::string reversed;
  std::int64_t carry = seconds;
  for (std::size_t left = hours.size(); left != 0 || carry > 0;) {
    const std::int64_t amount = (left != 0 ? (hours[--left] - '0') * std::int64_t{3600} : 0) + carry;
    const std::int64_t digit = (amount % 10 + 10) % 10;
    reversed += static_cast<char>('0' + digit);
    carry = (amount - digit) / 10;
  }
  return {reversed.rbegin(), reversed.rend()};
}

/// The sign belongs to the first group alone.
Value base60_integer(Arena& arena, std::string_view text) {
  bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const std::size_t colon = text.find(':');
  const std::string hours = leading_number(text.substr(0, colon));
  std::int64_t seconds = 0;
  std::int64_t unit = 60;
  for (std::size_t begin = colon + 1; begin <= text.size(); unit /= 60) {
    const std::size_t end = std::min(text.find(':', begin), text.size());
    std::int64_t group = 0;
    for (const char c : text.substr(begin, end - begin)) group = group * 10 + (c - '0');
    seconds += group * unit;
    begin = end + 1;
  }
  if (hours.find_first_not_of('0') == std::string::npos) negative = false;
  return arena.integer((negative ? "-" : "") + in_seconds(hours, negative ? -seconds : seconds));
}

bool is_infinity(std::string_view text) {
  if (text.size() > 5) return false;
  const std::string lower = fold(text);
  return lower == ".inf" || lower == "+.inf" || lower == "-.inf";
}

bool is_nan(std::string_view text) { return text.size() == 4 && fold(text) == ".nan"; }

}  // namespace

bool is_psych_null(std::string_view text) { return word_of(text) == Word::null; }

bool is_psych_boolean(std::string_view text) { return psych_boolean(text).has_value(); }

bool is_psych_time(std::string_view text) {
  if (text.size() < 8 || has_line_break(text)) return false;
  Scan scan(text);
  const bool negative = scan.one_of("-");
  if (scan.digits() != 4 || !scan.one_of("-")) return false;
  const std::string_view month = scan.rest().substr(0, scan.rest().find('-'));
  const std::size_t month_digits = scan.digits();
  if (month_digits == 0 || month_digits > 2 || !scan.one_of("-")) return false;
  const std::string_view day = scan.rest();
  const std::size_t day_digits = scan.digits();
  if (day_digits == 0 || day_digits > 2) return false;
  if (!scan.done()) return is_time_of_day(scan);
  return !negative && is_at_most(month, "12") && is_at_most(day, "31");
}

bool is_psych_symbol(std::string_view text) { return text.size() > 1 && text.front() == ':' && !has_line_break(text); }

bool is_psych_integer(std::string_view text) {
  Scan scan(text);
  if (is_base60(scan)) return scan.done();
  scan = Scan(text);
  scan.one_of("-+");
  const auto all = [&scan](auto is_one) {
    return scan.take_while([is_one](char c) { return c == '_' || c == ',' || is_one(c); }) != 0 && scan.done();
  };
  if (scan.word("0b")) return all([](char c) { return c == '0' || c == '1'; });
  if (scan.word("0x")) return all(is_hex);
  if (scan.word("0")) return scan.done() || all([](char c) { return c >= '0' && c <= '7'; });
  while (scan.digits() != 0) {
    if (scan.done()) return true;
    if (!scan.one_of("_,")) return false;
  }
  return false;
}

bool is_psych_float(std::string_view text) {
  if (is_infinity(text) || is_nan(text)) return true;
  Scan scan(text);
  if (is_base60(scan)) {
    if (!scan.one_of(".")) return false;
    scan.take_while([](char c) { return is_digit(c) || c == '_'; });
    return scan.done();
  }
  scan = Scan(text);
  scan.one_of("-+");
  const bool has_whole = scan.digits(1) != 0;
  if (has_whole) scan.take_while([](char c) { return is_digit(c) || c == '_' || c == ','; });
  if (!scan.one_of(".")) return false;
  if (scan.digits() == 0 && scan.done()) return has_whole;
  if (scan.done()) return true;
  return scan.one_of("eE") && scan.one_of("-+") && scan.digits() != 0 && scan.done();
}

std::optional<bool> psych_boolean(std::string_view text) {
  const Word word = word_of(text);
  return word == Word::yes || word == Word::no ? std::optional(word == Word::yes) : std::nullopt;
}

std::optional<Value> psych_integer(Arena& arena, std::string_view text) {
  if (text.find(':') != std::string_view::npos) return base60_integer(arena, text);
  const std::string plain = without_separators(text);
  std::string_view digits = plain;
  const bool negative = digits.starts_with('-');
  if (negative || digits.starts_with('+')) digits.remove_prefix(1);
  if (digits.starts_with("0b")) return number_in_base(arena, negative, digits.substr(2), 2);
  if (digits.starts_with("0x")) return number_in_base(arena, negative, digits.substr(2), 16);
  if (digits.starts_with('0')) return number_in_base(arena, negative, digits, 8);
  return arena.integer(plain);
}

std::optional<double> psych_float(std::string_view text) {
  if (is_infinity(text))
    return text.starts_with('-') ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  if (is_nan(text)) return std::numeric_limits<double>::quiet_NaN();
  if (text.find(':') != std::string_view::npos) return base60_float(text);
  const std::string plain = without_separators(text);
  std::string_view digits = plain;
  const double sign = digits.starts_with('-') ? -1.0 : 1.0;
  if (digits.starts_with('-') || digits.starts_with('+')) digits.remove_prefix(1);
  const auto number = parse_decimal(digits);
  return number ? std::optional(sign * *number) : std::nullopt;
}

std::string_view psych_symbol_name(std::string_view text) {
  text.remove_prefix(1);
  const char quote = text.front();
  const std::size_t end = quote == '"' || quote == '\'' ? text.rfind(quote) : 0;
  if (end != 0) text = text.substr(1, end - 1);
  return end != 0 && text.starts_with(':') ? text.substr(1) : text;
}

}  // namespace strata::text
