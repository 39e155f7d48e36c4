// SPDX-License-Identifier: Apache-2.0
#include "convert.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "containers.hpp"
#include "libraries.hpp"
#include "runtime.hpp"
#include "strata/builder.hpp"

namespace strata::lua {
namespace {

// NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): the very same node, marks and origin included
bool same_node(const Value& left, const Value& right) { return std::memcmp(&left, &right, sizeof(Value)) == 0; }

/// Values that stood where one stands that comes back, the likeliest first.
struct Near {
  Value own;  ///< In the container that the table was made of.
  Value incoming;
  Value old;
};

Value item_of(const Value& sequence, std::size_t index) {
  return sequence.is_sequence() && index < sequence.size() ? sequence.items()[index] : Value();
}

/// First byte of what is no UTF-8; npos where all is well.
std::size_t invalid_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t size = lead < 0x80U   ? 1
                             : lead < 0xC2U ? 0
                             : lead < 0xE0U ? 2
                             : lead < 0xF0U ? 3
                             : lead < 0xF5U ? 4
                                            : 0;
    if (size == 0 || i + size > text.size()) return i;
    for (std::size_t k = 1; k < size; ++k) {
      if ((static_cast<unsigned char>(text[i + k]) & 0xC0U) != 0x80U) return i;
    }
    const auto second = static_cast<unsigned char>(size > 1 ? text[i + 1] : '\0');
    const bool is_wrong = (lead == 0xE0U && second < 0xA0U) || (lead == 0xEDU && second > 0x9FU) ||
                          (lead == 0xF0U && second < 0x90U) || (lead == 0xF4U && second > 0x8FU);
    if (is_wrong) return i;
    i += size;
  }
  return std::string_view::npos;
}

/// One value on its way back.
class Reader {
 public:
  Reader(lua_State* state, Arena& arena, const Origins& origins)
      : state_(state), runtime_(Runtime::of(state)), arena_(arena), origins_(origins) {}

  // Recursion: bounded by Limits::depth.
  Value read(int index, const Near& near, std::size_t depth) {
    runtime_.charge(1);
    if (++nodes_ > runtime_.limits().result) {
      throw runtime_.describe_error(
          fmt::format("what the script returns has more than {} nodes", runtime_.limits().result), "limit.result");
    }
    switch (lua_type(state_, index)) {
      case LUA_TNONE:
      case LUA_TNIL:
        return {};
      case LUA_TBOOLEAN:
        return settle(Value::boolean(lua_toboolean(state_, index) != 0), near);
      case LUA_TNUMBER:
        return settle(number(index), near);
      case LUA_TSTRING:
        return text(index, near);
      case LUA_TUSERDATA:
        if (is_null(state_, index)) return settle(Value::null(), near);
        if (const Opaque* opaque = opaque_of(state_, index)) {
          // Equal ones are one in Lua, wherever they were written.
          const Value* found = find_near(opaque->value, near);
          return found == nullptr ? opaque->value : *found;
        }
        break;
      case LUA_TTABLE:
        return container(index, near, depth);
      default:
        break;
    }
    fail(fmt::format("a {} cannot be part of a result", luaL_typename(state_, index)));
  }

 private:
  [[noreturn]] void fail(const std::string& message) const { throw runtime_.describe_error(message, "lua.result"); }

  Value number(int index) const {
    return lua_isinteger(state_, index) != 0 ? Value::integer(lua_tointeger(state_, index))
                                             : Value::floating(lua_tonumber(state_, index));
  }

  /// A scalar with the origin of an equal one that is near.
  Value settle(const Value& value, const Near& near) {
    if (const Value* found = find_near(value, near)) return *found;
    return value.with_origin(origins_.otherwise).with_secret(runtime_.secret_seen);
  }

  static const Value* find_near(const Value& value, const Near& near) {
    for (const Value* candidate : {&near.own, &near.incoming, &near.old}) {
      if (candidate->kind() == value.kind() && equal(*candidate, value)) return candidate;
    }
    return nullptr;
  }

  Value text(int index, const Near& near) {
    std::size_t size = 0;
    const char* begin = lua_tolstring(state_, index, &size);
    const std::string_view characters(begin, size);
    for (const Value* candidate : {&near.own, &near.incoming, &near.old}) {
      if (candidate->is_text() && candidate->text() == characters) return *candidate;
    }
    runtime_.charge(size / 16);
    if (invalid_utf8(characters) != std::string_view::npos) fail("a text that is not UTF-8 cannot be part of a result");
    return arena_.text(characters).with_origin(origins_.otherwise).with_secret(runtime_.secret_seen);
  }

