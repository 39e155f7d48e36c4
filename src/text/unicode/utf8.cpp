// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "strata/text.hpp"
#include "text/unicode/valid_utf8.hpp"

namespace strata::text {
namespace {

/// Length of the character at `offset`; 0 where there is no valid one (overlong forms, surrogates and what is above
/// U+10FFFF are not).
std::size_t character_length(std::string_view text, std::size_t offset) noexcept {
  const auto byte = [text](std::size_t i) -> unsigned {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
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

/// Where in a text the automaton below is: between two characters, before that many more bytes from 80 to BF, or behind
/// a first byte that narrows the second. Each state is the number of its bits in a row.
enum Utf8State : std::uint64_t {
  kBetween = 0,
  kWrong = 6,
  kTail1 = 12,
  kTail2 = 18,
  kTail3 = 24,
  kE0 = 30,
  kED = 36,
  kF0 = 42,
  kF4 = 48
};

constexpr std::uint64_t state_after(Utf8State state, unsigned byte) noexcept {
  const auto in = [byte](unsigned first, unsigned last) { return byte >= first && byte <= last; };
  switch (state) {
    case kBetween:
      if (byte < 0x80) return kBetween;
      if (in(0xC2, 0xDF)) return kTail1;
      if (byte == 0xE0) return kE0;
      if (byte == 0xED) return kED;
      if (in(0xE1, 0xEF)) return kTail2;
      if (byte == 0xF0) return kF0;
      if (in(0xF1, 0xF3)) return kTail3;
      return byte == 0xF4 ? kF4 : kWrong;
    case kTail1:
      return in(0x80, 0xBF) ? kBetween : kWrong;
    case kTail2:
      return in(0x80, 0xBF) ? kTail1 : kWrong;
    case kTail3:
      return in(0x80, 0xBF) ? kTail2 : kWrong;
    case kE0:
      return in(0xA0, 0xBF) ? kTail1 : kWrong;
    case kED:
      return in(0x80, 0x9F) ? kTail1 : kWrong;
    case kF0:
      return in(0x90, 0xBF) ? kTail2 : kWrong;
    case kF4:
      return in(0x80, 0x8F) ? kTail2 : kWrong;
    default:
      return kWrong;
  }
}

/// For each byte, a row with the state after each state: a step of the automaton is one shift, whatever the byte.
constexpr std::array<std::uint64_t, 256> kUtf8Rows = [] {
  std::array<std::uint64_t, 256> rows{};
  for (unsigned byte = 0; byte < rows.size(); ++byte) {
    for (const Utf8State state : {kBetween, kWrong, kTail1, kTail2, kTail3, kE0, kED, kF0, kF4})
      rows[byte] |= state_after(state, byte) << state;
  }
  return rows;
}();

bool is_utf8(std::string_view text) noexcept {
  constexpr std::uint64_t kBits = 63;
  std::uint64_t state = kBetween;
  std::size_t offset = 0;
  while (offset < text.size()) {
    if ((state & kBits) == kBetween) offset = skip_ascii(text, offset);
    // Sixteen, whatever they are: characters beyond ASCII seldom stand alone.
    const std::size_t end = std::min(text.size(), offset + 16);
    for (; offset < end; ++offset) state = kUtf8Rows[static_cast<unsigned char>(text[offset])] >> (state & kBits);
  }
  return (state & kBits) == kBetween;
}

}  // namespace

std::size_t find_invalid_utf8(std::string_view text) noexcept {
  std::size_t offset = skip_ascii(text, 0);
  if (offset == text.size()) return std::string_view::npos;
  // From here on it pays to ask whether, before where.
  constexpr std::size_t kWorthwhile = 128;
  if (text.size() - offset >= kWorthwhile && is_utf8(text.substr(offset))) return std::string_view::npos;
  while (offset < text.size()) {
    const std::size_t length = character_length(text, offset);
    if (length == 0) return offset;
    offset = skip_ascii(text, offset + length);
  }
  return std::string_view::npos;
}

std::string unicode::with_replacements(std::string_view text) {
  std::string out;
  for (std::size_t bad = 0; (bad = find_invalid_utf8(text)) != std::string_view::npos; text.remove_prefix(bad + 1)) {
    out += text.substr(0, bad);
    out += "\xEF\xBF\xBD";
  }
  out += text;
  return out;
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
