// SPDX-License-Identifier: Apache-2.0
// Which characters are the same to Python's module `re` where case does not count.
#pragma once

#include <vector>

namespace strata::text {

struct CharacterRange {
  char32_t first;
  char32_t last;
};

/// What a range of characters of a pattern matches where case does not count: the range itself, then all others that
/// are the same as one in it, in order and joined to ranges. `ascii`: only ASCII letters have cases. That is what
/// Python 3.11 gives, for all characters. Cost: linear in the characters with cases that are in the range.
[[nodiscard]] std::vector<CharacterRange> in_any_case(CharacterRange range, bool ascii);

}  // namespace strata::text
