// SPDX-License-Identifier: Apache-2.0
// Reports about a result, for people and programs: blame and explain. Secret values are shown as `******`.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "strata/list_history.hpp"
#include "strata/merge.hpp"
#include "strata/origin.hpp"
#include "strata/text.hpp"

namespace strata::report {

/// Replaces a secret value in reports.
inline constexpr std::string_view kMask = "******";

/// Whether any part of a value is secret.
[[nodiscard]] bool holds_secret(const Value& value);
/// A copy for reports: secret values are masked.
[[nodiscard]] Value masked(Arena& arena, const Value& value);

/// The place of a leaf. `via` is a container above it that was reached through an alias, or nowhere.
[[nodiscard]] Place leaf_place(const Sources& sources, Origin origin, Origin via);

/// The layout of texts for people.
struct Layout {
  /// Blame shortens a file to the shortest suffix of its path that is unique among the files of the result, and omits
  /// it if the line above has the same file. A line with the same place as the line above shows none.
  bool short_names = false;
  bool whole_values = false;  ///< Explain and differences show long values in full instead of their beginning.
  /// Columns per line, if values are not shown in full. Longer lines end in `…`. 0: no limit.
  std::size_t width = 0;
};

/// The result as YAML. Each line begins with the `file:line` that it came from. Rule: docs/provenance.md.
[[nodiscard]] std::string blame_text(const Sources& sources, const Value& result, const text::YamlStyle& style,
                                     const Layout& layout = {});
/// The same for a sequence of documents: a stream, with `---` before each document.
[[nodiscard]] std::string blame_documents_text(const Sources& sources, const Value& documents,
                                               const text::YamlStyle& style, const Layout& layout = {});
/// A sequence of `{path, value, file, line, column}`, one per leaf, in the order of the result. `part` and `via` are
/// included if known.
[[nodiscard]] Value blame_data(Arena& arena, const Sources& sources, const Value& result, bool sort_keys = false);

/// Histories from `merge::History::explain`, for people. For each path: first the origin of its value, then the values
/// that lost, nearest first.
[[nodiscard]] std::string explain_text(const Sources& sources, const merge::History& history,
                                       const std::vector<merge::PathHistory>& paths, const Layout& layout = {});
/// A sequence of `{path, value, history: [{layer, file, line, column, fate, value}]}`. A removed path has no `value`.
[[nodiscard]] Value explain_data(Arena& arena, const Sources& sources, const merge::History& history,
                                 const std::vector<merge::PathHistory>& paths);

/// How a list was merged, for people: a line about the list, then one for each item and for what was dropped. `path`:
/// what it is called.
[[nodiscard]] std::string list_text(const Sources& sources, const merge::History& history,
                                    const merge::ListHistory& list, const std::string& path, const Layout& layout = {});
/// `{path, count, action, strategy, option, layers, items, dropped}`. Rule: docs/provenance.md, "Lists".
[[nodiscard]] Value list_data(Arena& arena, const Sources& sources, const merge::ListHistory& list,
                              const std::string& path, const std::function<std::string(merge::LayerId)>& layer_name);

}  // namespace strata::report
