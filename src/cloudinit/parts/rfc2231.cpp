// SPDX-License-Identifier: Apache-2.0
#include "rfc2231.hpp"

#include <fmt/format.h>
#include <iconv.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <limits>
#include <tuple>
#include <vector>

#include "python_text.hpp"
#include "strata/text.hpp"

namespace strata::cloudinit {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

void replace_each(std::string& text, std::string_view from, std::string_view to) {
  std::string result;
  std::size_t at = 0;
  for (std::size_t found; (found = text.find(from, at)) != std::string::npos; at = found + from.size()) {
    result.append(text, at, found - at);
    result += to;
  }
  text = result.append(text, at);
}

/// Without the quotes (or angle brackets) around it.
std::string unquote(std::string_view text) {
  if (text.size() < 2) return std::string(text);
  std::string inner(text.substr(1, text.size() - 2));
  if (text.front() == '"' && text.back() == '"') {
    replace_each(inner, "\\\\", "\\");
    replace_each(inner, "\\\"", "\"");
    return inner;
  }
  return text.front() == '<' && text.back() == '>' ? inner : std::string(text);
}

struct Pair {
  std::string name;
  std::string value;
};

/// Splits at semicolons outside of quotes; a quote after a backslash does not count.
std::vector<Pair> split_parameters(std::string_view text) {
  std::vector<Pair> result;
  const auto add = [&](std::string_view stretch) {
    const std::size_t equals = stretch.find('=');
    if (equals == std::string_view::npos) {
      result.push_back({std::string(trim(stretch)), {}});
    } else {
      result.push_back({lower(trim(stretch.substr(0, equals))), std::string(trim(stretch.substr(equals + 1)))});
    }
  };
  std::size_t start = 0;
  bool quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '"' && (at == start || text[at - 1] != '\\')) quoted = !quoted;
    if (text[at] == ';' && (!quoted || at == start)) {
      add(text.substr(start, at - start));
      start = at + 1;
      quoted = false;
    }
  }
  add(text.substr(start));
  return result;
}

/// Characters of an extended value: octets that were percent-encoded, and what was written as it is.
std::u32string characters(std::string_view text, bool percent_encoded) {
  std::u32string result;
  for (std::size_t at = 0; at < text.size();) {
    const auto first = static_cast<unsigned char>(text[at]);
    if (percent_encoded && first == '%' && at + 2 < text.size() && hex_digit(text[at + 1]) >= 0 &&
        hex_digit(text[at + 2]) >= 0) {
      result += static_cast<char32_t>(hex_digit(text[at + 1]) * 16 + hex_digit(text[at + 2]));
      at += 3;
      continue;
    }
    const std::size_t length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    char32_t code = length == 1 ? first : first & (0xFFU >> (length + 1));
    for (std::size_t i = 1; i < length && at + i < text.size(); ++i)
      code = code << 6U | (static_cast<unsigned char>(text[at + i]) & 0x3FU);
    result += code;
    at += length;
  }
  return result;
}

std::string to_utf8(std::u32string_view text) {
  std::string result;
  for (const char32_t code : text) text::append_utf8(result, code);
  return result;
}

/// The octets that an extended value stands for; other characters are spelled out.
std::string to_octets(std::u32string_view text) {
  std::string result;
  for (const char32_t code : text) {
    if (code < 0x100) {
      result += static_cast<char>(code);
    } else {
      result += code < 0x10000 ? fmt::format("\\u{:04x}", static_cast<std::uint32_t>(code))
                               : fmt::format("\\U{:08x}", static_cast<std::uint32_t>(code));
    }
  }
  return result;
}

/// Bytes at the front that are no UTF-8: as many as could have begun one character.
std::size_t damaged_prefix(std::string_view bytes) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const unsigned char first = at(0);
  const std::size_t length = first >= 0xC2 && first <= 0xDF   ? 2
                             : first >= 0xE0 && first <= 0xEF ? 3
                             : first >= 0xF0 && first <= 0xF4 ? 4
                                                              : 1;
  std::size_t good = 1;
  while (good < length && good < bytes.size()) {
    const unsigned low = good > 1 ? 0x80 : first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    const unsigned high = good > 1 ? 0xBF : first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    if (at(good) < low || at(good) > high) break;
    ++good;
  }
  return good;
}

std::string replace_damage(std::string_view bytes) {
  std::string result;
  for (std::size_t bad; (bad = text::find_invalid_utf8(bytes)) != std::string_view::npos;) {
    result += bytes.substr(0, bad);
    result += kReplacement;
    bytes.remove_prefix(bad);
    bytes.remove_prefix(damaged_prefix(bytes));
  }
  return result.append(bytes);
}

