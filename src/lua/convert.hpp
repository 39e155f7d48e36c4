// SPDX-License-Identifier: Apache-2.0
// Converts values to Lua and back. Rule: docs/cloud-init/custom-mergers.md, "Values in Lua".
#pragma once

#include <lua.hpp>
#include <string_view>

#include "sandbox.hpp"
#include "strata/value.hpp"

namespace strata::lua {

/// Pushes a value: nil if it is absent, `null` for null, a table for a sequence or mapping, an opaque value if Lua has
/// no type for it.
void push_value(lua_State* state, const Value& value);

/// The value at an index, made in `arena` or shared with values pushed in this run. Errors: `lua.result`,
/// `limit.depth`, `limit.result`.
[[nodiscard]] Value to_value(lua_State* state, int index, Arena& arena, const Origins& origins);

/// The name of a kind in scripts: `text`, `mapping`, `date`.
[[nodiscard]] std::string_view name_of(Kind kind) noexcept;

}  // namespace strata::lua
