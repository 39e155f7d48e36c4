// What people and programs are told of a result beside it: blame and explain. Secret values are shown as `******`.
#pragma once

#include <string>
#include <vector>

#include "strata/merge.hpp"
#include "strata/origin.hpp"
#include "strata/text.hpp"

namespace strata::report {

/// What stands in reports instead of a secret value.
inline constexpr std::string_view kMask = "******";

/// Whether any part of a value is secret.
[[nodiscard]] bool holds_secret(const Value& value);
/// The value as reports may show it: stars where it is secret.
[[nodiscard]] Value masked(Arena& arena, const Value& value);

/// The place of a leaf; `via`: a container above it that was reached through an alias, or nowhere.
[[nodiscard]] Place leaf_place(const Sources& sources, Origin origin, Origin via);

/// How texts for people are laid out.
struct Layout {
  /// Blame shows a file as the shortest end of its path that no other file of the result has, and not again where it was shown last. A line with the
  /// place of the line above shows none.
  bool short_names = false;
  bool whole_values = false;  ///< Explain and differences show long values whole, else their beginning.
  std::size_t width = 0;      ///< Columns that a line may take, where values are not shown whole; what is longer ends in `…`. 0: any number.
};

/// The result as YAML, each line led by the `file:line` that supplied it. Rule: docs/provenance.md.
[[nodiscard]] std::string blame_text(const Sources& sources, const Value& result, const text::YamlStyle& style, const Layout& layout = {});
/// The same for a sequence of documents: a stream of them, each begun by `---`.
[[nodiscard]] std::string blame_documents_text(const Sources& sources, const Value& documents, const text::YamlStyle& style,
                                               const Layout& layout = {});
/// A sequence of `{path, value, file, line, column}`, one a leaf, in the order of the result; `part` and `via` where there are such.
[[nodiscard]] Value blame_data(Arena& arena, const Sources& sources, const Value& result, bool sort_keys = false);

/// Histories, as `merge::History::explain` gives them, for people: of each path first what its value came from, then what lost, nearest first.
[[nodiscard]] std::string explain_text(const Sources& sources, const merge::History& history, const std::vector<merge::PathHistory>& paths,
                                       const Layout& layout = {});
/// A sequence of `{path, value, history: [{layer, file, line, column, fate, value}]}`; a path that is gone has no `value`.
[[nodiscard]] Value explain_data(Arena& arena, const Sources& sources, const merge::History& history, const std::vector<merge::PathHistory>& paths);

}  // namespace strata::report
