// Values of parameters on their way into a merge: what their types ask of them, and what is said where two do not go together.
#pragma once

#include <optional>
#include <string_view>

#include "heat/documents.hpp"
#include "heat/names.hpp"

namespace strata::heat {

/// What is being joined, for messages.
struct Joining {
  const Name& name;        ///< With its strategy.
  std::string_view file;   ///< Whose value comes.
  std::string_view title;  ///< Of the section.
};

/// The value that merges: JSON texts of json parameters are read, their other values have texts as keys; the other types take texts and sequences
/// only. Errors: `heat.json-text`, `heat.merge`.
[[nodiscard]] Value checked_value(Documents& documents, const Joining& joining, const Value& value);

/// `incoming` without the mappings of nulls that would meet what is no mapping: they change nothing, and the tables of strategies do not tell them
/// from others. None where it has no such mapping; absent where nothing is left to merge. `deep`: whether members are looked into.
[[nodiscard]] std::optional<Value> without_idle(Arena& arena, const Value& old, const Value& incoming, bool deep);

/// The error for two values that do not go together: parameter, file, strategy, and the way to the member.
[[nodiscard]] Error mismatch_error(const Documents& documents, const Joining& joining, const Value& incoming, const merge::KindMismatch& mismatch);

}  // namespace strata::heat
