// SPDX-License-Identifier: Apache-2.0
// Writes and deletes at paths.
#pragma once

#include <string>
#include <string_view>

#include "deckhand/path/expression.hpp"
#include "deckhand/path/rendering.hpp"
#include "strata/merge.hpp"

namespace strata::deckhand {

/// Writes `value` to all matches of a path. If there are none, it creates the place first. At the root, `value`
/// replaces all data.
///
/// Quirks of the reference, kept: a list that is written to an item (`.x[0]`, `.x[*]`) gives each place its next item.
/// To create places, the text of the path is split at every dot: `name[n]` makes a list of empty mappings up to n, any
/// other text is a key, without the quotes around it. Texts that cannot make a place (`.a.'b.c'`, `.x[0][1]`, `.x[-1]`)
/// are errors. Difference: a value that would contain itself (`..k`, written with a mapping that has a `k`) is an
/// error, and so is a value that would silently not be written. Errors: `deckhand.path-write`, with the obstacle;
/// `deckhand.path-lookup`; `limit.result`, `limit.depth`, `limit.steps`; `deckhand.shared-cycle`. After an Error the
/// data may be partly written. Cost: the places and the nodes of the value. The value is not copied, unless it is
/// written to several places: these all hold the same copy, one level deep.
void write(merge::Accumulator& data, const PathExpression& path, const merge::Traced& value, Rendering& rendering);

/// The deleted place and, in `shipped`, the place that the reference would have deleted instead.
struct Erased {
  Match match;
  std::optional<Match>
      shipped;  ///< No value if it is the same place, or if the search was given up: large data, many deletions.
};

/// Deletes the first match of a path. At the root, the data become an empty mapping. No value if there is no match or
/// it is null. `shipped`: as the reference does. It searches depth first for a value that is equal to the match (1, 1.0
/// and true are equal) and deletes that; `$` deletes nothing, only `.` does. `by` says what deleted the value.
[[nodiscard]] std::optional<Erased> erase(merge::Accumulator& data, const PathExpression& path, const merge::Traced& by,
                                          Compat compat, Rendering& rendering);

/// The path of an action in the form that `PathExpression::parse` reads: without a leading `.data` or `$.data`, which
/// names the data itself, and with the leading dot that may be omitted. `shipped`: the prefix is removed whatever
/// follows, so that `.database` is `.base`.
[[nodiscard]] std::string action_path(std::string_view text, Compat compat);

/// Whether a text can be the path of a destination: `.`, `$`, or a text that begins with `.` or `$.`.
[[nodiscard]] bool is_destination(std::string_view text) noexcept;

}  // namespace strata::deckhand
