// SPDX-License-Identifier: Apache-2.0
#include "containers.hpp"

#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>

#include "convert.hpp"
#include "runtime.hpp"
#include "strata/scalar_text.hpp"

namespace strata::lua {
namespace {

// Addresses that no script can name: keys of the registry.
const char null_key = 0;
const char opaque_key = 0;  ///< Metatables.
const char intern_key =
    0;  ///< Opaque values of this run by their text, so that equal ones are the same key of a table.

int opaque_equal(lua_State* state) {
  const Opaque* left = opaque_of(state, 1);
  const Opaque* right = opaque_of(state, 2);
  lua_pushboolean(state, left != nullptr && right != nullptr && equal(left->value, right->value) ? 1 : 0);
  return 1;
}

int opaque_to_text(lua_State* state) {
  const Opaque* opaque = opaque_of(state, 1);
  if (opaque == nullptr) return luaL_error(state, "not a value");
  const std::string text = scalar_text(opaque->value);
  lua_pushlstring(state, text.data(), text.size());
  return 1;
}

int null_to_text(lua_State* state) {
  lua_pushliteral(state, "null");
  return 1;
}

}  // namespace

void set_metatable(lua_State* state, const char* key) {
  lua_rawgetp(state, LUA_REGISTRYINDEX, key);
  lua_setmetatable(state, -2);
}

void make_metatable(lua_State* state, const char* key, std::initializer_list<luaL_Reg> members) {
  lua_createtable(state, 0, static_cast<int>(members.size()) + 1);
  for (const luaL_Reg& member : members) {
    lua_pushcfunction(state, member.func);
    lua_setfield(state, -2, member.name);
  }
  lua_pushboolean(state, 0);
  lua_setfield(state, -2, "__metatable");
  lua_rawsetp(state, LUA_REGISTRYINDEX, key);
}

void fail_stale(lua_State* state) {
  luaL_error(state, "this value belongs to an earlier call: values must not be kept in variables that outlive one");
  std::abort();  // luaL_error does not return.
}

const Opaque* opaque_of(lua_State* state, int index) {
  if (lua_type(state, index) != LUA_TUSERDATA || lua_getmetatable(state, index) == 0) return nullptr;
  lua_rawgetp(state, LUA_REGISTRYINDEX, &opaque_key);
  const bool is_opaque = lua_rawequal(state, -1, -2) != 0;
  lua_pop(state, 2);
  if (!is_opaque) return nullptr;
  const auto* opaque = static_cast<const Opaque*>(lua_touserdata(state, index));
  if (opaque->run != Runtime::of(state).run()) fail_stale(state);
  return opaque;
}

void push_null(lua_State* state) { lua_rawgetp(state, LUA_REGISTRYINDEX, &null_key); }

bool is_null(lua_State* state, int index) {
  if (lua_type(state, index) != LUA_TUSERDATA) return false;
  index = lua_absindex(state, index);
  push_null(state);
  const bool result = lua_rawequal(state, -1, index) != 0;
  lua_pop(state, 1);
  return result;
}

void push_opaque(lua_State* state, const Value& value) {
  Runtime& runtime = Runtime::of(state);
  luaL_checkstack(state, 8, "too many values");
  // Interned, so that equal keys are one key. Containers and objects are not: they are equal, but not the same key.
  const bool is_interned = !value.is_container() && value.kind() != Kind::object;
  lua_rawgetp(state, LUA_REGISTRYINDEX, &intern_key);
  lua_Integer run = -1;
  if (lua_rawgeti(state, -1, 0) == LUA_TNUMBER) run = lua_tointeger(state, -1);
  lua_pop(state, 1);
  if (run != static_cast<lua_Integer>(runtime.run())) {
    lua_pop(state, 1);
    lua_newtable(state);
    lua_pushinteger(state, static_cast<lua_Integer>(runtime.run()));
    lua_rawseti(state, -2, 0);
    lua_pushvalue(state, -1);
    lua_rawsetp(state, LUA_REGISTRYINDEX, &intern_key);
  }
  std::string name;
  if (is_interned) {
    name = std::string(name_of(value.kind())) + ' ' + scalar_text(value);
    runtime.charge(name.size() / 16 + 1);
    lua_pushlstring(state, name.data(), name.size());
    if (lua_rawget(state, -2) != LUA_TNIL) {
      lua_remove(state, -2);
      return;
    }
    lua_pop(state, 1);
  }
  auto* opaque = static_cast<Opaque*>(lua_newuserdatauv(state, sizeof(Opaque), 0));
  *opaque = {.value = value, .run = runtime.run()};
  set_metatable(state, &opaque_key);
  if (is_interned) {
    lua_pushlstring(state, name.data(), name.size());
    lua_pushvalue(state, -2);
    lua_rawset(state, -4);
  }
  lua_remove(state, -2);
}

void push_key(lua_State* state, const Value& key) {
  switch (key.kind()) {
    case Kind::null:
    case Kind::boolean:
    case Kind::integer:
    case Kind::text:
      push_value(state, key);
      return;
    case Kind::floating:
      if (std::isfinite(key.as_floating()) && key.as_floating() != std::floor(key.as_floating())) {
        push_value(state, key);
        return;
      }
      break;
    default:
      break;
  }
  push_opaque(state, key);
}

void open_opaque(lua_State* state) {
  make_metatable(state, &opaque_key, {{"__eq", guarded<opaque_equal>}, {"__tostring", guarded<opaque_to_text>}});
  lua_newuserdatauv(state, 0, 0);
  lua_createtable(state, 0, 2);
  lua_pushcfunction(state, guarded<null_to_text>);
  lua_setfield(state, -2, "__tostring");
  lua_pushboolean(state, 0);
  lua_setfield(state, -2, "__metatable");
  lua_setmetatable(state, -2);
  lua_pushvalue(state, -1);
  lua_rawsetp(state, LUA_REGISTRYINDEX, &null_key);
  lua_setglobal(state, "null");
  lua_newtable(state);
  lua_rawsetp(state, LUA_REGISTRYINDEX, &intern_key);
}

}  // namespace strata::lua
