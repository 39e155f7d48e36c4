// One entry of `metadata.substitutions`: what it reads, and where it writes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "deckhand/path/expression.hpp"
#include "deckhand/path/rendering.hpp"
#include "strata/error.hpp"
#include "strata/merge.hpp"
#include "text/regex/regex.hpp"

namespace strata::deckhand {

/// Where a substitution writes.
struct Destination {
  Value path_text;  ///< As written, with its origin.
  PathExpression path;
  std::shared_ptr<const text::Regex> pattern;  ///< Null: the value itself is written.
  std::optional<std::int64_t> depth;           ///< Of `recurse`; -1: all levels.
};

/// An entry, read.
struct Substitution {
  Value entry;  ///< With its origin.
  std::string schema;
  std::string name;
  Value path_text;                     ///< Of the source, as written, with its origin.
  std::optional<PathExpression> path;  ///< None where it is not a path: an error only where the data of the source is a mapping.
  std::shared_ptr<const text::Regex> pattern;
  std::int64_t group = 0;
  bool deepcopy = false;  ///< The destination shares no container with the source.
  std::vector<Destination> destinations;
};

/// What a substitution tells of: who takes part, and where warnings go. The names are those of documents, for messages.
struct Parties {
  std::string_view source;
  std::string_view destination;
  const Sources& sources;
  Diagnostics& diagnostics;
};

/// Reads an entry that has the right shape (`deckhand.document` is somebody else's). An empty pattern is none.
/// Errors, each at its place: `deckhand.substitution` (a member is missing or of another kind), `deckhand.destination` (a path that does not begin at
/// the root), `deckhand.path-syntax`, `regex.syntax`, `limit.regex`.
[[nodiscard]] Substitution parse_substitution(const Value& entry, const Sources& sources);

/// What it takes from the data of its source: the first match of the path, or all of what is no mapping, cut by the pattern. What is secret stays so.
/// Errors, each naming both documents, the path and the pattern: `deckhand.source-data` (missing or null), `deckhand.source-pattern` (a pattern on
/// what is no text, a group that there is not), and those of paths. Warning `deckhand.pattern-unmatched`: then all of the text is taken.
[[nodiscard]] merge::Traced read_source(const Substitution& substitution, const merge::Traced& data, const Parties& parties, Rendering& rendering);

/// A value that was read, ready to be written: the containers that it holds become shared ones of the source and the destinations, unless the entry
/// says `deepcopy: true`; then, of the destinations alone. `data` and `shares` are of the source: its data, which may be made anew for that, and
/// whether there are shared containers in them. Cost: the members of the value and of what leads to it, with `deepcopy` all that is shared in it.
[[nodiscard]] merge::Traced share(const Substitution& substitution, const merge::Traced& value, merge::Traced& data, bool& shares,
                                  Rendering& rendering);

/// Writes a value that is ready to each destination, in order: each gets a copy of its own, one level deep.
/// Errors, each naming both documents, the path and the pattern: `deckhand.destination-pattern` (a pattern where there is no text),
/// `deckhand.template`, `deckhand.root` (0, false, an empty text or list as all of the data), `limit.result`, and those of paths. Warnings
/// `deckhand.pattern-unmatched`, `deckhand.recurse-unmatched`: nothing was changed.
/// Cost: the values that are written, and what patterns are searched in.
void write_destinations(const Substitution& substitution, merge::Accumulator& data, const merge::Traced& value, const Parties& parties,
                        Rendering& rendering);

}  // namespace strata::deckhand
