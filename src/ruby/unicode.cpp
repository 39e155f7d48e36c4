// SPDX-License-Identifier: Apache-2.0
#include "ruby/unicode.hpp"

#include <algorithm>

#include "strata/text.hpp"
#include "text/unicode/properties.hpp"

namespace strata::ruby {
namespace {

using text::unicode::Category;

Category category(char32_t point) noexcept { return text::unicode::category(point, text::unicode::Version::v13); }

}  // namespace

Character character_at(std::string_view text, std::size_t at) noexcept {
  const auto byte = [text](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(text[i])); };
  const char32_t lead = byte(at);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (text.size() - at < length || text::find_invalid_utf8(text.substr(at, length)) != std::string_view::npos)
    return {lead, 0};
  char32_t point = lead & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) point = point << 6U | (byte(at + i) & 0x3FU);
  return {point, length};
}

bool is_ascii(std::string_view text) noexcept {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

bool is_printable(char32_t point) noexcept {
  constexpr char32_t kNextLine = 0x85;
  switch (category(point)) {
    case Category::Cc:
      return point ==
             kNextLine;  // Ruby's tables call the one control character beyond ASCII's that ends a line a graph.
    case Category::Cn:
    case Category::Cs:
    case Category::Zl:
    case Category::Zp:
      return false;
    default:
      return true;
  }
}

bool is_word(char32_t point) noexcept {
  const Category found = category(point);
  if (text::unicode::is_letter(found) || text::unicode::is_mark(found)) return true;
  if (found == Category::Nd || found == Category::Nl || found == Category::Pc) return true;
  // Letters in circles and squares, which are symbols.
  const auto in = [point](char32_t first, char32_t last) { return point >= first && point <= last; };
  return in(0x24B6, 0x24E9) || in(0x1F130, 0x1F149) || in(0x1F150, 0x1F169) || in(0x1F170, 0x1F189);
}

}  // namespace strata::ruby
