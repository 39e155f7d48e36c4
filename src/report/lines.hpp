// SPDX-License-Identifier: Apache-2.0
// How reports write values and places: in lines for people, and as members for programs.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "strata/builder.hpp"
#include "strata/report.hpp"
#include "strata/shown_text.hpp"

namespace strata::report {

using strata::on_one_line;

/// Inserts `file`, `part`, `line`, `column` and `via` of a place; what is not known is null or, for `part` and `via`,
/// left out.
void insert_place(Arena& arena, MappingBuilder& row, const Place& place);
/// A value as compact JSON, with stars for what is secret.
[[nodiscard]] std::string one_line(const Value& value, bool sort_keys = false);
/// Columns that a terminal needs: code points, which is near enough for names of files.
[[nodiscard]] std::size_t width(std::string_view text);
/// The first code points of a text.
[[nodiscard]] std::string_view first_points(std::string_view text, std::size_t points);
/// A line, on one line, cut if the layout asks for it.
[[nodiscard]] std::string fitted(std::string line, const Layout& layout);
/// A JSON Pointer, and `(root)` for the empty one.
[[nodiscard]] std::string shown_path(const std::string& pointer);
/// A line for each contribution, in columns. `tells_loss`: with the reason why it is not in the result.
[[nodiscard]] std::string contribution_lines(const Sources& sources, const merge::History& history,
                                             std::span<const merge::Contribution> contributions, const Layout& layout,
                                             bool tells_loss = false);

}  // namespace strata::report