  Value container(int index, const Near& near, std::size_t depth) {
    if (depth >= runtime_.limits().depth) {
      throw runtime_
          .describe_error(
              fmt::format("what the script returns is nested deeper than {} levels", runtime_.limits().depth),
              "limit.depth")
          .hint("is a table part of itself? If not, raise the limit with --limit depth=LEVELS");
    }
    luaL_checkstack(state_, 8, "nested too deeply");
    index = lua_absindex(state_, index);
    const Node* node = node_of(state_, index);
    Near here = near;
    here.own = {};
    ContainerKind kind = ContainerKind::none;
    if (node != nullptr) {
      kind = node->kind;
      if (!node->is_open) {
        if (node->run != runtime_.run()) open_container(state_, index);  // It tells what is wrong.
        return node->source;
      }
      if (node->run == runtime_.run()) here.own = node->source;
    }
    if (kind == ContainerKind::none) kind = guess_kind(index, near);
    return kind == ContainerKind::sequence ? sequence(index, here, depth)
                                           : mapping(index, here, depth, node != nullptr);
  }

  /// What a plain table is: a sequence where its keys are 1, 2, …, else a mapping; empty, what stands near, else a
  /// sequence.
  ContainerKind guess_kind(int index, const Near& near) {
    const std::size_t size = lua_rawlen(state_, index);
    std::size_t count = 0;
    for (lua_pushnil(state_); lua_next(state_, index) != 0; lua_pop(state_, 1)) ++count;
    runtime_.charge(count);
    if (count != 0) return size == count ? ContainerKind::sequence : ContainerKind::mapping;
    for (const Value* candidate : {&near.incoming, &near.old}) {
      if (candidate->is_mapping()) return ContainerKind::mapping;
      if (candidate->is_sequence()) return ContainerKind::sequence;
    }
    return ContainerKind::sequence;
  }

  /// The origin of a container: that of its last contribution.
  [[nodiscard]] Value finish(const Value& container, const Near& near) const {
    bool is_secret = runtime_.secret_seen;
    Origin origin = origins_.otherwise;
    for (const Value* candidate : {&near.incoming, &near.own, &near.old}) {
      if (candidate->kind() != container.kind()) continue;
      origin = candidate->origin();
      break;
    }
    return container.with_origin(origin).with_secret(is_secret);
  }

  Value sequence(int index, const Near& near, std::size_t depth) {
    const std::size_t size = lua_rawlen(state_, index);
    check_members(index, size);
    std::vector<Value> items;
    items.reserve(size);
    std::optional<MappingBuilder> elsewhere;
    for (std::size_t i = 0; i < size; ++i) {
      lua_rawgeti(state_, index, static_cast<lua_Integer>(i) + 1);
      const Near next{.own = item_of(near.own, i), .incoming = item_of(near.incoming, i), .old = item_of(near.old, i)};
      Value item = read(-1, next, depth + 1);
      const bool is_scalar = lua_type(state_, -1) != LUA_TTABLE && lua_type(state_, -1) != LUA_TUSERDATA;
      lua_pop(state_, 1);
      if (is_scalar && find_near(item, next) == nullptr) item = moved(item, near, elsewhere);
      items.push_back(item);
    }
    if (near.own.is_sequence() && near.own.size() == size && std::ranges::equal(items, near.own.items(), same_node))
      return near.own;
    return finish(arena_.sequence(items), near);
  }

  /// An item that may have come from another index.
  Value moved(const Value& item, const Near& near, std::optional<MappingBuilder>& elsewhere) {
    if (!elsewhere) {
      elsewhere.emplace(scratch_);
      for (const Value* sequence : {&near.old, &near.own, &near.incoming}) {
        if (!sequence->is_sequence()) continue;
        runtime_.charge(sequence->size());
        for (const Value& candidate : sequence->items()) {
          if (!candidate.is_container()) elsewhere->insert(scratch_.key(candidate), candidate);
        }
      }
    }
    const Value* found = elsewhere->find(scratch_.key(item));
    return found == nullptr ? item : *found;
  }

  void check_members(int index, std::size_t size) {
    std::size_t count = 0;
    for (lua_pushnil(state_); lua_next(state_, index) != 0; lua_pop(state_, 1)) {
      if (!is_hidden_key(state_, -2)) ++count;
    }
    runtime_.charge(count);
    if (count != size) fail("a sequence has keys other than 1, 2, …, or a hole");
  }

