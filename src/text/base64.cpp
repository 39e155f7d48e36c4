// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdint>

#include "strata/text.hpp"

namespace strata::text {
namespace {

constexpr std::uint8_t kOutside = 64;

constexpr std::array<std::uint8_t, 256> make_table() {
  std::array<std::uint8_t, 256> table{};
  table.fill(kOutside);
  constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (std::size_t i = 0; i < kAlphabet.size(); ++i)
    table[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::uint8_t>(i);
  return table;
}
constexpr std::array<std::uint8_t, 256> kTable = make_table();

}  // namespace

// Rule: binascii.a2b_base64 of Python 3.11 without strict mode. Padding counts only where a group has at least two
// characters; once it completes the group, the rest of the text is not looked at. Padding elsewhere is skipped as any
// character outside the alphabet is.
std::optional<std::string> decode_base64(std::string_view text) {
  std::string out;
  out.reserve((text.size() + 3) / 4 * 3);
  unsigned taken = 0;  // Characters of the current group.
  unsigned pads = 0;
  std::uint32_t left = 0;  // Bits of the group that are not in `out` yet.
  for (const char c : text) {
    if (c == '=') {
      if (taken >= 2 && taken + ++pads >= 4) return out;
      continue;
    }
    const std::uint32_t bits = kTable[static_cast<unsigned char>(c)];
    if (bits == kOutside) continue;
    pads = 0;
    switch (taken) {
      case 0:
        left = bits;
        break;
      case 1:
        out += static_cast<char>(left << 2U | bits >> 4U);
        left = bits & 15U;
        break;
      case 2:
        out += static_cast<char>(left << 4U | bits >> 2U);
        left = bits & 3U;
        break;
      default:
        out += static_cast<char>(left << 6U | bits);
        break;
    }
    taken = (taken + 1) % 4;
  }
  if (taken != 0) return std::nullopt;
  return out;
}

}  // namespace strata::text
