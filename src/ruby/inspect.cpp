// SPDX-License-Identifier: Apache-2.0
#include "ruby/inspect.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <utility>

#include "ruby/ruby.hpp"
#include "ruby/unicode.hpp"
#include "strata/scalar_text.hpp"
#include "value/growth_charge.hpp"

namespace strata::ruby {
namespace {

constexpr std::string_view kHex = "0123456789ABCDEF";

/// The letter of a two-character escape; 0 where there is none.
char escape_letter(char c) noexcept {
  switch (c) {
    case '\n':
      return 'n';
    case '\t':
      return 't';
    case '\r':
      return 'r';
    case '\f':
      return 'f';
    case '\v':
      return 'v';
    case '\b':
      return 'b';
    case '\a':
      return 'a';
    case '\x1B':
      return 'e';
    case '"':
    case '\\':
      return c;
    default:
      return 0;
  }
}

void append_hex(std::string& out, char32_t number, int digits) {
  for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4) out += kHex[number >> static_cast<unsigned>(shift) & 15U];
}

void append_byte_escape(std::string& out, char byte) {
  out += "\\x";
  append_hex(out, static_cast<unsigned char>(byte), 2);
}

void append_point_escape(std::string& out, char32_t point) {
  if (point <= 0xFFFF) {
    out += "\\u";
    return append_hex(out, point, 4);
  }
  out += "\\u{";
  append_hex(out, point, point <= 0xFFFFF ? 5 : 6);
  out += '}';
}

/// `#` before one of these would begin an interpolation.
bool begins_interpolation(std::string_view text, std::size_t at) noexcept {
  if (text[at] != '#' || at + 1 == text.size()) return false;
  const char next = text[at + 1];
  return next == '{' || next == '$' || next == '@';
}

/// A String literal. `unicode`: the text is UTF-8, else it is bytes.
void append_literal(std::string& out, std::string_view text, bool unicode) {
  out += '"';
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    const bool ascii = static_cast<unsigned char>(c) < 0x80;
    const Character character = ascii || unicode ? character_at(text, at) : Character{};
    if (const char letter = escape_letter(c); letter != 0) {
      out += '\\';
      out += letter;
    } else if (begins_interpolation(text, at)) {
      out += "\\#";
    } else if (character.length != 0 && is_printable(character.point)) {
      out += text.substr(at, character.length);
    } else if (character.length != 0 && unicode) {
      append_point_escape(out, character.point);
    } else {
      append_byte_escape(out, c);
    }
    at += character.length == 0 ? 1 : character.length;
  }
  out += '"';
}

}  // namespace

std::string float_text(double number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number > 0 ? "Infinity" : "-Infinity";
  // Sixteen digits before the point are written out only where there are more behind it.
  constexpr double kSixteenDigits = 1e15;
  const double size = std::fabs(number);
  if (size < kSixteenDigits || size >= 10 * kSixteenDigits || std::trunc(number) != number)
    return strata::float_text(number);
  std::array<char, 32> buffer{};
  const char* const end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, std::chars_format::scientific).ptr;
  std::string text(std::as_const(buffer).data(), end);
  if (text.find('.') == std::string::npos) text.insert(text.find('e'), ".0");
  return text;
}

namespace {

// Recursion: bounded by Limits::depth, which every maker of values keeps.
void append_node(std::string& out, const Value& value, Release release, detail::GrowthCharge& growth) {
  growth.look(out.size());
  switch (value.kind()) {
    case Kind::absent:
    case Kind::null:
      out += "nil";
      return;
    case Kind::floating:
      out += float_text(value.as_floating());
      return;
    case Kind::text:
      return append_literal(out, value.text(), true);
    case Kind::binary:
      return append_literal(out, value.text(), false);
    case Kind::sequence: {
      const char* separator = "[";
      for (const Value& item : value.items()) {
        out += separator;
        append_node(out, item, release, growth);
        separator = ", ";
      }
      out += value.size() == 0 ? "[]" : "]";
      return;
    }
    case Kind::mapping:
    case Kind::set: {
      const char* separator = "{";
      for (const Entry& entry : value.entries()) {
        out += separator;
        append_node(out, entry.key, release, growth);
        out += release == Release::ruby3 ? "=>" : " => ";
        append_node(out, entry.value, release, growth);
        separator = ", ";
      }
      out += value.size() == 0 ? "{}" : "}";
      return;
    }
    default:
      out += scalar_text(value);
      return;
  }
}

}  // namespace

void append_inspect(std::string& out, const Value& value, Release release) {
  detail::GrowthCharge growth(out.size());
  append_node(out, value, release, growth);
}

std::string inspect(const Value& value, Release release) {
  std::string out;
  append_inspect(out, value, release);
  return out;
}

}  // namespace strata::ruby
