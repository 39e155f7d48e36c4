// SPDX-License-Identifier: Apache-2.0
#include "text/unicode/characters.hpp"

#include "strata/text.hpp"

namespace strata::text::unicode {
namespace {

constexpr char32_t kCapitalSigma = 0x3A3;
constexpr char32_t kFinalSigma = 0x3C2;
constexpr char32_t kCapitalDottedI = 0x130;

bool is_cased(char32_t point, Version version) noexcept {
  return is_uppercase(point, version) || is_lowercase(point, version) || category(point, version) == Category::Lt;
}

// A capital sigma at the end of a word has a lower case of its own.
void append_lower(std::string& out, std::string_view text, std::size_t begin, std::size_t end, char32_t point,
                  Version version) {
  if (point == kCapitalDottedI) {
    out += "i\u0307";
    return;
  }
  if (point == kCapitalSigma && begin > 0) {
    std::size_t before = begin - 1;
    while (before > 0 && (static_cast<unsigned char>(text[before]) & 0xC0) == 0x80) --before;
    std::size_t at = before;
    const bool after_letter = is_cased(decode(text, at), version);
    at = end;
    const bool before_letter = at < text.size() && is_cased(decode(text, at), version);
    if (after_letter && !before_letter) return append_utf8(out, kFinalSigma);
  }
  append_utf8(out, simple_lower(point, version));
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
  return point == 0x85 || point == 0xA0 || point == 0x1680 || (point >= 0x2000 && point <= 0x200A) || point == 0x2028 ||
         point == 0x2029 || point == 0x202F || point == 0x205F || point == 0x3000;
}

bool is_alpha(char32_t point) noexcept { return is_letter(category(point, Version::v14)); }

bool is_alnum(char32_t point) noexcept {
  const Category found = category(point, Version::v14);
  return is_letter(found) || is_number(found);
}

std::optional<unsigned> decimal_digit(char32_t point) noexcept { return decimal_digit(point, Version::v14); }

bool is_upper(char32_t point) noexcept { return is_uppercase(point, Version::v14); }

bool is_lower(char32_t point) noexcept { return is_lowercase(point, Version::v14); }

bool is_printable(char32_t point) noexcept {
  const Category found = category(point, Version::v14);
  return point == ' ' || (found != Category::Cn && found < Category::Zs);
}

bool is_line_break(char32_t point) noexcept {
  return (point >= 10 && point <= 13) || (point >= 0x1C && point <= 0x1E) || point == 0x85 || point == 0x2028 ||
         point == 0x2029;
}

std::string upper(std::string_view text) { return upper(text, Version::v14); }

std::string lower(std::string_view text) { return lower(text, Version::v14); }

std::string title(std::string_view text) { return title(text, Version::v14); }

std::string upper(std::string_view text, Version version) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) append_upper(out, decode(text, at), version);
  return out;
}

std::string lower(std::string_view text, Version version) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const char32_t point = decode(text, at);
    append_lower(out, text, begin, at, point, version);
  }
  return out;
}

std::string casefold(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) append_case_folded(out, decode(text, at), Version::v14);
  return out;
}

std::string capitalize(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const char32_t point = decode(text, at);
    if (begin == 0) {
      append_title(out, point, Version::v14);
    } else {
      append_lower(out, text, begin, at, point, Version::v14);
    }
  }
  return out;
}

std::string title(std::string_view text, Version version) {
  std::string out;
  bool inside = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const char32_t point = decode(text, at);
    if (inside) {
      append_lower(out, text, begin, at, point, version);
    } else {
      append_title(out, point, version);
    }
    inside = is_cased(point, version);
  }
  return out;
}

std::string swapcase(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const char32_t point = decode(text, at);
    if (is_upper(point)) {
      append_lower(out, text, begin, at, point, Version::v14);
    } else if (is_lower(point)) {
      append_upper(out, point, Version::v14);
    } else {
      append_utf8(out, point);
    }
  }
  return out;
}

std::string_view strip(std::string_view text, bool left, bool right,
                       std::optional<std::string_view> characters) noexcept {
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
