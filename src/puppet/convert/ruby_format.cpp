// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "puppet/characters.hpp"
#include "puppet/convert/format.hpp"
#include "puppet/types/make.hpp"
#include "ruby/ruby.hpp"
#include "value/plain_locale.hpp"

namespace strata::puppet {
namespace {

/// Flags that only containers have.
void check_flags(const Format& format) {
  if (format.flags.find_first_not_of(" #+-0") != std::string::npos)
    throw Error("puppet.format", "the flags '" + format.flags + "' are for containers, not for a single value");
}

std::size_t byte_length(std::string_view text, std::size_t characters) {
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    const bool starts = (static_cast<unsigned char>(text[at]) & 0xC0U) != 0x80U;
    if (starts && characters-- == 0) break;
  }
  return at;
}

std::string padded(std::string text, const Format& format) {
  const std::size_t size = character_count(text);
  if (!format.width || *format.width <= size) return text;
  const std::string blanks(*format.width - size, ' ');
  return format.has('-') ? text + blanks : blanks + text;
}

constexpr std::string_view kDigits = "0123456789abcdef";

/// The digits of a number without its sign, in base 2, 8 or 16.
std::string digits_in(std::string_view decimal, unsigned base) {
  std::string out;
  std::string left(decimal);
  while (left != "0") {
    // Divides by 16^6, 8^8 or 2^24 at a time.
    constexpr std::uint64_t kChunk = 1U << 24U;
    std::string quotient;
    std::uint64_t rest = 0;
    for (const char c : left) {
      rest = rest * 10 + static_cast<std::uint64_t>(c - '0');
      if (!quotient.empty() || rest >= kChunk) quotient += static_cast<char>('0' + rest / kChunk);
      rest %= kChunk;
    }
    left = quotient.empty() ? "0" : quotient;
    const std::size_t digits = base == 16 ? 6 : base == 8 ? 8 : 24;
    for (std::size_t i = 0; i < digits; ++i, rest /= base) out += kDigits[rest % base];
  }
  while (out.size() > 1 && out.back() == '0') out.pop_back();
  std::reverse(out.begin(), out.end());
  return out.empty() ? "0" : out;
}

/// The digits of a negative number as if it had infinitely many of the highest digit before it; one of them is kept.
std::string complement(std::string digits, unsigned base) {
  for (char& c : digits) c = kDigits[base - 1 - kDigits.find(c)];
  for (std::size_t i = digits.size(); i-- > 0;) {
    const std::size_t next = kDigits.find(digits[i]) + 1;
    digits[i] = kDigits[next % base];
    if (next < base) break;
  }
  const char highest = kDigits[base - 1];
  const std::size_t first = std::min(digits.find_first_not_of(highest), digits.size());
  return highest + digits.substr(first);
}

std::string prefix_of(char letter) {
  if (letter == 'o') return "0";
  return std::string("0") + letter;
}

/// What an integer is written from.
struct Pieces {
  std::string sign;
  std::string prefix;
  std::string dots;
  std::string digits;
  char fill = '0';
};

Pieces pieces(const Format& format, char letter, const Integer& number) {
  Pieces out;
  std::string decimal = number.to_string();
  const bool minus = decimal.front() == '-';
  if (minus) decimal.erase(0, 1);
  const unsigned base = letter == 'd' ? 10 : letter == 'o' ? 8 : letter == 'x' || letter == 'X' ? 16 : 2;
  out.digits = base == 10 ? decimal : digits_in(decimal, base);
  const bool with_sign = base == 10 || format.has('+') || format.has(' ');
  if (!with_sign && minus) {
    out.digits = complement(out.digits, base);
    out.dots = "..";
    out.fill = kDigits[base - 1];
  } else if (minus || format.has('+') || format.has(' ')) {
    out.sign = minus ? "-" : format.has('+') ? "+" : " ";
  }
  if (letter == 'X') {
    out.digits = upper(out.digits);
    out.fill = upper(out.fill);
  }
  if (format.alternative() && base != 10) out.prefix = prefix_of(letter);
  return out;
}

}  // namespace

std::string pad_text(const Format& format, std::string_view text) {
  if (format.precision) text = text.substr(0, byte_length(text, *format.precision));
  return padded(std::string(text), format);
}

std::string format_text(const Format& format, std::string_view text) {
  check_flags(format);
  return pad_text(format, text);
}

std::string format_integer(const Format& format, char letter, const Integer& number) {
  check_flags(format);
  Pieces out = pieces(format, letter, number);
  const bool zero = out.digits == "0";
  auto width = static_cast<std::ptrdiff_t>(format.width.value_or(0));
  auto precision = format.precision ? static_cast<std::ptrdiff_t>(*format.precision) : -1;
  width -= static_cast<std::ptrdiff_t>(out.sign.size() + out.dots.size());
  if (!out.dots.empty()) precision -= 2;
  if (out.prefix == "0") {
    const bool fills_with_zeros = format.precision && precision > static_cast<std::ptrdiff_t>(out.digits.size());
    if (out.dots.empty() && zero) {
      out.digits.clear();
      if (format.precision) --precision;
    } else if (!out.dots.empty() || fills_with_zeros) {
      out.prefix.clear();
    }
  } else if (zero) {
    out.prefix.clear();
  }
  width -= static_cast<std::ptrdiff_t>(out.prefix.size());
  const auto size = static_cast<std::ptrdiff_t>(out.digits.size());
  if (format.has('0') && !format.has('-') && !format.precision) {
    precision = width;
    width = 0;
  } else {
    if (precision < size) {
      if (out.prefix.empty() && precision == 0 && out.digits == "0") out.digits.clear();
      precision = static_cast<std::ptrdiff_t>(out.digits.size());
    }
    width -= precision;
  }
  const auto blanks = static_cast<std::size_t>(std::max<std::ptrdiff_t>(width, 0));
  const auto filled =
      static_cast<std::size_t>(std::max<std::ptrdiff_t>(precision - static_cast<std::ptrdiff_t>(out.digits.size()), 0));
  const std::string text = out.sign + out.prefix + out.dots + std::string(filled, out.fill) + out.digits;
  return format.has('-') ? text + std::string(blanks, ' ') : std::string(blanks, ' ') + text;
}

std::string format_float(const Format& format, char letter, double number) {
  check_flags(format);
  if (!std::isfinite(number)) {
    const std::string sign = std::signbit(number) && !std::isnan(number) ? "-"
                             : format.has('+')                           ? "+"
                             : format.has(' ')                           ? " "
                                                                         : "";
    return padded(sign + (std::isnan(number) ? "NaN" : "Inf"), format);
  }
  std::string pattern = "%" + format.flags;
  pattern += "*";
  if (format.precision) pattern += ".*";
  pattern += letter;
  const int width = static_cast<int>(format.width.value_or(0));
  const int precision = static_cast<int>(format.precision.value_or(0));
  const auto print = [&](char* buffer, std::size_t size) {
    return format.precision ? std::snprintf(buffer, size, pattern.c_str(), width, precision, number)
                            : std::snprintf(buffer, size, pattern.c_str(), width, number);
  };
  const PlainLocale locale;
  const int size = print(nullptr, 0);
  std::string out(static_cast<std::size_t>(size) + 1, '\0');
  print(out.data(), out.size());
  out.pop_back();
  return out;
}

std::string float_inspect(double number) { return ruby::float_text(number); }

}  // namespace strata::puppet
