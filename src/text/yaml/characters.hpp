// SPDX-License-Identifier: Apache-2.0
// Which characters YamlScanner takes, and searches for the next one of a few: the JSON reader has one, too.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace strata::text::yaml_characters {

/// Eight bytes, on every processor. A mask has the highest bit of each byte that is meant.
class WordBlock {
 public:
  static constexpr std::size_t kSize = 8;
  using Mask = std::uint64_t;

  explicit WordBlock(const char* bytes) {
    std::memcpy(&word_, bytes, kSize);
    if constexpr (std::endian::native == std::endian::big) word_ = swapped(word_);
  }
  [[nodiscard]] Mask equal(char c) const { return zeros(word_ ^ (kOnes * static_cast<unsigned char>(c))); }
  [[nodiscard]] Mask other(char c) const { return ~equal(c) & kHigh; }
  /// Bytes that are neither printable ASCII characters nor tabs nor line feeds.
  [[nodiscard]] Mask unusual() const {
    return (control() & ~equal('\t') & ~equal('\n')) | equal('\x7F') | (word_ & kHigh);
  }
  /// Bytes below the blank.
  [[nodiscard]] Mask control() const { return ~((word_ & kLow) + kOnes * 0x60) & ~word_ & kHigh; }
  static std::size_t first(Mask mask) { return static_cast<std::size_t>(std::countr_zero(mask)) / 8; }

 private:
  static constexpr std::uint64_t kOnes = 0x0101010101010101ULL;
  static constexpr std::uint64_t kLow = 0x7F7F7F7F7F7F7F7FULL;
  static constexpr std::uint64_t kHigh = 0x8080808080808080ULL;

  static constexpr Mask zeros(std::uint64_t word) { return ~(((word & kLow) + kLow) | word) & kHigh; }
  static constexpr std::uint64_t swapped(std::uint64_t word) {
    std::uint64_t result = 0;
    for (int i = 0; i < 8; ++i, word >>= 8U) result = result << 8U | (word & 0xFFU);
    return result;
  }

  std::uint64_t word_ = 0;
};

#if defined(__SSE2__)
/// Sixteen bytes. A mask has a bit for each byte.
class Sse2Block {
 public:
  static constexpr std::size_t kSize = 16;
  using Mask = unsigned;

  explicit Sse2Block(const char* bytes) : bytes_(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes))) {}
  [[nodiscard]] Mask equal(char c) const { return mask(_mm_cmpeq_epi8(bytes_, _mm_set1_epi8(c))); }
  [[nodiscard]] Mask other(char c) const { return equal(c) ^ 0xFFFFU; }
  [[nodiscard]] Mask unusual() const {
    // As signed numbers, bytes from 0x80 on are below the blank, too.
    return (mask(_mm_cmplt_epi8(bytes_, _mm_set1_epi8(' '))) & ~equal('\t') & ~equal('\n')) | equal('\x7F');
  }
  [[nodiscard]] Mask control() const {
    return mask(_mm_cmpeq_epi8(_mm_min_epu8(bytes_, _mm_set1_epi8('\x1F')), bytes_));
  }
  static std::size_t first(Mask mask) { return static_cast<std::size_t>(std::countr_zero(mask)); }

 private:
  static Mask mask(__m128i bytes) { return static_cast<Mask>(_mm_movemask_epi8(bytes)); }

  __m128i bytes_;
};
using Block = Sse2Block;
#elif defined(__aarch64__)
/// Sixteen bytes. A mask has four bits for each byte.
class NeonBlock {
 public:
  static constexpr std::size_t kSize = 16;
  using Mask = std::uint64_t;

  explicit NeonBlock(const char* bytes) : bytes_(vld1q_u8(reinterpret_cast<const std::uint8_t*>(bytes))) {}
  [[nodiscard]] Mask equal(char c) const { return mask(vceqq_u8(bytes_, vdupq_n_u8(static_cast<std::uint8_t>(c)))); }
  [[nodiscard]] Mask other(char c) const { return ~equal(c); }
  [[nodiscard]] Mask unusual() const {
    const uint8x16_t outside = vorrq_u8(vcltq_u8(bytes_, vdupq_n_u8(' ')), vcgeq_u8(bytes_, vdupq_n_u8(0x7F)));
    return mask(outside) & ~equal('\t') & ~equal('\n');
  }
  [[nodiscard]] Mask control() const { return mask(vcltq_u8(bytes_, vdupq_n_u8(' '))); }
  static std::size_t first(Mask mask) { return static_cast<std::size_t>(std::countr_zero(mask)) / 4; }

 private:
  static Mask mask(uint8x16_t bytes) {
    return vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(bytes), 4)), 0);
  }

  uint8x16_t bytes_;
};
using Block = NeonBlock;
#else
using Block = WordBlock;
#endif

/// The first of [from, end) that is one of `wanted`; `end` if there is none. Reads nothing at or behind `end`.
template <class Bytes, char... wanted>
const char* find_first_by(const char* from, const char* end) {
  while (static_cast<std::size_t>(end - from) >= Bytes::kSize) {
    const Bytes block(from);
    if (const typename Bytes::Mask found = (block.equal(wanted) | ...); found != 0) return from + Bytes::first(found);
    from += Bytes::kSize;
  }
  while (from != end && ((*from != wanted) && ...)) ++from;
  return from;
}

template <char... wanted>
const char* find_first(const char* from, const char* end) {
  return find_first_by<Block, wanted...>(from, end);
}

/// The first of [from, end) that is not `passed`; `end` if there is none. Reads nothing at or behind `end`.
template <class Bytes, char passed>
const char* find_other_by(const char* from, const char* end) {
  while (static_cast<std::size_t>(end - from) >= Bytes::kSize) {
    if (const typename Bytes::Mask other = Bytes(from).other(passed); other != 0) return from + Bytes::first(other);
    from += Bytes::kSize;
  }
  while (from != end && *from == passed) ++from;
  return from;
}

template <char passed>
const char* find_other(const char* from, const char* end) {
  return find_other_by<Block, passed>(from, end);
}

/// The first of [from, end) that does not stand for itself in a string of JSON: a quote, a backslash, a control
/// character. `end` if there is none. Reads nothing at or behind `end`.
template <class Bytes>
const char* find_end_of_literal_by(const char* from, const char* end) {
  while (static_cast<std::size_t>(end - from) >= Bytes::kSize) {
    const Bytes block(from);
    if (const typename Bytes::Mask found = block.equal('"') | block.equal('\\') | block.control(); found != 0)
      return from + Bytes::first(found);
    from += Bytes::kSize;
  }
  while (from != end && *from != '"' && *from != '\\' && static_cast<unsigned char>(*from) >= 0x20) ++from;
  return from;
}

inline const char* find_end_of_literal(const char* from, const char* end) {
  return find_end_of_literal_by<Block>(from, end);
}

/// Whether a text is valid UTF-8 without control characters (but tab and line feed), other line breaks (carriage
/// return, U+0085, U+2028, U+2029), byte order marks, U+FFFE and U+FFFF. libyaml rejects some of these characters, and
/// reads others in a way of their own.
[[nodiscard]] bool are_usual(std::string_view text);
/// The same by words, on every processor.
[[nodiscard]] bool are_usual_by_words(std::string_view text);

}  // namespace strata::text::yaml_characters
