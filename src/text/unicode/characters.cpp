#include "text/unicode/characters.hpp"

#include <algorithm>
#include <array>
#include <clocale>
#include <iterator>

#include <cwctype>

#include "strata/text.hpp"

namespace strata::text::unicode {
namespace {

// The C library's tables; null where it has no such locale, and then only ASCII has letters.
locale_t tables() noexcept {
  static const locale_t locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  return locale;
}

bool in_class(char32_t point, int (*test)(wint_t, locale_t)) noexcept {
  if (tables() == nullptr) return false;
  return test(static_cast<wint_t>(point), tables()) != 0;
}

char32_t simple_upper(char32_t point) noexcept {
  if (point < 0x80) return point >= 'a' && point <= 'z' ? point - 32 : point;
  return tables() == nullptr ? point : static_cast<char32_t>(towupper_l(static_cast<wint_t>(point), tables()));
}

char32_t simple_lower(char32_t point) noexcept {
  if (point < 0x80) return point >= 'A' && point <= 'Z' ? point + 32 : point;
  return tables() == nullptr ? point : static_cast<char32_t>(towlower_l(static_cast<wint_t>(point), tables()));
}

constexpr char32_t kSharpS = 0xDF;
constexpr char32_t kCapitalSigma = 0x3A3;
constexpr char32_t kFinalSigma = 0x3C2;

void append_upper(std::string& out, char32_t point, bool titlecase) {
  if (point == kSharpS) {
    out += titlecase ? "Ss" : "SS";
  } else {
    append_utf8(out, simple_upper(point));
  }
}

bool is_cased(char32_t point) noexcept { return is_upper(point) || is_lower(point); }

// A capital sigma at the end of a word has a lower case of its own.
void append_lower(std::string& out, std::string_view text, std::size_t begin, std::size_t end, char32_t point) {
  if (point == kCapitalSigma && begin > 0) {
    std::size_t before = begin - 1;
    while (before > 0 && (static_cast<unsigned char>(text[before]) & 0xC0) == 0x80) --before;
    std::size_t at = before;
    const bool after_letter = is_cased(decode(text, at));
    at = end;
    const bool before_letter = at < text.size() && is_cased(decode(text, at));
    if (after_letter && !before_letter) return append_utf8(out, kFinalSigma);
  }
  append_utf8(out, simple_lower(point));
}

}  // namespace

char32_t decode(std::string_view text, std::size_t& at) noexcept {
  const auto byte = [&](std::size_t index) { return static_cast<unsigned char>(text[index]); };
  const unsigned first = byte(at);
  const std::size_t more = first >= 0xF0 && first < 0xF8 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0;
  if (first >= 0xF8 || more == 0 || at + more >= text.size()) {
    ++at;
    return first;
  }
  char32_t point = first & (0x3Fu >> more);
  for (std::size_t index = 1; index <= more; ++index) {
    if ((byte(at + index) & 0xC0) != 0x80) {
      ++at;
      return first;
    }
    point = point << 6 | (byte(at + index) & 0x3Fu);
  }
  at += more + 1;
  return point;
}

std::size_t length(std::string_view text) noexcept {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); ++count) decode(text, at);
  return count;
}

std::size_t offset(std::string_view text, std::size_t index) noexcept {
  std::size_t at = 0;
  while (index > 0 && at < text.size()) {
    decode(text, at);
    --index;
  }
  return at;
}

std::vector<std::string_view> characters(std::string_view text) {
  std::vector<std::string_view> result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    decode(text, at);
    result.push_back(text.substr(begin, at - begin));
  }
  return result;
}

bool is_space(char32_t point) noexcept {
  if (point < 0x80) return point == ' ' || (point >= 9 && point <= 13) || (point >= 0x1C && point <= 0x1F);
  return point == 0x85 || point == 0xA0 || point == 0x1680 || (point >= 0x2000 && point <= 0x200A) || point == 0x2028 || point == 0x2029 ||
         point == 0x202F || point == 0x205F || point == 0x3000;
}

bool is_alpha(char32_t point) noexcept {
  if (point < 0x80) return (point >= 'a' && point <= 'z') || (point >= 'A' && point <= 'Z');
  return in_class(point, iswalpha_l);
}

bool is_alnum(char32_t point) noexcept { return (point >= '0' && point <= '9') || is_alpha(point); }

