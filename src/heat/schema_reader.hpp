// Declarations of parameters in templates, read.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "heat/schema.hpp"

namespace strata::heat {

/// The parameters that a template declares, in order. `root` is a template (`is_template`). What is made goes to `arena`.
/// Errors: `heat.template-version`; `heat.template-parameters` for declarations that are written wrongly. Whether constraints fit the type and
/// defaults keep them is not looked at. Cost: linear, and that of compiling patterns.
[[nodiscard]] Schemata read_schemata(const Sources& sources, const Value& root, Arena& arena);

/// Adds the names of a template's parameters that are declared hidden, whatever else is wrong with the template.
void gather_hidden(const Value& root, std::set<std::string, std::less<>>& names);
/// A template in which the defaults of hidden parameters are marked secret, whatever else is wrong with it.
[[nodiscard]] Value with_marked_defaults(Arena& arena, const Value& root);

}  // namespace strata::heat
