// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <vector>

#include "containers.hpp"
#include "libraries.hpp"
#include "runtime.hpp"

namespace strata::lua {
namespace {

/// The length of a table that library functions may work on: a container, or a table whose metatable has nothing to say
/// about its members, so that what is charged is what is done.
lua_Integer check_table(lua_State* state, int argument) {
  luaL_checktype(state, argument, LUA_TTABLE);
  if (open_container(state, argument) == ContainerKind::none) {
    for (const char* name : {"__index", "__newindex", "__len"}) {
      if (luaL_getmetafield(state, argument, name) != LUA_TNIL)
        luaL_argerror(state, argument, "a table with metamethods is not allowed here");
    }
  }
  return static_cast<lua_Integer>(lua_rawlen(state, argument));
}

void charge_range(lua_State* state, lua_Integer first, lua_Integer last) {
  if (last < first) return;
  Runtime::of(state).charge(static_cast<std::size_t>(last) - static_cast<std::size_t>(first) + 1);
}

int call_original(lua_State* state) {
  const int arguments = lua_gettop(state);
  lua_pushvalue(state, lua_upvalueindex(1));
  lua_insert(state, 1);
  lua_call(state, arguments, LUA_MULTRET);
  return lua_gettop(state);
}

int table_insert(lua_State* state) {
  const lua_Integer size = check_table(state, 1);
  if (lua_gettop(state) > 2) charge_range(state, luaL_checkinteger(state, 2), size);
  return call_original(state);
}

int table_remove(lua_State* state) {
  const lua_Integer size = check_table(state, 1);
  if (lua_gettop(state) > 1) charge_range(state, luaL_checkinteger(state, 2), size);
  return call_original(state);
}

int table_concat(lua_State* state) {
  const lua_Integer size = check_table(state, 1);
  charge_range(state, luaL_optinteger(state, 3, 1), luaL_optinteger(state, 4, size));
  return call_original(state);
}

int table_unpack(lua_State* state) {
  const lua_Integer size = check_table(state, 1);
  charge_range(state, luaL_optinteger(state, 2, 1), luaL_optinteger(state, 3, size));
  return call_original(state);
}

int table_move(lua_State* state) {
  check_table(state, 1);
  if (!lua_isnoneornil(state, 5)) check_table(state, 5);
  charge_range(state, luaL_checkinteger(state, 2), luaL_checkinteger(state, 3));
  return call_original(state);
}

/// Whether item `right` must stand before item `left`. Items are in the table at index 3.
bool is_before(lua_State* state, lua_Integer right, lua_Integer left) {
  Runtime::of(state).charge(1);
  if (lua_isnil(state, 2)) {
    lua_rawgeti(state, 3, right);
    lua_rawgeti(state, 3, left);
    if (lua_type(state, -1) == LUA_TSTRING && lua_type(state, -2) == LUA_TSTRING)
      Runtime::of(state).charge(std::min(lua_rawlen(state, -1), lua_rawlen(state, -2)) / kBytesPerStep);
    const bool result = lua_compare(state, -2, -1, LUA_OPLT) != 0;
    lua_pop(state, 2);
    return result;
  }
  lua_pushvalue(state, 2);
  lua_rawgeti(state, 3, right);
  lua_rawgeti(state, 3, left);
  lua_call(state, 2, 1);
  const bool result = lua_toboolean(state, -1) != 0;
  lua_pop(state, 1);
  return result;
}

/// A merge sort: stable, and so the same in every run, and safe with any order function. Lua's own picks pivots by the
/// clock.
int table_sort(lua_State* state) {
  const lua_Integer size = check_table(state, 1);
  lua_settop(state, 2);
  if (!lua_isnil(state, 2)) luaL_checktype(state, 2, LUA_TFUNCTION);
  charge_range(state, 1, size);
  lua_createtable(state, static_cast<int>(std::min<lua_Integer>(size, 1 << 20)), 0);
  for (lua_Integer i = 1; i <= size; ++i) {
    lua_rawgeti(state, 1, i);
    lua_rawseti(state, 3, i);
  }
  std::vector<lua_Integer> order(static_cast<std::size_t>(size));
  std::iota(order.begin(), order.end(), 1);
  std::vector<lua_Integer> sorted(order.size());
  for (std::size_t width = 1; width < order.size(); width *= 2) {
    for (std::size_t begin = 0; begin < order.size(); begin += 2 * width) {
      const std::size_t middle = std::min(begin + width, order.size());
      const std::size_t end = std::min(begin + 2 * width, order.size());
      std::size_t left = begin;
      std::size_t right = middle;
      for (std::size_t out = begin; out < end; ++out) {
        const bool take_right = left == middle || (right < end && is_before(state, order[right], order[left]));
        sorted[out] = take_right ? order[right++] : order[left++];
      }
    }
    order.swap(sorted);
  }
  for (lua_Integer i = 1; i <= size; ++i) {
    lua_rawgeti(state, 3, order[static_cast<std::size_t>(i - 1)]);
    lua_rawseti(state, 1, i);
  }
  return 0;
}

}  // namespace

void open_table_library(lua_State* state) {
  luaL_requiref(state, LUA_TABLIBNAME, luaopen_table, 1);
  constexpr luaL_Reg kWrappers[] = {{"insert", guarded<table_insert>},
                                    {"remove", guarded<table_remove>},
                                    {"concat", guarded<table_concat>},
                                    {"unpack", guarded<table_unpack>},
                                    {"move", guarded<table_move>}};
  for (const luaL_Reg& wrapper : kWrappers) {
    lua_getfield(state, -1, wrapper.name);
    lua_pushcclosure(state, wrapper.func, 1);
    lua_setfield(state, -2, wrapper.name);
  }
  lua_pushcfunction(state, guarded<table_sort>);
  lua_setfield(state, -2, "sort");
  lua_pop(state, 1);
}

}  // namespace strata::lua
