// Writing and deleting by paths.
#pragma once

#include <string>
#include <string_view>

#include "deckhand/path/expression.hpp"
#include "deckhand/path/rendering.hpp"
#include "strata/merge.hpp"

namespace strata::deckhand {

/// Writes `value` to every place that the path leads to; where it leads nowhere, the place is made first. At the root it becomes all of the data.
///
/// Quirks of the reference, kept: a list written to an item (`.x[0]`, `.x[*]`) gives each place its next item. Places are made by the text of the
/// path, cut at every dot: `name[n]` makes a list of empty mappings up to n, everything else a key, without the quotes around it; what such a text
/// cannot make (`.a.'b.c'`, `.x[0][1]`, `.x[-1]`) is an error.
/// Differs: what would hold itself (`..k` written with a mapping that has a `k`) and what would be written nowhere without a word is an error.
/// Errors: `deckhand.path-write`, naming what stands in the way; `deckhand.path-lookup`; `limit.result`, `limit.depth`, `limit.steps`. The data may
/// be half written then; `deckhand.shared-cycle`. Cost: the places and the nodes of the value, which is taken as it is and not copied, but for one
/// that goes to several places: all of them hold the same copy, one level deep.
void write(merge::Accumulator& data, const PathExpression& path, const merge::Traced& value, Rendering& rendering);

/// What was deleted and, unless `shipped`, where the reference would have deleted something else.
struct Erased {
  Match match;
  std::optional<Match> shipped;  ///< None where it is the same place, and where the search was given up: large data, many deletions.
};

/// Deletes the first place that the path leads to; at the root the data becomes an empty mapping. None where there is none, or null.
/// `shipped`: as the reference does, which looks for the first value that is equal to what it found, depth first, and deletes that (1, 1.0 and true
/// are equal); and `$` deletes nothing, only `.` does. `by` tells who did.
[[nodiscard]] std::optional<Erased> erase(merge::Accumulator& data, const PathExpression& path, const merge::Traced& by, Compat compat,
                                          Rendering& rendering);

/// The path of an action as one that `PathExpression::parse` reads: without a leading `.data` or `$.data`, which names the data itself, and with the
/// leading dot that may be left out. `shipped`: the prefix is cut off whatever follows, so that `.database` is `.base`.
[[nodiscard]] std::string action_path(std::string_view text, Compat compat);

/// Whether a text may be the path of a destination: `.`, `$`, or what begins with `.` or `$.`.
[[nodiscard]] bool is_destination(std::string_view text) noexcept;

}  // namespace strata::deckhand
