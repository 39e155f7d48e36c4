// SPDX-License-Identifier: Apache-2.0
// One entry of `metadata.substitutions`: its source and destinations.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "deckhand/expressions.hpp"
#include "deckhand/path/expression.hpp"
#include "deckhand/path/rendering.hpp"
#include "strata/error.hpp"
#include "strata/merge.hpp"
#include "text/regex/regex.hpp"

namespace strata::deckhand {

/// Where a substitution writes.
struct Destination {
  Value path_text;  ///< As written, with its origin.
  const PathExpression* path;
  std::shared_ptr<const text::Regex> pattern;  ///< Null: write the value itself.
  std::optional<std::int64_t> depth;           ///< For `recurse`; -1: all levels.
};

/// A parsed entry. Its paths belong to the Expressions that it was parsed with.
struct Substitution {
  Value entry;              ///< With its origin.
  std::string_view schema;  ///< As the next, in the entry.
  std::string_view name;
  Value path_text;  ///< Of the source, as written, with its origin.
  const PathExpression* path =
      nullptr;  ///< Null if it is not a path. That is an error only if the data of the source are a mapping.
  std::shared_ptr<const text::Regex> pattern;
  std::int64_t group = 0;
  bool deepcopy = false;  ///< The destination shares no containers with the source.
  std::vector<Destination> destinations;
};

/// The context of a substitution: its documents, by name for messages, and the receiver of warnings.
struct Parties {
  std::string_view source;
  std::string_view destination;
  const Sources& sources;
  Diagnostics& diagnostics;
};

/// Parses an entry that has the right shape (checked elsewhere: `deckhand.document`). An empty pattern counts as none.
/// Errors, each at its place and naming both documents: `deckhand.substitution` (a member is missing or has another
/// kind), `deckhand.destination` (a path does not begin at the root), `deckhand.path-syntax`, `regex.syntax`,
/// `limit.regex`.
[[nodiscard]] Substitution parse_substitution(const Value& entry, const Parties& parties, Expressions& expressions);

/// The value that it takes from the data of its source: the first match of the path, or all data that are not a
/// mapping, cut by the pattern. Secret values stay secret. Errors, each naming both documents, the path and the
/// pattern: `deckhand.source-data` (missing or null), `deckhand.source-pattern` (a pattern for a value that is not
/// text, or an unknown group), and those of paths. Warning `deckhand.pattern-unmatched`: the whole text is taken.
[[nodiscard]] merge::Traced read_source(const Substitution& substitution, const merge::Traced& data,
                                        const Parties& parties, Rendering& rendering);

/// Prepares a value for writing. Its containers become shared by source and destinations, or with `deepcopy: true` by
/// the destinations only. `data` is the source's data, which may be replaced for that; `shares` says whether they
/// contain shared containers. Cost: the members of the value and of the containers on the way to it; with `deepcopy`,
/// all shared containers in it.
[[nodiscard]] merge::Traced share(const Substitution& substitution, const merge::Traced& value, merge::Traced& data,
                                  bool& shares, Rendering& rendering);

/// Writes a prepared value to each destination, in order. Each destination gets its own copy, one level deep.
/// Errors, each naming both documents, the path and the pattern: `deckhand.destination-pattern` (a pattern without a
/// text), `deckhand.template`, `deckhand.root` (0, false, an empty text or list as all data), `limit.result`, and those
/// of paths. Warnings `deckhand.pattern-unmatched` and `deckhand.recurse-unmatched`: nothing was changed. Cost: the
/// values written, and the texts that patterns search.
void write_destinations(const Substitution& substitution, merge::Accumulator& data, const merge::Traced& value,
                        const Parties& parties, Rendering& rendering);

}  // namespace strata::deckhand
