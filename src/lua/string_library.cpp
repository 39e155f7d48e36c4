// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <new>
#include <string>

#include "libraries.hpp"
#include "pattern.hpp"
#include "runtime.hpp"

namespace strata::lua {
namespace {

std::string_view check_string(lua_State* state, int argument) {
  std::size_t size = 0;
  const char* text = luaL_checklstring(state, argument, &size);
  return {text, size};
}

/// Where a search begins, from 0; npos past the end.
std::size_t start_of(lua_State* state, int argument, std::size_t size) {
  const lua_Integer start = luaL_optinteger(state, argument, 1);
  if (start > 0)
    return static_cast<std::size_t>(start) - 1 > size ? std::string_view::npos : static_cast<std::size_t>(start) - 1;
  if (start == 0 || -start > static_cast<lua_Integer>(size)) return 0;
  return size - static_cast<std::size_t>(-start);
}

/// Plain search, charged by what it may compare.
std::size_t find_plain(Runtime& runtime, std::string_view subject, std::string_view wanted, std::size_t start) {
  if (wanted.empty()) return start;
  for (std::size_t at = start; at + wanted.size() <= subject.size();) {
    const std::size_t found = subject.find(wanted.front(), at);
    runtime.charge(((found == std::string_view::npos ? subject.size() : found) - at) / 64 + wanted.size() / 64 + 1);
    if (found == std::string_view::npos) return found;
    if (subject.substr(found).starts_with(wanted)) return found;
    at = found + 1;
  }
  return std::string_view::npos;
}

/// `string.find` and `string.match`.
int search(lua_State* state, bool find) {
  Runtime& runtime = Runtime::of(state);
  const std::string_view subject = check_string(state, 1);
  std::string_view pattern = check_string(state, 2);
  const std::size_t start = start_of(state, 3, subject.size());
  if (start == std::string_view::npos) {
    luaL_pushfail(state);
    return 1;
  }
  const bool is_plain = lua_toboolean(state, 4) != 0 || pattern.find_first_of("^$*+?.([%-") == std::string_view::npos;
  if (find && is_plain) {
    const std::size_t found = find_plain(runtime, subject, pattern, start);
    if (found == std::string_view::npos) {
      luaL_pushfail(state);
      return 1;
    }
    lua_pushinteger(state, static_cast<lua_Integer>(found) + 1);
    lua_pushinteger(state, static_cast<lua_Integer>(found + pattern.size()));
    return 2;
  }
  const bool is_anchored = pattern.starts_with('^');
  if (is_anchored) pattern.remove_prefix(1);
  PatternMatch match(runtime, subject, pattern);
  for (std::size_t at = start; at <= subject.size(); ++at) {
    const std::size_t end = match.match_at(at);
    if (end != std::string_view::npos) {
      if (!find) return match.push_captures(at, end, true);
      lua_pushinteger(state, static_cast<lua_Integer>(at) + 1);
      lua_pushinteger(state, static_cast<lua_Integer>(end));
      return 2 + match.push_captures(at, end, false);
    }
    if (is_anchored) break;
  }
  luaL_pushfail(state);
  return 1;
}

int string_find(lua_State* state) { return search(state, true); }
int string_match(lua_State* state) { return search(state, false); }

/// Upvalues: subject, pattern, where to go on, where the last match ended.
int gmatch_next(lua_State* state) {
  const std::string_view subject = check_string(state, lua_upvalueindex(1));
  const std::string_view pattern = check_string(state, lua_upvalueindex(2));
  const auto last_end = lua_tointeger(state, lua_upvalueindex(4));
  PatternMatch match(Runtime::of(state), subject, pattern);
  for (auto at = static_cast<std::size_t>(lua_tointeger(state, lua_upvalueindex(3))); at <= subject.size(); ++at) {
    const std::size_t end = match.match_at(at);
    if (end == std::string_view::npos || static_cast<lua_Integer>(end) == last_end) continue;
    lua_pushinteger(state, static_cast<lua_Integer>(end));
    lua_pushvalue(state, -1);
    lua_replace(state, lua_upvalueindex(3));
    lua_replace(state, lua_upvalueindex(4));
    return match.push_captures(at, end, true);
  }
  lua_pushinteger(state, static_cast<lua_Integer>(subject.size()) + 1);
  lua_replace(state, lua_upvalueindex(3));
  return 0;
}

int string_gmatch(lua_State* state) {
  const std::string_view subject = check_string(state, 1);
  (void)check_string(state, 2);
  const std::size_t start = start_of(state, 3, subject.size());
  lua_settop(state, 2);
  lua_pushinteger(state, static_cast<lua_Integer>(start == std::string_view::npos ? subject.size() + 1 : start));
  lua_pushinteger(state, -1);
  lua_pushcclosure(state, guarded<gmatch_next>, 4);
  return 1;
}

/// Adds the replacement text of gsub with its `%1`.
void expand(lua_State* state, std::string& out, std::string_view replacement, const PatternMatch& match,
            std::size_t begin, std::size_t end) {
  for (std::size_t i = 0; i < replacement.size(); ++i) {
    if (replacement[i] != '%') {
      out += replacement[i];
      continue;
    }
    const char next = i + 1 < replacement.size() ? replacement[i + 1] : '\0';
    ++i;
    if (next == '%') {
      out += '%';
    } else if (next >= '0' && next <= '9') {
      if (next == '0') {
        out += match.subject().substr(begin, end - begin);
        continue;
      }
      match.push_capture(static_cast<std::size_t>(next - '1'), begin, end);
      out += check_string(state, -1);
      lua_pop(state, 1);
    } else {
      luaL_error(state, "invalid use of '%%' in replacement string");
    }
  }
}

/// One replacement; false where the match stays.
bool replace(lua_State* state, std::string& out, const PatternMatch& match, std::size_t begin, std::size_t end) {
  switch (lua_type(state, 3)) {
    case LUA_TFUNCTION: {
      lua_pushvalue(state, 3);
      const int count = match.push_captures(begin, end, true);
      lua_call(state, count, 1);
      break;
    }
    case LUA_TTABLE:
      match.push_capture(0, begin, end);
      lua_gettable(state, 3);
      break;
    default:
      expand(state, out, check_string(state, 3), match, begin, end);
      return true;
  }
  const bool is_kept = lua_toboolean(state, -1) == 0;
  if (!is_kept) {
    if (lua_isstring(state, -1) == 0) luaL_error(state, "invalid replacement value (a %s)", luaL_typename(state, -1));
    out += check_string(state, -1);
  }
  lua_pop(state, 1);
  return !is_kept;
}

int string_gsub(lua_State* state) {
  Runtime& runtime = Runtime::of(state);
  const std::string_view subject = check_string(state, 1);
  std::string_view pattern = check_string(state, 2);
  const int type = lua_type(state, 3);
  luaL_argexpected(state, type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TFUNCTION || type == LUA_TTABLE, 3,
                   "string/function/table");
  const lua_Integer most = luaL_optinteger(state, 4, static_cast<lua_Integer>(subject.size()) + 1);
  const bool is_anchored = pattern.starts_with('^');
  if (is_anchored) pattern.remove_prefix(1);
  PatternMatch match(runtime, subject, pattern);
  std::string out;
  lua_Integer count = 0;
  std::size_t at = 0;
  std::size_t last_end = std::string_view::npos;
  while (count < most) {
    const std::size_t end = match.match_at(at);
    const std::size_t before = out.size();
    if (end != std::string_view::npos && end != last_end) {
      ++count;
      if (!replace(state, out, match, at, end)) out += subject.substr(at, end - at);
      at = last_end = end;
    } else if (at < subject.size()) {
      out += subject[at++];
    } else {
      break;
    }
    // What is built here is not Lua's memory yet.
    runtime.charge((out.size() - before) / 64);
    if (out.size() > runtime.memory_limit()) luaL_error(state, "the result is too long");
    if (is_anchored) break;
  }
  if (at < subject.size()) out += subject.substr(at);
  lua_pushlstring(state, out.data(), out.size());
  lua_pushinteger(state, count);
  return 2;
}

/// Upvalue: Lua's own function. Charged by its count: even of nothing it takes a turn each.
int string_rep(lua_State* state) {
  const lua_Integer count = luaL_checkinteger(state, 2);
  if (count > 0) Runtime::of(state).charge(static_cast<std::size_t>(count) / 8 + 1);
  const int arguments = lua_gettop(state);
  lua_pushvalue(state, lua_upvalueindex(1));
  lua_insert(state, 1);
  lua_call(state, arguments, 1);
  return 1;
}

/// Upvalue: Lua's own function. Addresses are not shown.
int string_format(lua_State* state) {
  const std::string_view format = check_string(state, 1);
  for (std::size_t i = format.find('%'); i != std::string_view::npos; i = format.find('%', i + 1)) {
    i = format.find_first_not_of("-+ #0123456789.", i + 1);
    if (i == std::string_view::npos) break;
    if (format[i] == 'p') luaL_argerror(state, 1, "'%p' is not allowed");
  }
  const int arguments = lua_gettop(state);
  for (int i = 2; i <= arguments; ++i) {
    const int type = lua_type(state, i);
    if (type == LUA_TSTRING || type == LUA_TNUMBER || type == LUA_TBOOLEAN || type == LUA_TNIL) continue;
    push_text(state, i);
    lua_replace(state, i);
  }
  lua_pushvalue(state, lua_upvalueindex(1));
  lua_insert(state, 1);
  lua_call(state, arguments, 1);
  return 1;
}

/// Upvalue: Lua's own function. Charged by the texts that it is given.
int by_length(lua_State* state) {
  const int arguments = lua_gettop(state);
  for (int i = 1; i <= arguments; ++i) {
    if (lua_type(state, i) == LUA_TSTRING) Runtime::of(state).charge(lua_rawlen(state, i) / 16);
  }
  lua_pushvalue(state, lua_upvalueindex(1));
  lua_insert(state, 1);
  lua_call(state, arguments, LUA_MULTRET);
  return lua_gettop(state);
}

/// Wraps a function of the table on top of the stack.
void wrap(lua_State* state, const char* name, lua_CFunction wrapper) {
  lua_getfield(state, -1, name);
  lua_pushcclosure(state, wrapper, 1);
  lua_setfield(state, -2, name);
}

}  // namespace

void open_string_library(lua_State* state) {
  luaL_requiref(state, "string", luaopen_string, 1);
  lua_pushnil(state);
  lua_setfield(state, -2, "dump");
  constexpr luaL_Reg kFunctions[] = {{"find", guarded<string_find>},
                                     {"match", guarded<string_match>},
                                     {"gmatch", guarded<string_gmatch>},
                                     {"gsub", guarded<string_gsub>},
                                     {nullptr, nullptr}};
  luaL_setfuncs(state, kFunctions, 0);
  wrap(state, "rep", guarded<string_rep>);
  wrap(state, "format", guarded<string_format>);
  for (const char* name : {"byte", "lower", "upper", "reverse", "pack", "packsize", "unpack"})
    wrap(state, name, guarded<by_length>);
  lua_pop(state, 1);
  // What all texts share must not be changed behind the back of this library.
  lua_pushliteral(state, "");
  lua_getmetatable(state, -1);
  lua_pushboolean(state, 0);
  lua_setfield(state, -2, "__metatable");
  lua_pop(state, 2);

  luaL_requiref(state, "utf8", luaopen_utf8, 1);
  for (const char* name : {"len", "codepoint", "offset", "codes"}) wrap(state, name, guarded<by_length>);
  lua_pop(state, 1);
  lua_pushglobaltable(state);
  wrap(state, "tonumber", guarded<by_length>);
  lua_pop(state, 1);
}

}  // namespace strata::lua
