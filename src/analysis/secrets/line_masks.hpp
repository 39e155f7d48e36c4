// SPDX-License-Identifier: Apache-2.0
// Texts that hide parts of their lines.
#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace strata::analysis {

/// Where a value, or the key of a member, begins in a text: line and column from 1, as in a Place.
struct TextPlace {
  std::size_t line = 1;
  std::size_t column = 1;
  auto operator<=>(const TextPlace&) const = default;
};

/// `text` without the values that begin at places: what follows in their lines, and the deeper lines behind them. For
/// texts that no reader reads.
[[nodiscard]] std::string without_values(std::string_view text, std::span<const TextPlace> places);
/// What two texts both show of the one that they hide parts of, line by line.
[[nodiscard]] std::string shown_by_both(std::string_view text, std::string_view left, std::string_view right);
/// The lines, from 1, of a text that `shown`, which hides parts of it, does not show as they are.
[[nodiscard]] std::set<std::size_t> hidden_lines(std::string_view text, std::string_view shown);
/// The offset of a column, from 1, in a line.
[[nodiscard]] std::size_t offset_of_column(std::string_view line, std::size_t column);

}  // namespace strata::analysis
