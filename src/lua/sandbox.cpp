// SPDX-License-Identifier: Apache-2.0
#include "sandbox.hpp"

#include <utility>
#include <vector>

#include "convert.hpp"
#include "libraries.hpp"
#include "runtime.hpp"

namespace strata::lua {
namespace {

/// A host function on loan to a script.
struct HostCall {
  const HostFunction* function;  ///< Null once the loan is over.
  Arena* arena;
  const Origins* origins;
};

int call_host(lua_State* state) {
  const auto* call = static_cast<const HostCall*>(lua_touserdata(state, lua_upvalueindex(1)));
  if (call->function == nullptr)
    return luaL_error(state, "this function may be called only while the call that it was given to goes on");
  Runtime::of(state).look_at_clock();
  const int count = lua_gettop(state);
  std::vector<Value> arguments;
  for (int i = 1; i <= count; ++i) arguments.push_back(to_value(state, i, *call->arena, *call->origins));
  try {
    push_value(state, (*call->function)(arguments));
  } catch (const Error& error) {
    if (error.category() != Category::script || !error.diagnostic().where.place.file.empty()) throw;
    throw Runtime::of(state).here(error);
  }
  return 1;
}

/// One call of a script's function: lends it the host functions, and ends the loans when it is over, however that
/// comes.
///
/// The loans stay on the stack below the function, so that they are not collected before.
class Invocation {
 public:
  Invocation(Runtime& runtime, std::span<const Argument> arguments, Arena* arena, const Origins* origins)
      : state_(runtime.state()), arguments_(arguments) {
    luaL_checkstack(state_, static_cast<int>(2 * arguments.size()) + 8, "too many arguments");
    loans_.reserve(arguments.size());
    for (const Argument& argument : arguments) {
      const auto* function = std::get_if<const HostFunction*>(&argument);
      if (function == nullptr) continue;
      loans_.push_back(static_cast<HostCall*>(lua_newuserdatauv(state_, sizeof(HostCall), 0)));
      *loans_.back() = {.function = *function, .arena = arena, .origins = origins};
    }
    base_ = lua_gettop(state_);
  }
  ~Invocation() {
    for (HostCall* loan : loans_) loan->function = nullptr;
  }
  Invocation(const Invocation&) = delete;
  Invocation& operator=(const Invocation&) = delete;

  /// Calls the function of a registry key. The results are on the stack from the index on that it returns.
  template <class PushReference>
  int call(int function, const PushReference& push_reference) {
    lua_rawgeti(state_, LUA_REGISTRYINDEX, function);
    int loan = base_ - static_cast<int>(loans_.size());
    for (const Argument& argument : arguments_) {
      if (const auto* value = std::get_if<Value>(&argument)) {
        push_value(state_, *value);
      } else if (const auto* reference = std::get_if<const Reference*>(&argument)) {
        push_reference(**reference);
      } else {
        lua_pushvalue(state_, ++loan);
        lua_pushcclosure(state_, guarded<call_host>, 1);
      }
    }
    lua_call(state_, static_cast<int>(arguments_.size()), LUA_MULTRET);
    return base_ + 1;
  }

