// The globals of a sandbox. Each function opens its part in the state; all need to be called in protected mode.
#pragma once

#include <lua.hpp>

namespace strata::lua {

/// The base functions, math and utf8, without what reaches the machine or differs from run to run.
void open_base_library(lua_State* state);
/// `string`, with pattern matching whose work is charged.
void open_string_library(lua_State* state);
/// `table`, whose work is charged.
void open_table_library(lua_State* state);
/// `null`, `mapping`, `sequence`, `kind`, and what stands behind containers.
void open_containers(lua_State* state);

/// Pushes a text for any Lua value, without addresses: what `tostring` gives.
void push_text(lua_State* state, int index);

}  // namespace strata::lua