std::optional<unsigned> decimal_digit(char32_t point) noexcept {
  // Where the zeros are; nine digits follow each.
  static constexpr std::array<char32_t, 66> kZeros{0x30,    0x660,   0x6F0,   0x7C0,   0x966,   0x9E6,   0xA66,   0xAE6,   0xB66,   0xBE6,   0xC66,
                                                   0xCE6,   0xD66,   0xDE6,   0xE50,   0xED0,   0xF20,   0x1040,  0x1090,  0x17E0,  0x1810,  0x1946,
                                                   0x19D0,  0x1A80,  0x1A90,  0x1B50,  0x1BB0,  0x1C40,  0x1C50,  0xA620,  0xA8D0,  0xA900,  0xA9D0,
                                                   0xA9F0,  0xAA50,  0xABF0,  0xFF10,  0x104A0, 0x10D30, 0x11066, 0x110F0, 0x11136, 0x111D0, 0x112F0,
                                                   0x11450, 0x114D0, 0x11650, 0x116C0, 0x11730, 0x118E0, 0x11950, 0x11C50, 0x11D50, 0x11DA0, 0x16A60,
                                                   0x16AC0, 0x16B50, 0x1D7CE, 0x1D7D8, 0x1D7E2, 0x1D7EC, 0x1D7F6, 0x1E140, 0x1E2F0, 0x1E950, 0x1FBF0};
  const auto* const behind = std::ranges::upper_bound(kZeros, point);
  if (behind == kZeros.begin() || point - *std::prev(behind) > 9) return std::nullopt;
  return static_cast<unsigned>(point - *std::prev(behind));
}

bool is_upper(char32_t point) noexcept { return point < 0x80 ? point >= 'A' && point <= 'Z' : in_class(point, iswupper_l); }

bool is_lower(char32_t point) noexcept {
  if (point < 0x80) return point >= 'a' && point <= 'z';
  return point == 0xAA || point == 0xBA || in_class(point, iswlower_l);
}

bool is_printable(char32_t point) noexcept {
  if (point < 0x80) return point >= 0x20 && point < 0x7F;
  return point != 0xAD && !is_space(point) && !(point >= 0x200B && point <= 0x200F) && in_class(point, iswprint_l);
}

bool is_line_break(char32_t point) noexcept {
  return (point >= 10 && point <= 13) || (point >= 0x1C && point <= 0x1E) || point == 0x85 || point == 0x2028 || point == 0x2029;
}

std::string upper(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) append_upper(out, decode(text, at), false);
  return out;
}

std::string lower(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const char32_t point = decode(text, at);
    append_lower(out, text, begin, at, point);
  }
  return out;
}

std::string casefold(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const char32_t point = decode(text, at);
    if (point == kSharpS) {
      out += "ss";
    } else {
      append_utf8(out, point == kFinalSigma ? simple_lower(kCapitalSigma) : simple_lower(point));
    }
  }
  return out;
}

std::string capitalize(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const char32_t point = decode(text, at);
    if (begin == 0) {
      append_upper(out, point, true);
    } else {
      append_lower(out, text, begin, at, point);
    }
  }
  return out;
}

std::string title(std::string_view text) {
  std::string out;
  bool inside = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const char32_t point = decode(text, at);
    if (inside) {
      append_lower(out, text, begin, at, point);
    } else {
      append_upper(out, point, true);
    }
    inside = is_cased(point);
  }
  return out;
}

std::string swapcase(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const char32_t point = decode(text, at);
    if (is_upper(point)) {
      append_lower(out, text, begin, at, point);
    } else {
      append_upper(out, point, false);
    }
  }
  return out;
}

std::string_view strip(std::string_view text, bool left, bool right, std::optional<std::string_view> characters) noexcept {
  const auto unwanted = [&](char32_t point) {
    if (!characters) return is_space(point);
    for (std::size_t at = 0; at < characters->size();) {
      if (decode(*characters, at) == point) return true;
    }
    return false;
  };
  while (left && !text.empty()) {
    std::size_t at = 0;
    if (!unwanted(decode(text, at))) break;
    text.remove_prefix(at);
  }
  while (right && !text.empty()) {
    std::size_t begin = text.size() - 1;
    while (begin > 0 && (static_cast<unsigned char>(text[begin]) & 0xC0) == 0x80) --begin;
    std::size_t at = begin;
    if (!unwanted(decode(text, at))) break;
    text.remove_suffix(text.size() - begin);
  }
  return text;
}

std::vector<std::string_view> split_lines(std::string_view text, bool keep_ends) {
  std::vector<std::string_view> lines;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = at;
    const char32_t point = decode(text, at);
    if (!is_line_break(point)) continue;
    if (point == '\r' && at < text.size() && text[at] == '\n') ++at;
    lines.push_back(text.substr(begin, (keep_ends ? at : end) - begin));
    begin = at;
  }
  if (begin < text.size()) lines.push_back(text.substr(begin));
  return lines;
}

std::vector<std::string_view> split_space(std::string_view text, std::optional<std::size_t> limit) {
  std::vector<std::string_view> words;
  for (;;) {
    text = strip(text, true, false);
    if (text.empty()) return words;
    if (limit && words.size() == *limit) {
      words.push_back(text);
      return words;
    }
    std::size_t at = 0;
    std::size_t end = 0;
    while (at < text.size()) {
      end = at;
      if (is_space(decode(text, at))) break;
      end = at;
    }
    words.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

}  // namespace strata::text::unicode