 private:
  lua_State* state_;
  std::span<const Argument> arguments_;
  std::vector<HostCall*> loans_;
  int base_ = 0;
};

int type_of(lua_State* state, int key) {
  const int type = lua_rawgeti(state, LUA_REGISTRYINDEX, key);
  lua_pop(state, 1);
  return type;
}

}  // namespace

Reference::Reference(Reference&& other) noexcept : runtime_(std::exchange(other.runtime_, nullptr)), key_(other.key_) {}

Reference& Reference::operator=(Reference&& other) noexcept {
  std::swap(runtime_, other.runtime_);
  std::swap(key_, other.key_);
  return *this;
}

Reference::~Reference() {
  if (runtime_ != nullptr) luaL_unref(runtime_->state(), LUA_REGISTRYINDEX, key_);
}

bool Reference::is_function() const { return runtime_ != nullptr && type_of(runtime_->state(), key_) == LUA_TFUNCTION; }
bool Reference::is_table() const { return runtime_ != nullptr && type_of(runtime_->state(), key_) == LUA_TTABLE; }

Reference Reference::field(std::string_view name) const {
  Reference result;
  if (!is_table()) return result;
  lua_State* state = runtime_->state();
  runtime_->protect([&] {
    lua_rawgeti(state, LUA_REGISTRYINDEX, key_);
    lua_pushlstring(state, name.data(), name.size());
    if (lua_rawget(state, -2) == LUA_TNIL) return;
    result.key_ = luaL_ref(state, LUA_REGISTRYINDEX);
    result.runtime_ = runtime_;
  });
  return result;
}

Sandbox::Sandbox(const Sources& sources, const Limits& limits, SandboxOptions options)
    : runtime_(std::make_unique<Runtime>(sources, limits, options.memory, options.seconds)) {
  lua_State* state = runtime_->state();
  runtime_->protect([&] {
    open_base_library(state);
    open_string_library(state);
    open_table_library(state);
    open_containers(state);
  });
}

Sandbox::~Sandbox() = default;

Reference Sandbox::load(SourceId source, bool is_own) {
  lua_State* state = runtime_->state();
  Reference result;
  runtime_->protect([&] {
    const std::string_view text = runtime_->text(source);
    if (luaL_loadbufferx(state, text.data(), text.size(), runtime_->chunk_name(source, is_own).c_str(), "t") !=
        LUA_OK) {
      if (lua_type(state, -1) != LUA_TSTRING) lua_error(state);
      throw runtime_->describe_error(lua_tostring(state, -1), "lua.syntax");
    }
    lua_call(state, 0, 1);
    if (lua_isnil(state, -1)) return;
    result.key_ = luaL_ref(state, LUA_REGISTRYINDEX);
    result.runtime_ = runtime_.get();
  });
  return result;
}

Reference Sandbox::call_for_reference(const Reference& function, std::span<const Argument> arguments) {
  lua_State* state = runtime_->state();
  Reference result;
  runtime_->protect([&] {
    Invocation invocation(*runtime_, arguments, nullptr, nullptr);
    const int first = invocation.call(
        function.key_, [&](const Reference& argument) { lua_rawgeti(state, LUA_REGISTRYINDEX, argument.key_); });
    if (lua_isnoneornil(state, first)) return;
    lua_settop(state, first);
    result.key_ = luaL_ref(state, LUA_REGISTRYINDEX);
    result.runtime_ = runtime_.get();
  });
  return result;
}

Value Sandbox::call(const Reference& function, std::span<const Argument> arguments, Arena& arena,
                    const Origins& origins) {
  lua_State* state = runtime_->state();
  Value result;
  runtime_->protect([&] {
    Invocation invocation(*runtime_, arguments, &arena, &origins);
    const int first = invocation.call(
        function.key_, [&](const Reference& argument) { lua_rawgeti(state, LUA_REGISTRYINDEX, argument.key_); });
    if (lua_gettop(state) < first) {
      lua_rawgeti(state, LUA_REGISTRYINDEX, function.key_);
      throw runtime_->in_function(
          Error("lua.result", "the function returns nothing").hint("end it with 'return', even to return nil"), -1);
    }
    try {
      result = to_value(state, first, arena, origins);
    } catch (const Error& error) {
      lua_rawgeti(state, LUA_REGISTRYINDEX, function.key_);
      throw runtime_->in_function(error, -1);
    }
  });
  return result;
}

Error Sandbox::in_function(Error error, const Reference& function) const {
  lua_State* state = runtime_->state();
  lua_rawgeti(state, LUA_REGISTRYINDEX, function.key_);
  Error placed = runtime_->in_function(std::move(error), -1);
  lua_pop(state, 1);
  return placed;
}

bool Sandbox::has_seen_secrets() const noexcept { return runtime_->secret_seen; }

Reference Sandbox::word_set(std::span<const std::string> words) {
  lua_State* state = runtime_->state();
  Reference result;
  runtime_->protect([&] {
    lua_createtable(state, static_cast<int>(words.size()), static_cast<int>(words.size()));
    lua_Integer index = 0;
    for (const std::string& word : words) {
      lua_pushlstring(state, word.data(), word.size());
      lua_pushvalue(state, -1);
      lua_rawseti(state, -3, ++index);
      lua_pushboolean(state, 1);
      lua_rawset(state, -3);
    }
    result.key_ = luaL_ref(state, LUA_REGISTRYINDEX);
    result.runtime_ = runtime_.get();
  });
  return result;
}

}  // namespace strata::lua
