// For "did you mean": the name that is nearest to one that is not known.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace strata {

/// Insertions, removals, replacements and swaps of neighbours that make one name of the other; case does not count. Cost: product of the sizes.
[[nodiscard]] std::size_t edit_distance(std::string_view left, std::string_view right);

/// The candidate nearest to `wanted`; empty where none is near, or `wanted` is too long to be mistyped.
[[nodiscard]] std::string_view nearest_name(std::span<const std::string_view> candidates, std::string_view wanted);

}  // namespace strata
