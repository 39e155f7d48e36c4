// SPDX-License-Identifier: Apache-2.0
// One copy of each distinct key of a group of documents.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "strata/value.hpp"

namespace strata::detail {

/// Keys by their text. Keys live in the arena that they were made in, which must outlive the pool's use. Cost of a
/// known key: its hash and a comparison.
class KeyPool {
 public:
  /// The key with this text, made in `arena` if there is none yet.
  [[nodiscard]] Value key(Arena& arena, std::string_view text);
  /// The same for a text that is already a key; its origin and secret mark are kept.
  [[nodiscard]] Value key(Arena& arena, const Value& text);

 private:
  struct Slot {
    std::uint32_t hash = 0;  ///< 0: free.
    Value key;
  };

  [[nodiscard]] Value find_or_make(Arena& arena, std::string_view text, std::uint32_t hash);
  void grow();

  std::vector<Slot> slots_;  ///< Open addressing; a power of two, at most half full.
  std::size_t size_ = 0;
};

}  // namespace strata::detail
