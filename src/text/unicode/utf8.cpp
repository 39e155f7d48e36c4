#include <simdjson.h>

#include <cstdint>
#include <cstring>

#include "strata/text.hpp"

namespace strata::text {
namespace {

/// Length of the character at `offset`; 0 where there is no valid one (overlong forms, surrogates and what is above U+10FFFF are not).
std::size_t character_length(std::string_view text, std::size_t offset) noexcept {
  const auto byte = [text](std::size_t i) -> unsigned { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const auto continues = [&byte](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const unsigned lead = byte(offset);
  const unsigned second = byte(offset + 1);
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4 || !continues(offset + 1)) return 0;
  if (lead < 0xE0) return 2;
  if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second >= 0xA0) || !continues(offset + 2)) return 0;
  if (lead < 0xF0) return 3;
  if ((lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second >= 0x90) || !continues(offset + 3)) return 0;
  return 4;
}

std::size_t skip_ascii(std::string_view text, std::size_t offset) noexcept {
  for (; text.size() - offset >= 8; offset += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + offset, 8);
    if ((word & 0x8080808080808080ULL) != 0) break;
  }
  while (offset < text.size() && static_cast<unsigned char>(text[offset]) < 0x80) ++offset;
  return offset;
}

}  // namespace

std::size_t find_invalid_utf8(std::string_view text) noexcept {
  std::size_t offset = skip_ascii(text, 0);
  if (offset == text.size()) return std::string_view::npos;
  // From here on it pays to ask simdjson, which says whether, but not where.
  constexpr std::size_t kWorthwhile = 128;
  if (text.size() - offset >= kWorthwhile && simdjson::validate_utf8(text.data() + offset, text.size() - offset)) return std::string_view::npos;
  while (offset < text.size()) {
    const std::size_t length = character_length(text, offset);
    if (length == 0) return offset;
    offset = skip_ascii(text, offset + length);
  }
  return std::string_view::npos;
}

void append_utf8(std::string& out, char32_t code) {
  const auto put = [&out](char32_t byte) { out += static_cast<char>(byte); };
  const auto tail = [&put, code](unsigned shift) { put(0x80U | (code >> shift & 0x3FU)); };
  if (code < 0x80) return put(code);
  if (code < 0x800) {
    put(0xC0U | code >> 6U);
  } else {
    if (code < 0x10000) {
      put(0xE0U | code >> 12U);
    } else {
      put(0xF0U | code >> 18U);
      tail(12);
    }
    tail(6);
  }
  tail(0);
}

}  // namespace strata::text