  Value mapping(int index, const Near& near, std::size_t depth, bool has_order) {
    if (has_order) {
      push_ordered_keys(state_, index);
    } else {
      push_sorted_keys(state_, index);
    }
    const int keys = lua_gettop(state_);
    const std::size_t size = lua_rawlen(state_, keys);
    std::vector<Entry> entries;
    entries.reserve(size);
    for (std::size_t i = 0; i < size; ++i) {
      lua_rawgeti(state_, keys, static_cast<lua_Integer>(i) + 1);
      const Value key = read_key(near);
      lua_rawget(state_, index);
      const Near next{
          .own = member_of(near.own, key), .incoming = member_of(near.incoming, key), .old = member_of(near.old, key)};
      const Value value = read(-1, next, depth + 1);
      lua_pop(state_, 1);
      entries.push_back({.key = key, .value = value});
    }
    lua_pop(state_, 1);
    const auto same_entry = [](const Entry& left, const Entry& right) {
      return same_node(left.value, right.value) && equal(left.key, right.key);
    };
    if (near.own.is_mapping() && std::ranges::equal(entries, near.own.entries(), same_entry)) return near.own;
    if (!has_order) reorder(entries, near);
    KeyEquality equality = origins_.equality;
    for (const Value* candidate : {&near.own, &near.incoming, &near.old}) {
      if (!candidate->is_mapping()) continue;
      equality = Arena::equality(*candidate);
      break;
    }
    MappingBuilder result(arena_, equality, entries.size());
    for (const Entry& entry : entries) {
      if (entry.key.is_container() && equality != KeyEquality::exact)
        fail("a sequence or mapping cannot be a key here");
      result.insert(arena_.key(entry.key), entry.value);
    }
    return finish(result.finish(), near);
  }
  /// The key on top of the stack, which stays, as it was written near by.
  Value read_key(const Near& near) {
    Value key;
    switch (lua_type(state_, -1)) {
      case LUA_TBOOLEAN:
        key = Value::boolean(lua_toboolean(state_, -1) != 0);
        break;
      case LUA_TNUMBER:
        key = number(-1);
        break;
      case LUA_TSTRING:
        key = text(-1, {});
        break;
      default:
        if (is_null(state_, -1)) {
          key = Value::null();
        } else if (const Opaque* opaque = opaque_of(state_, -1)) {
          key = opaque->value;
        } else {
          fail(fmt::format("a {} cannot be a key of a result", luaL_typename(state_, -1)));
        }
    }
    key = scratch_.key(key);
    for (const Value* candidate : {&near.own, &near.incoming, &near.old}) {
      if (!candidate->is_mapping()) continue;
      const std::size_t position = Arena::index_of(*candidate, key);
      if (position != Arena::npos && equal(candidate->entries()[position].key, key))
        return candidate->entries()[position].key;
    }
    return key.origin() ? key : key.with_origin(origins_.otherwise);
  }

  static Value member_of(const Value& mapping, const Value& key) {
    if (!mapping.is_mapping()) return {};
    const Value* found = mapping.find(key);
    return found == nullptr ? Value() : *found;
  }

  /// A plain table has no order: the keys that stand near come first, in their order there.
  static void reorder(std::vector<Entry>& entries, const Near& near) {
    const auto rank = [&](const Entry& entry) {
      std::size_t base = 0;
      for (const Value* candidate : {&near.old, &near.incoming}) {
        if (!candidate->is_mapping()) continue;
        const std::size_t position = Arena::index_of(*candidate, entry.key);
        if (position != Arena::npos) return base + position;
        base += candidate->size();
      }
      return base;
    };
    std::vector<std::pair<std::size_t, Entry>> ranked;
    ranked.reserve(entries.size());
    for (const Entry& entry : entries) ranked.emplace_back(rank(entry), entry);
    std::ranges::stable_sort(ranked, {}, &std::pair<std::size_t, Entry>::first);
    for (std::size_t i = 0; i < entries.size(); ++i) entries[i] = ranked[i].second;
  }

  lua_State* state_;
  Runtime& runtime_;
  Arena& arena_;
  const Origins& origins_;
  Arena scratch_;
  std::size_t nodes_ = 0;
};

}  // namespace

void push_value(lua_State* state, const Value& value) {
  luaL_checkstack(state, 8, "too many values");
  if (value.is_secret()) Runtime::of(state).secret_seen = true;
  switch (value.kind()) {
    case Kind::absent:
      lua_pushnil(state);
      return;
    case Kind::null:
      push_null(state);
      return;
    case Kind::boolean:
      lua_pushboolean(state, value.as_boolean() ? 1 : 0);
      return;
    case Kind::integer:
      lua_pushinteger(state, value.as_integer());
      return;
    case Kind::floating:
      lua_pushnumber(state, value.as_floating());
      return;
    case Kind::text:
      lua_pushlstring(state, value.text().data(), value.text().size());
      return;
    case Kind::sequence:
    case Kind::mapping:
      push_container(state, value);
      return;
    default:
      push_opaque(state, value);
      return;
  }
}

Value to_value(lua_State* state, int index, Arena& arena, const Origins& origins) {
  return Reader(state, arena, origins)
      .read(lua_absindex(state, index), {.own = {}, .incoming = origins.incoming, .old = origins.old}, 0);
}

std::string_view name_of(Kind kind) noexcept {
  switch (kind) {
    case Kind::absent:
      return "nil";
    case Kind::null:
      return "null";
    case Kind::boolean:
      return "boolean";
    case Kind::integer:
    case Kind::big_integer:
      return "integer";
    case Kind::floating:
      return "float";
    case Kind::text:
      return "text";
    case Kind::binary:
      return "binary";
    case Kind::date:
      return "date";
    case Kind::timestamp:
      return "timestamp";
    case Kind::sequence:
      return "sequence";
    case Kind::mapping:
      return "mapping";
    case Kind::set:
      return "set";
    case Kind::object:
      return "object";
  }
  return "object";
}

}  // namespace strata::lua
