// SPDX-License-Identifier: Apache-2.0
// Sequences and mappings as Lua tables.
//
// The table of a container begins empty. The first access fills it with the members of one level (it is then "open"),
// so that unused values cost nothing. Mappings keep the order of their keys next to the table. A hidden member, whose
// key no script can make, holds the Node.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <lua.hpp>

#include "strata/value.hpp"

namespace strata::lua {

enum class ContainerKind : std::uint8_t { none, sequence, mapping };

/// The container behind a table.
struct Node {
  Value source;           ///< Absent if a script made it.
  std::uint64_t run = 0;  ///< The run that `source` belongs to.
  ContainerKind kind = ContainerKind::none;
  bool is_open = false;
};

/// A value that Lua has no type for.
struct Opaque {
  Value value;
  std::uint64_t run;
};

/// Null if the value is not a container.
[[nodiscard]] Node* node_of(lua_State* state, int index);
/// Null if the value is not opaque. Raises an error for a value of an earlier run.
[[nodiscard]] const Opaque* opaque_of(lua_State* state, int index);
[[nodiscard]] ContainerKind container_kind(lua_State* state, int index);
/// Fills the table if it is an unopened container. Raises an error for a value of an earlier run.
ContainerKind open_container(lua_State* state, int index);

void push_null(lua_State* state);
[[nodiscard]] bool is_null(lua_State* state, int index);
void push_container(lua_State* state, const Value& container);
void push_opaque(lua_State* state, const Value& value);
/// A key as a Lua key: opaque if Lua would confuse it with another (1.0 with 1).
void push_key(lua_State* state, const Value& key);

/// Registers the metatables of null and opaque values.
void open_opaque(lua_State* state);

/// A protected metatable with some members, kept in the registry under a key.
void make_metatable(lua_State* state, const char* key, std::initializer_list<luaL_Reg> members);
/// Gives the table or userdata on top of the stack the metatable of a key.
void set_metatable(lua_State* state, const char* key);
/// Raises the error for a value of an earlier run.
[[noreturn]] void fail_stale(lua_State* state);

/// Pushes the sequence of a table's keys, sorted: numbers, texts by bytes, booleans, the rest.
void push_sorted_keys(lua_State* state, int index);
/// Pushes the sequence of an open mapping's keys, in their order.
void push_ordered_keys(lua_State* state, int index);
/// With an open mapping at 1 and a key or nil at 2: pushes the next key and its value, or nil. Returns the number of
/// values pushed.
int next_of_mapping(lua_State* state);
/// The key that hides the node.
[[nodiscard]] bool is_hidden_key(lua_State* state, int index);

}  // namespace strata::lua
