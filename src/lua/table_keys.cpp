// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string_view>
#include <vector>

#include "containers.hpp"
#include "runtime.hpp"

namespace strata::lua {
namespace {

/// A key of a plain table, to sort it by.
struct SortedKey {
  int rank = 3;
  double number = 0;
  std::string_view text;
  lua_Integer at = 0;  ///< Where it stands in the sequence of unsorted keys.
};

}  // namespace

void push_sorted_keys(lua_State* state, int index) {
  index = lua_absindex(state, index);
  luaL_checkstack(state, 8, "too many values");
  lua_newtable(state);
  const int unsorted = lua_gettop(state);
  std::vector<SortedKey> keys;
  for (lua_pushnil(state); lua_next(state, index) != 0; lua_pop(state, 1)) {
    if (is_hidden_key(state, -2)) continue;
    SortedKey key{.rank = 3, .number = 0, .text = {}, .at = static_cast<lua_Integer>(keys.size()) + 1};
    if (lua_type(state, -2) == LUA_TNUMBER) {
      key.rank = 0;
      key.number = lua_tonumber(state, -2);
    } else if (lua_type(state, -2) == LUA_TSTRING) {
      std::size_t size = 0;
      const char* text = lua_tolstring(state, -2, &size);
      key.rank = 1;
      key.text = {text, size};
    } else if (lua_type(state, -2) == LUA_TBOOLEAN) {
      key.rank = 2;
      key.number = lua_toboolean(state, -2);
    }
    lua_pushvalue(state, -2);
    lua_rawseti(state, unsorted, key.at);
    keys.push_back(key);
    Runtime::of(state).charge(1);
  }
  Runtime& runtime = Runtime::of(state);
  std::ranges::stable_sort(keys, [&runtime](const SortedKey& left, const SortedKey& right) {
    if (left.rank != right.rank) return left.rank < right.rank;
    if (left.number != right.number) return left.number < right.number;
    runtime.charge(std::min(left.text.size(), right.text.size()) / kBytesPerStep);
    return left.text < right.text;
  });
  lua_createtable(state, static_cast<int>(std::min<std::size_t>(keys.size(), 1U << 20U)), 0);
  lua_Integer position = 0;
  for (const SortedKey& key : keys) {
    lua_rawgeti(state, unsorted, key.at);
    lua_rawseti(state, -2, ++position);
  }
  lua_remove(state, unsorted);
}

bool is_hidden_key(lua_State* state, int index) { return lua_islightuserdata(state, index) != 0; }

}  // namespace strata::lua
