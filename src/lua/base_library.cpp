// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <vector>

#include "containers.hpp"
#include "libraries.hpp"
#include "runtime.hpp"

namespace strata::lua {
namespace {

int base_tostring(lua_State* state) {
  luaL_checkany(state, 1);
  push_text(state, 1);
  return 1;
}

/// Finalizers run outside of the budget.
int base_setmetatable(lua_State* state) {
  const int type = lua_type(state, 2);
  luaL_checktype(state, 1, LUA_TTABLE);
  luaL_argexpected(state, type == LUA_TNIL || type == LUA_TTABLE, 2, "nil or table");
  if (luaL_getmetafield(state, 1, "__metatable") != LUA_TNIL)
    return luaL_error(state, "cannot change a protected metatable");
  if (type == LUA_TTABLE) {
    lua_pushliteral(state, "__gc");
    if (lua_rawget(state, 2) != LUA_TNIL) return luaL_error(state, "__gc is not allowed");
  }
  lua_settop(state, 2);
  lua_setmetatable(state, 1);
  return 1;
}

int base_collectgarbage(lua_State* state) {
  const std::string_view what = luaL_optstring(state, 1, "collect");
  lua_pushinteger(state, what == "count" ? lua_gc(state, LUA_GCCOUNT) : 0);
  return 1;
}

/// `load(text, name, mode, environment)`, for source text only.
int base_load(lua_State* state) {
  std::size_t size = 0;
  const char* text = luaL_checklstring(state, 1, &size);
  const char* name = luaL_optstring(state, 2, "=load");
  const bool has_environment = lua_gettop(state) >= 4;
  Runtime::of(state).charge(size);
  if (luaL_loadbufferx(state, text, size, *name == 's' ? "=load" : name, "t") != LUA_OK) {
    luaL_pushfail(state);
    lua_insert(state, -2);
    return 2;
  }
  if (has_environment) {
    lua_pushvalue(state, 4);
    if (lua_setupvalue(state, -2, 1) == nullptr) lua_pop(state, 1);
  }
  return 1;
}

/// The iterator of `pairs` over a plain table. Upvalues: the keys, where it is.
int iterate_snapshot(lua_State* state) {
  lua_Integer at = lua_tointeger(state, lua_upvalueindex(2));
  while (lua_rawgeti(state, lua_upvalueindex(1), ++at) != LUA_TNIL) {
    Runtime::of(state).charge(1);
    lua_pushvalue(state, -1);
    if (lua_rawget(state, 1) != LUA_TNIL) {
      lua_pushinteger(state, at);
      lua_replace(state, lua_upvalueindex(2));
      return 2;
    }
    lua_pop(state, 2);
  }
  return 1;
}

/// Lua's own order of a plain table differs from run to run: here it is numbers, texts by their bytes, booleans, the
/// rest.
int base_pairs(lua_State* state) {
  luaL_checkany(state, 1);
  if (luaL_getmetafield(state, 1, "__pairs") != LUA_TNIL) {
    lua_pushvalue(state, 1);
    lua_call(state, 1, 3);
    return 3;
  }
  luaL_checktype(state, 1, LUA_TTABLE);
  push_sorted_keys(state, 1);
  lua_pushinteger(state, 0);
  lua_pushcclosure(state, guarded<iterate_snapshot>, 2);
  lua_pushvalue(state, 1);
  lua_pushnil(state);
  return 3;
}

/// `next`, in the order of `pairs`. Cost: that of sorting the keys; `next(t) == nil` asks whether a table is empty.
int base_next(lua_State* state) {
  luaL_checktype(state, 1, LUA_TTABLE);
  lua_settop(state, 2);
  if (open_container(state, 1) == ContainerKind::mapping) return next_of_mapping(state);
  push_sorted_keys(state, 1);
  lua_Integer at = 1;
  if (!lua_isnil(state, 2)) {
    for (; lua_rawgeti(state, 3, at) != LUA_TNIL && lua_rawequal(state, -1, 2) == 0; ++at) lua_pop(state, 1);
    if (lua_isnil(state, -1)) return luaL_error(state, "invalid key to 'next'");
    ++at;
  }
  if (lua_rawgeti(state, 3, at) == LUA_TNIL) return 1;
  lua_pushvalue(state, -1);
  lua_rawget(state, 1);
  return 2;
}

void remove(lua_State* state, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    lua_pushnil(state);
    lua_setfield(state, -2, name);
  }
}

}  // namespace

void push_text(lua_State* state, int index) {
  index = lua_absindex(state, index);
  switch (lua_type(state, index)) {
    case LUA_TNIL:
    case LUA_TBOOLEAN:
    case LUA_TNUMBER:
    case LUA_TSTRING:
      luaL_tolstring(state, index, nullptr);
      return;
    default:
      break;
  }
  if (luaL_callmeta(state, index, "__tostring") != 0) {
    if (lua_isstring(state, -1) == 0) luaL_error(state, "'__tostring' must return a string");
    return;
  }
  switch (container_kind(state, index)) {
    case ContainerKind::mapping:
      lua_pushliteral(state, "mapping");
      return;
    case ContainerKind::sequence:
      lua_pushliteral(state, "sequence");
      return;
    case ContainerKind::none:
      lua_pushstring(state, luaL_typename(state, index));
  }
}

void open_base_library(lua_State* state) {
  luaL_requiref(state, LUA_GNAME, luaopen_base, 1);
  // The message handler of xpcall would run inside of the hook that ends a spent budget, where no hook runs.
  remove(state, {"xpcall", "dofile", "loadfile", "print", "warn", "rawget", "rawset", "rawlen"});
  constexpr luaL_Reg kFunctions[] = {{"collectgarbage", guarded<base_collectgarbage>},
                                     {"load", guarded<base_load>},
                                     {"next", guarded<base_next>},
                                     {"pairs", guarded<base_pairs>},
                                     {"setmetatable", guarded<base_setmetatable>},
                                     {"tostring", guarded<base_tostring>},
                                     {nullptr, nullptr}};
  luaL_setfuncs(state, kFunctions, 0);
  lua_pop(state, 1);
  luaL_requiref(state, LUA_MATHLIBNAME, luaopen_math, 1);
  remove(state, {"random", "randomseed"});
  lua_pop(state, 1);
}

}  // namespace strata::lua
