// SPDX-License-Identifier: Apache-2.0
// The state of a stack between requests. docs/heat/compose.md, "State files", has its form as JSON.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "heat/documents.hpp"
#include "strata/heat.hpp"

namespace strata::heat {

/// A text in a state or a request.
struct StoredText {
  std::string name;
  std::optional<SourceId> source;  ///< No value until the text is needed: `text` is in the state.
  Value text;
  std::shared_ptr<const AttachedTemplate> read = {};  ///< As NamedText::read.
};

struct State {
  Compat compat = Compat::promised;
  std::optional<SourceId> source;  ///< The state file. No value if the state is new.
  Value template_value;            ///< A string or a mapping. Absent without a template.
  std::vector<std::string> environment_files;
  bool has_list =
      false;  ///< Whether the state names its environment files, even none, as the states do that strata writes.
  std::vector<StoredText> files;           ///< In order, each name once.
  Value parameters;                        ///< Explicit ones: a mapping.
  Value base_environment;                  ///< A mapping. Absent if there is none.
  std::map<std::string, NameSet> cleared;  ///< By parameter: the files whose value counts as missing.
  Value environment;                       ///< The last result: a mapping. Absent if there is none.
  Value checkpoint;                        ///< Absent if there is none.

  [[nodiscard]] StoredText* find(std::string_view name);
  /// By file: the names that count as missing.
  [[nodiscard]] std::map<std::string, NameSet, std::less<>> cleared_by_file() const;

 private:
  friend void add_text(State& state, StoredText text);
  std::map<std::string, std::size_t, std::less<>> index_;  ///< Of `files`.
};

/// Adds a text, or replaces the one with the same name in its place.
void add_text(State& state, StoredText text);

/// Parses a state file. Messages show nothing of it, because it contains hidden values. Warns about unknown members.
/// Errors: `heat.state`, with the place and the problem; `json.syntax`, `limit.*`.
[[nodiscard]] State read_state(Documents& documents, SourceId source);

/// The characters of a stored text.
[[nodiscard]] std::string_view characters(const Sources& sources, const StoredText& text);
/// The source of a stored text, made on first use.
[[nodiscard]] SourceId source_of(Documents& documents, const State& state, StoredText& text);

/// The state as JSON, with a final newline.
[[nodiscard]] std::string write_state(const Sources& sources, const State& state);

}  // namespace strata::heat
