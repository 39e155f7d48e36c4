// SPDX-License-Identifier: Apache-2.0
#include "text/yaml/characters.hpp"

namespace strata::text::yaml_characters {
namespace {

/// Length of the character beyond ASCII at `at`; 0 if it is not valid or not usual.
std::size_t usual_length(const char* at, const char* end) {
  const std::size_t left = static_cast<std::size_t>(end - at);
  const auto byte = [at, left](std::size_t i) -> unsigned { return i < left ? static_cast<unsigned char>(at[i]) : 0U; };
  const auto continues = [&byte](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const unsigned lead = byte(0);
  const unsigned second = byte(1);
  const unsigned third = byte(2);
  if (lead < 0xC2 || lead > 0xF4 || !continues(1)) return 0;
  if (lead < 0xE0) return lead == 0xC2 && second < 0xA0 ? 0 : 2;  // Controls from U+0080 on.
  if (!continues(2)) return 0;
  if (lead < 0xF0) {
    if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second >= 0xA0)) return 0;
    if (lead == 0xE2 && second == 0x80 && (third == 0xA8 || third == 0xA9)) return 0;
    if (lead == 0xEF && ((second == 0xBB && third == 0xBF) || (second == 0xBF && third >= 0xBE))) return 0;
    return 3;
  }
  if ((lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second >= 0x90) || !continues(3)) return 0;
  return 4;
}

template <class Bytes>
bool check_characters(std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    if (static_cast<std::size_t>(end - at) >= Bytes::kSize) {
      const typename Bytes::Mask unusual = Bytes(at).unusual();
      at += unusual == 0 ? Bytes::kSize : Bytes::first(unusual);
      if (unusual == 0) continue;
    }
    // One after the other: the last bytes, and characters beyond ASCII, which seldom stand alone.
    do {
      const auto byte = static_cast<unsigned char>(*at);
      if (byte >= 0x80) {
        const std::size_t length = usual_length(at, end);
        if (length == 0) return false;
        at += length;
      } else {
        if (byte == 0x7F || (byte < 0x20 && byte != '\t' && byte != '\n')) return false;
        ++at;
      }
    } while (at != end &&
             (static_cast<unsigned char>(*at) >= 0x80 || static_cast<std::size_t>(end - at) < Bytes::kSize));
  }
  return true;
}

}  // namespace

bool are_usual(std::string_view text) { return check_characters<Block>(text); }

bool are_usual_by_words(std::string_view text) { return check_characters<WordBlock>(text); }

}  // namespace strata::text::yaml_characters
