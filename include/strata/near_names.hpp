// SPDX-License-Identifier: Apache-2.0
// Finds the most similar known name, for "did you mean".
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace strata {

/// The code points of a text. Bytes that are not UTF-8 stand for themselves.
[[nodiscard]] std::u32string code_points(std::string_view text);

/// The number of insertions, removals, replacements and swaps of neighbours (code points) between two names, ignoring
/// the case of ASCII letters. Cost: the product of their sizes.
[[nodiscard]] std::size_t edit_distance(std::string_view left, std::string_view right);
[[nodiscard]] std::size_t edit_distance(std::u32string_view left, std::u32string_view right);

/// The most similar candidate. Empty if none is similar, or if `wanted` is too long to be a typing error.
[[nodiscard]] std::string_view nearest_name(std::span<const std::string_view> candidates, std::string_view wanted);

/// The hint for an unknown name: `did you mean 'x'?`, or `otherwise` if no candidate is similar.
[[nodiscard]] std::string name_hint(std::span<const std::string_view> candidates, std::string_view wanted,
                                    std::string otherwise = {});

}  // namespace strata
