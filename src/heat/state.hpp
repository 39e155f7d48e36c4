// The state of a stack between requests. docs/heat/compose.md, "State files", has its form as JSON.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "heat/documents.hpp"
#include "strata/heat.hpp"

namespace strata::heat {

/// A text that a state holds or a request sent.
struct StoredText {
  std::string name;
  std::optional<SourceId> source;  ///< None as long as nobody had to read it: `text` is in the state.
  Value text;
};

struct State {
  Compat compat = Compat::promised;
  std::optional<SourceId> source;  ///< Of the state file; none where the state is new.
  Value template_value;            ///< A text or a mapping; absent where there is no template.
  std::vector<std::string> environment_files;
  std::vector<StoredText> files;           ///< In order, each name once.
  Value parameters;                        ///< Explicit ones: a mapping.
  Value base_environment;                  ///< A mapping; absent where there is none.
  std::map<std::string, NameSet> cleared;  ///< By name of a parameter: the files that are taken not to have it.
  Value environment;                       ///< The last result: a mapping; absent where there is none.
  Value checkpoint;                        ///< Absent where there is none.

  [[nodiscard]] StoredText* find(std::string_view name);
  /// By file: the names that it is taken not to have.
  [[nodiscard]] std::map<std::string, NameSet, std::less<>> cleared_by_file() const;

 private:
  friend void add_text(State& state, StoredText text);
  std::map<std::string, std::size_t, std::less<>> index_;  ///< Of `files`.
};

/// Adds a text, or replaces that of the same name at its place.
void add_text(State& state, StoredText text);

/// Reads a state file. Nothing of it is shown in messages: it holds what is hidden.
/// Errors: `heat.state`, naming what is wrong where; `json.syntax`, `limit.*`. Warns of members that it does not know.
[[nodiscard]] State read_state(Documents& documents, SourceId source);

/// The characters of a stored text.
[[nodiscard]] std::string_view characters(const Sources& sources, const StoredText& text);
/// The source of a stored text, made when it is first asked for.
[[nodiscard]] SourceId source_of(Documents& documents, const State& state, StoredText& text);

/// The state as JSON, with a final newline.
[[nodiscard]] std::string write_state(const Sources& sources, const State& state);

}  // namespace strata::heat
