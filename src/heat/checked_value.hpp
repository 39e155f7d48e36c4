// SPDX-License-Identifier: Apache-2.0
// Checks parameter values before a merge, and reports values that cannot be merged.
#pragma once

#include <optional>
#include <string_view>

#include "heat/documents.hpp"
#include "heat/names.hpp"

namespace strata::heat {

/// The values being merged, for messages.
struct Joining {
  const Name& name;        ///< With its strategy.
  std::string_view file;   ///< The file of the incoming value.
  std::string_view title;  ///< Of the section.
};

/// The value to merge. JSON texts of json parameters are parsed, and other values of theirs get text keys. Other types
/// only accept texts and sequences. Errors: `heat.json-text`, `heat.merge`.
[[nodiscard]] Value checked_value(Documents& documents, const Joining& joining, const Value& value);

/// `incoming` without mappings of nulls that would meet a value that is not a mapping: they change nothing, but the
/// strategy tables cannot distinguish them. No value if there is no such mapping; absent if nothing is left to merge.
/// `deep`: also checks members.
[[nodiscard]] std::optional<Value> without_idle(Arena& arena, const Value& old, const Value& incoming, bool deep);

/// The error for two values that cannot be merged: parameter, file, strategy, and the path of the member.
[[nodiscard]] Error mismatch_error(const Documents& documents, const Joining& joining, const Value& incoming,
                                   const merge::KindMismatch& mismatch);

}  // namespace strata::heat