/// Through the C library's converter; none where it does not know the character set.
std::optional<std::string> converted_octets(std::string octets, const std::string& charset) {
  const iconv_t converter = iconv_open("UTF-8", charset.c_str());
  if (converter == reinterpret_cast<iconv_t>(-1)) return std::nullopt;
  std::string result;
  char* in = octets.data();
  std::size_t left = octets.size();
  while (left > 0) {
    char buffer[256];
    char* out = buffer;
    std::size_t room = sizeof buffer;
    const std::size_t status = iconv(converter, &in, &left, &out, &room);
    result.append(buffer, out);
    if (status == static_cast<std::size_t>(-1) && errno != E2BIG) {
      result += kReplacement;
      ++in;
      --left;
    }
  }
  iconv_close(converter);
  return result;
}

/// Octets in a character set as UTF-8; none where the character set is unknown.
std::optional<std::string> decode_octets(std::string_view octets, std::string_view charset) {
  std::string name;
  for (const char c : lower(charset)) name += c == '-' || c == ' ' ? '_' : c;
  if (name == "utf_8" || name == "utf8" || name == "u8") return replace_damage(octets);
  std::string result;
  if (name == "us_ascii" || name == "ascii" || name == "646") {
    for (const char c : octets) result += static_cast<unsigned char>(c) < 0x80 ? std::string_view(&c, 1) : kReplacement;
    return result;
  }
  if (name == "iso_8859_1" || name == "latin_1" || name == "latin1" || name == "l1" || name == "iso8859_1") {
    for (const char c : octets) text::append_utf8(result, static_cast<unsigned char>(c));
    return result;
  }
  if (charset.empty() ||
      charset.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") !=
          std::string_view::npos) {
    return std::nullopt;
  }
  return converted_octets(std::string(octets), std::string(charset));
}

/// `charset'language'text` as UTF-8.
std::string decode_extended(std::u32string_view value) {
  std::u32string_view text = value;
  std::string charset = "us-ascii";
  const std::size_t first = value.find(U'\'');
  const std::size_t second = first == std::u32string_view::npos ? first : value.find(U'\'', first + 1);
  if (second != std::u32string_view::npos) {
    charset = to_utf8(value.substr(0, first));
    text = value.substr(second + 1);
  }
  if (auto decoded = decode_octets(to_octets(text), charset)) return std::move(*decoded);
  return unquote(to_utf8(text));
}

/// One stretch of a parameter that was cut into several.
struct Continuation {
  std::uint64_t number = 0;  ///< From 1; 0 where it has none.
  std::string value;
  bool encoded = false;
  friend auto operator<=>(const Continuation&, const Continuation&) = default;
};

/// Splits `name*`, `name*7`, `name*7*`; false for any other name.
bool split_continuation(std::string_view name, std::string_view& base, std::uint64_t& number) {
  const std::size_t star = name.find('*');
  if (star == 0 || star == std::string_view::npos) return false;
  base = name.substr(0, star);
  const auto is_word = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  if (!std::ranges::all_of(base, is_word)) return false;
  std::string_view digits = name.substr(star + 1);
  number = 0;
  if (digits.empty()) return true;
  if (digits.ends_with('*')) digits.remove_suffix(1);
  if (digits.empty()) return false;
  for (const char c : digits) {
    if (c < '0' || c > '9') return false;
    number = number > std::numeric_limits<std::uint64_t>::max() / 16
                 ? number
                 : number * 10 + static_cast<std::uint64_t>(c - '0');
  }
  ++number;
  return true;
}

std::string join(std::vector<Continuation> stretches) {
  std::ranges::sort(stretches);
  std::u32string value;
  bool extended = false;
  for (const Continuation& stretch : stretches) {
    value += characters(stretch.value, stretch.encoded);
    extended = extended || stretch.encoded;
  }
  return extended ? decode_extended(value) : unquote(to_utf8(value));
}

}  // namespace

// Rule: get_param and collapse_rfc2231_value of Python 3.11. Plain parameters come before those in stretches, and are
// unquoted twice.
std::optional<std::string> header_parameter(std::string_view header_value, std::string_view name) {
  const std::vector<Pair> pairs = split_parameters(header_value);
  std::vector<Continuation> stretches;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    std::string_view base;
    std::uint64_t number = 0;
    if (i > 0 && split_continuation(pairs[i].name, base, number)) {
      if (equal_ignoring_case(base, name))
        stretches.push_back({number, unquote(pairs[i].value), pairs[i].name.ends_with('*')});
    } else if (equal_ignoring_case(pairs[i].name, name)) {
      return unquote(unquote(pairs[i].value));
    }
  }
  if (stretches.empty()) return std::nullopt;
  return join(std::move(stretches));
}

std::string format_parameter(std::string_view name, std::string_view value) {
  if (value.empty()) return std::string(name);
  if (std::ranges::all_of(value, [](char c) { return static_cast<unsigned char>(c) < 0x80; })) {
    std::string quoted(value);
    replace_each(quoted, "\\", "\\\\");
    replace_each(quoted, "\"", "\\\"");
    return fmt::format("{}=\"{}\"", name, quoted);
  }
  std::string encoded;
  for (const char c : value) {
    const bool is_safe = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
                         c == '.' || c == '-' || c == '~';
    if (is_safe) {
      encoded += c;
    } else {
      encoded += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return fmt::format("{}*=utf-8''{}", name, encoded);
}

}  // namespace strata::cloudinit
