// SPDX-License-Identifier: Apache-2.0
#include "containers.hpp"

#include <algorithm>
#include <string_view>

#include "convert.hpp"
#include "libraries.hpp"
#include "runtime.hpp"

namespace strata::lua {
namespace {

// Addresses that no script can name: keys of the registry, and of the node in a container.
const char node_key = 0;
const char lazy_key = 0;
const char mapping_key = 0;
const char sequence_key = 0;

/// Pushes an empty table with a node; the node.
Node* push_table(lua_State* state, const Node& node) {
  luaL_checkstack(state, 8, "too many values");
  lua_createtable(state, 0, 1);
  auto* made = static_cast<Node*>(lua_newuserdatauv(state, sizeof(Node), node.kind == ContainerKind::mapping ? 2 : 0));
  *made = node;
  lua_rawsetp(state, -2, &node_key);
  return made;
}

/// Pushes the order and the positions of an open mapping.
void push_order(lua_State* state, int index) {
  lua_rawgetp(state, index, &node_key);
  lua_getiuservalue(state, -1, 1);
  lua_getiuservalue(state, -2, 2);
  lua_remove(state, -3);
}

/// Gives a new mapping its empty order. The table is on top.
void add_order(lua_State* state) {
  lua_rawgetp(state, -1, &node_key);
  lua_newtable(state);
  lua_setiuservalue(state, -2, 1);
  lua_newtable(state);
  lua_setiuservalue(state, -2, 2);
  lua_pop(state, 1);
}

/// Whether the key on top of the stack, at a position of the order, is a member. One that was removed and came back
/// stands twice in the order: its last place counts.
bool is_live(lua_State* state, int table, int positions, lua_Integer position) {
  lua_pushvalue(state, -1);
  lua_rawget(state, positions);
  const bool is_current = lua_tointeger(state, -1) == position;
  lua_pushvalue(state, -2);
  const bool is_there = lua_rawget(state, table) != LUA_TNIL;
  lua_pop(state, 2);
  return is_current && is_there;
}

/// A member that is new to a mapping. Stack: table 1, key 2, value 3.
int mapping_set(lua_State* state) {
  Runtime::of(state).charge(1);
  lua_settop(state, 3);
  if (lua_isnil(state, 2)) return luaL_error(state, "a key must not be nil");
  lua_pushvalue(state, 2);
  lua_pushvalue(state, 3);
  lua_rawset(state, 1);
  if (lua_isnil(state, 3)) return 0;
  push_order(state, 1);
  // A key that was there and was removed goes last, like a new one.
  const auto position = static_cast<lua_Integer>(lua_rawlen(state, 4)) + 1;
  lua_pushvalue(state, 2);
  lua_rawseti(state, 4, position);
  lua_pushvalue(state, 2);
  lua_pushinteger(state, position);
  lua_rawset(state, 5);
  return 0;
}

int mapping_next(lua_State* state) {
  luaL_checktype(state, 1, LUA_TTABLE);
  if (open_container(state, 1) != ContainerKind::mapping) return luaL_error(state, "not a mapping");
  lua_settop(state, 2);
  return next_of_mapping(state);
}

int container_pairs(lua_State* state) {
  switch (open_container(state, 1)) {
    case ContainerKind::mapping:
      lua_pushcfunction(state, guarded<mapping_next>);
      break;
    default:
      lua_getglobal(state, "next");
      break;
  }
  lua_pushvalue(state, 1);
  lua_pushnil(state);
  return 3;
}

/// Sequences are walked by index, and then whatever else a script has put in.
int sequence_next(lua_State* state) {
  lua_settop(state, 2);
  const auto size = static_cast<lua_Integer>(lua_rawlen(state, 1));
  lua_Integer index = 0;
  if (!lua_isnil(state, 2)) index = luaL_checkinteger(state, 2);
  if (index >= size) return 0;
  lua_pushinteger(state, index + 1);
  lua_rawgeti(state, 1, index + 1);
  return 2;
}

int sequence_pairs(lua_State* state) {
  lua_pushcfunction(state, guarded<sequence_next>);
  lua_pushvalue(state, 1);
  lua_pushnil(state);
  return 3;
}

int lazy_pairs(lua_State* state) {
  return open_container(state, 1) == ContainerKind::sequence ? sequence_pairs(state) : container_pairs(state);
}

int lazy_index(lua_State* state) {
  open_container(state, 1);
  lua_settop(state, 2);
  lua_rawget(state, 1);
  return 1;
}

int lazy_newindex(lua_State* state) {
  open_container(state, 1);
  lua_settop(state, 3);
  lua_settable(state, 1);
  return 0;
}

int lazy_length(lua_State* state) {
  open_container(state, 1);
  lua_pushinteger(state, static_cast<lua_Integer>(lua_rawlen(state, 1)));
  return 1;
}

int make_sequence(lua_State* state) {
  lua_settop(state, 1);
  push_table(state, {.source = {}, .run = 0, .kind = ContainerKind::sequence, .is_open = true});
  set_metatable(state, &sequence_key);
  if (lua_isnil(state, 1)) return 1;
  luaL_checktype(state, 1, LUA_TTABLE);
  open_container(state, 1);
  const auto size = static_cast<lua_Integer>(lua_rawlen(state, 1));
  Runtime::of(state).charge(static_cast<std::size_t>(size));
  for (lua_Integer i = 1; i <= size; ++i) {
    lua_rawgeti(state, 1, i);
    lua_rawseti(state, 2, i);
  }
  return 1;
}

int make_mapping(lua_State* state) {
  lua_settop(state, 1);
  push_table(state, {.source = {}, .run = 0, .kind = ContainerKind::mapping, .is_open = true});
  add_order(state);
  set_metatable(state, &mapping_key);
  if (lua_isnil(state, 1)) return 1;
  luaL_checktype(state, 1, LUA_TTABLE);
  if (open_container(state, 1) == ContainerKind::mapping) {
    push_ordered_keys(state, 1);
  } else {
    push_sorted_keys(state, 1);
  }
  const auto size = static_cast<lua_Integer>(lua_rawlen(state, 3));
  Runtime::of(state).charge(static_cast<std::size_t>(size));
  for (lua_Integer i = 1; i <= size; ++i) {
    lua_rawgeti(state, 3, i);
    lua_pushvalue(state, -1);
    if (lua_rawget(state, 1) == LUA_TNIL) {
      lua_pop(state, 2);
    } else {
      lua_settable(state, 2);
    }
  }
  lua_pushvalue(state, 2);
  return 1;
}

int kind_of(lua_State* state) {
  luaL_checkany(state, 1);
  if (const Opaque* opaque = opaque_of(state, 1)) {
    const std::string_view name = name_of(opaque->value.kind());
    lua_pushlstring(state, name.data(), name.size());
    return 1;
  }
  switch (lua_type(state, 1)) {
    case LUA_TSTRING:
      lua_pushliteral(state, "text");
      return 1;
    case LUA_TNUMBER:
      lua_pushstring(state, lua_isinteger(state, 1) != 0 ? "integer" : "float");
      return 1;
    default:
      break;
  }
  if (is_null(state, 1)) {
    lua_pushliteral(state, "null");
  } else {
    const ContainerKind kind = container_kind(state, 1);
    lua_pushstring(state, kind == ContainerKind::mapping    ? "mapping"
                          : kind == ContainerKind::sequence ? "sequence"
                                                            : luaL_typename(state, 1));
  }
  return 1;
}

}  // namespace

Node* node_of(lua_State* state, int index) {
  if (lua_type(state, index) != LUA_TTABLE) return nullptr;
  lua_rawgetp(state, index, &node_key);
  auto* node = static_cast<Node*>(lua_touserdata(state, -1));
  lua_pop(state, 1);
  return node;
}

ContainerKind container_kind(lua_State* state, int index) {
  const Node* node = node_of(state, index);
  return node == nullptr ? ContainerKind::none : node->kind;
}

ContainerKind open_container(lua_State* state, int index) {
  Node* node = node_of(state, index);
  if (node == nullptr) return ContainerKind::none;
  if (node->is_open) return node->kind;
  Runtime& runtime = Runtime::of(state);
  if (node->run != runtime.run()) fail_stale(state);
  luaL_checkstack(state, 8, "too many values");
  runtime.charge(node->source.size());
  lua_pushvalue(state, index);
  if (node->kind == ContainerKind::sequence) {
    lua_Integer position = 0;
    for (const Value& item : node->source.items()) {
      push_value(state, item);
      lua_rawseti(state, -2, ++position);
    }
    set_metatable(state, &sequence_key);
  } else {
    add_order(state);
    push_order(state, lua_gettop(state));
    lua_Integer position = 0;
    for (const Entry& entry : node->source.entries()) {
      push_key(state, entry.key);
      lua_pushvalue(state, -1);
      lua_rawseti(state, -4, ++position);
      lua_pushvalue(state, -1);
      lua_pushinteger(state, position);
      lua_rawset(state, -4);
      push_value(state, entry.value);
      lua_rawset(state, -5);
    }
    lua_pop(state, 2);
    set_metatable(state, &mapping_key);
  }
  lua_pop(state, 1);
  node->is_open = true;
  return node->kind;
}

void push_container(lua_State* state, const Value& container) {
  push_table(state, {.source = container,
                     .run = Runtime::of(state).run(),
                     .kind = container.is_sequence() ? ContainerKind::sequence : ContainerKind::mapping,
                     .is_open = false});
  set_metatable(state, &lazy_key);
}

void push_ordered_keys(lua_State* state, int index) {
  index = lua_absindex(state, index);
  luaL_checkstack(state, 8, "too many values");
  lua_newtable(state);
  const int keys = lua_gettop(state);
  push_order(state, index);
  const auto size = static_cast<lua_Integer>(lua_rawlen(state, keys + 1));
  Runtime::of(state).charge(static_cast<std::size_t>(size));
  lua_Integer kept = 0;
  for (lua_Integer position = 1; position <= size; ++position) {
    lua_rawgeti(state, keys + 1, position);
    if (is_live(state, index, keys + 2, position)) {
      lua_rawseti(state, keys, ++kept);
    } else {
      lua_pop(state, 1);
    }
  }
  lua_settop(state, keys);
}

int next_of_mapping(lua_State* state) {
  push_order(state, 1);
  lua_Integer position = 0;
  if (!lua_isnil(state, 2)) {
    lua_pushvalue(state, 2);
    if (lua_rawget(state, 4) == LUA_TNIL) return luaL_error(state, "invalid key to 'next'");
    position = lua_tointeger(state, -1);
    lua_pop(state, 1);
  }
  while (lua_rawgeti(state, 3, ++position) != LUA_TNIL) {
    Runtime::of(state).charge(1);
    if (is_live(state, 1, 4, position)) {
      lua_pushvalue(state, -1);
      lua_rawget(state, 1);
      return 2;
    }
    lua_pop(state, 1);
  }
  return 1;
}

void open_containers(lua_State* state) {
  make_metatable(state, &lazy_key,
                 {{"__index", guarded<lazy_index>},
                  {"__newindex", guarded<lazy_newindex>},
                  {"__len", guarded<lazy_length>},
                  {"__pairs", guarded<lazy_pairs>}});
  make_metatable(state, &mapping_key, {{"__newindex", guarded<mapping_set>}, {"__pairs", guarded<container_pairs>}});
  make_metatable(state, &sequence_key, {{"__pairs", guarded<sequence_pairs>}});
  open_opaque(state);
  lua_register(state, "mapping", guarded<make_mapping>);
  lua_register(state, "sequence", guarded<make_sequence>);
  lua_register(state, "kind", guarded<kind_of>);
}

}  // namespace strata::lua
