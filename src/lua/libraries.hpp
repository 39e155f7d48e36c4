// SPDX-License-Identifier: Apache-2.0
// The globals of a sandbox. Each function opens a library in the state. Call them in protected mode.
#pragma once

#include <lua.hpp>

namespace strata::lua {

/// The base functions, math and utf8, without functions that access the machine or differ between runs.
void open_base_library(lua_State* state);
/// `string`, with pattern matching whose work is charged.
void open_string_library(lua_State* state);
/// `table`, whose work is charged.
void open_table_library(lua_State* state);
/// `null`, `mapping`, `sequence`, `kind`, and the metatables of containers.
void open_containers(lua_State* state);

/// Pushes a text for any Lua value, without addresses: the result of `tostring`.
void push_text(lua_State* state, int index);

}  // namespace strata::lua
