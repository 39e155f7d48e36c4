// SPDX-License-Identifier: Apache-2.0
// Parses declarations of parameters in templates.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "heat/schema.hpp"

namespace strata::heat {

/// The declared parameters of a template, in order. `root` is a template (`is_template`). Results are made in `arena`.
/// Errors: `heat.template-version`; `heat.template-parameters` for invalid declarations. Does not check whether
/// constraints match the type, or whether defaults satisfy them. Cost: linear, plus compiling patterns.
[[nodiscard]] Schemata read_schemata(const Sources& sources, const Value& root, Arena& arena);

/// Adds the names of a template's hidden parameters, even if the template is otherwise invalid.
void gather_hidden(const Value& root, std::set<std::string, std::less<>>& names);
/// Marks the defaults of hidden parameters as secret, even if the template is otherwise invalid.
[[nodiscard]] Value with_marked_defaults(Arena& arena, const Value& root);

}  // namespace strata::heat
