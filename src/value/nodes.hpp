// The nodes behind a Value. Only src/value/ knows them.
#pragma once

#include <cstdint>
#include <string_view>

#include "strata/value.hpp"

namespace strata::detail {

/// Characters with their length and, for keys, their hash (0: not computed).
struct Text {
  std::uint32_t size;
  std::uint32_t hash;
  [[nodiscard]] const char* data() const noexcept { return reinterpret_cast<const char*>(this + 1); }
  [[nodiscard]] char* data() noexcept { return reinterpret_cast<char*>(this + 1); }
  [[nodiscard]] std::string_view view() const noexcept { return {data(), size}; }
};

/// Items with room on both sides, so that both ends grow in amortised O(1).
struct Sequence {
  Value* items;  ///< The first item.
  std::uint32_t size;
  std::uint32_t front;  ///< Free slots before `items`.
  std::uint32_t back;   ///< Free slots after the last item.
  const void* owner;
};

/// Entries in order and, once there are many, a hash index over them (open addressing; a slot holds a position + 1).
struct Mapping {
  Entry* entries;
  std::uint32_t* index;
  std::uint32_t size;
  std::uint32_t capacity;
  std::uint32_t index_mask;
  KeyEquality equality;
  const void* owner;

  static constexpr std::uint32_t kIndexed = 12;  ///< From so many entries on there is an index.

  /// Position of a key, or npos; `hash` is that of `key`.
  [[nodiscard]] std::size_t find(const Value& key, std::uint32_t hash) const noexcept;
  [[nodiscard]] static std::uint16_t tag(std::uint32_t hash) noexcept { return static_cast<std::uint16_t>(hash >> 16U); }
  static void set_tag(Value& key, std::uint32_t hash) noexcept { key.tag_ = tag(hash); }
  [[nodiscard]] static std::uint16_t tag(const Value& key) noexcept { return key.tag_; }
  /// The hash that a text born as a key carries; 0 for other texts.
  [[nodiscard]] static std::uint32_t kept_hash(const Value& text) noexcept { return text.payload_.text->hash; }
};

/// Hash of a key under both equalities: numbers and booleans of the same amount have the same hash.
[[nodiscard]] std::uint32_t hash_key(const Value& key) noexcept;
[[nodiscard]] std::uint32_t hash_text(std::string_view text) noexcept;
[[nodiscard]] bool same_key(const Value& left, const Value& right, KeyEquality equality) noexcept;

}  // namespace strata::detail
