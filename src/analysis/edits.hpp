// SPDX-License-Identifier: Apache-2.0
// Parts of what differs between two texts.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "strata/analysis.hpp"

namespace strata::analysis {

/// The number of lines of a text. A line ends at `\n`; the last one may lack it.
[[nodiscard]] std::size_t count_lines(std::string_view text);
/// An edit of a file as a whole, of so many lines.
[[nodiscard]] Edit whole_edit(std::string file, std::size_t before, std::size_t after);
/// `text` with lines of its own replaced by lines of another text. Lines count from 1.
[[nodiscard]] std::string with_edit(std::string_view text, std::size_t line, std::size_t lines, std::string_view other,
                                    std::size_t other_line, std::size_t other_lines);

}  // namespace strata::analysis
