// SPDX-License-Identifier: Apache-2.0
#include "runtime.hpp"
#include "strata/stack.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <new>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "strata/stop.hpp"
#include "value/plain_locale.hpp"

namespace strata::lua {
namespace {

/// Steps that library functions take between two looks at the clock.
constexpr std::size_t kStepsPerLook = 4096;
/// The largest block that 1000 instructions read in well below 100 ms: one may compare two texts, or search a table.
constexpr std::size_t kSmallBlock = std::size_t{64} << 10U;
constexpr const char* kErrorType = "strata.error";

/// An Error or another exception on its way through Lua.
struct ErrorBox {
  std::exception_ptr exception;
};

int error_to_string(lua_State* state) {
  const auto* box = static_cast<ErrorBox*>(luaL_checkudata(state, 1, kErrorType));
  try {
    std::rethrow_exception(box->exception);
  } catch (const std::exception& error) {
    lua_pushstring(state, error.what());
  }
  return 1;
}

int collect_error(lua_State* state) {
  static_cast<ErrorBox*>(luaL_checkudata(state, 1, kErrorType))->~ErrorBox();
  return 0;
}

std::timespec now() {
  std::timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time;
}

/// Lua's prefix `sN:LINE: `, taken off a message.
std::optional<std::pair<std::size_t, int>> take_prefix(std::string_view& message) {
  if (!message.starts_with('s')) return std::nullopt;
  std::size_t chunk = 0;
  int line = 0;
  const char* end = message.data() + message.size();
  auto [after_chunk, chunk_error] = std::from_chars(message.data() + 1, end, chunk);
  if (chunk_error != std::errc() || after_chunk == end || *after_chunk != ':') return std::nullopt;
  auto [after_line, line_error] = std::from_chars(after_chunk + 1, end, line);
  if (line_error != std::errc() || end - after_line < 2 || std::string_view(after_line, 2) != ": ") return std::nullopt;
  message.remove_prefix(static_cast<std::size_t>(after_line + 2 - message.data()));
  return std::pair(chunk, line);
}

/// The chunk's number in a short source name `sN`.
std::optional<std::size_t> chunk_number(std::string_view name) {
  std::size_t chunk = 0;
  if (!name.starts_with('s')) return std::nullopt;
  const auto [end, error] = std::from_chars(name.data() + 1, name.data() + name.size(), chunk);
  if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return chunk;
}

}  // namespace

/// The message handler of protected calls: gives an error its place while the stack still stands.
int traceback(lua_State* state) {
  if (luaL_testudata(state, 1, kErrorType) != nullptr) return 1;
  Runtime& runtime = Runtime::of(state);
  std::string message;
  if (lua_type(state, 1) == LUA_TSTRING) {
    std::size_t size = 0;
    const char* text = lua_tolstring(state, 1, &size);
    message.assign(text, size);
  } else if (luaL_callmeta(state, 1, "__tostring") != 0 && lua_type(state, -1) == LUA_TSTRING) {
    message = lua_tostring(state, -1);
  } else {
    message = fmt::format("the error is no text but {} value", luaL_typename(state, 1));
  }
  // The box must fit even where the budget is spent.
  const Runtime::AllocateFreely freely(runtime);
  push_exception(state, std::make_exception_ptr(runtime.describe_error(message)));
  return 1;
}

void push_exception(lua_State* state, std::exception_ptr exception) {
  new (lua_newuserdatauv(state, sizeof(ErrorBox), 0)) ErrorBox{std::move(exception)};
  if (luaL_newmetatable(state, kErrorType) != 0) {
    lua_pushcfunction(state, error_to_string);
    lua_setfield(state, -2, "__tostring");
    lua_pushcfunction(state, collect_error);
    lua_setfield(state, -2, "__gc");
    lua_pushboolean(state, 0);
    lua_setfield(state, -2, "__metatable");
  }
  lua_setmetatable(state, -2);
}

Runtime::Runtime(const Sources& sources, const Limits& limits, std::size_t memory, std::uint32_t seconds)
    : sources_(sources), limits_(limits), memory_limit_(memory), seconds_(seconds) {
  allocates_freely_ = true;
  state_ = lua_newstate(allocate, this);
  if (state_ == nullptr) throw std::bad_alloc();
  *static_cast<Runtime**>(lua_getextraspace(state_)) = this;
  allocates_freely_ = false;
}

Runtime::~Runtime() {
  allocates_freely_ = true;
  lua_sethook(state_, nullptr, 0, 0);
  lua_close(state_);
}

Runtime& Runtime::of(lua_State* state) noexcept { return **static_cast<Runtime**>(lua_getextraspace(state)); }

void Runtime::spend(std::size_t steps) noexcept {
  if (steps > steps_left_) {
    steps_left_ = 0;
    out_of_steps_ = true;
  } else {
    steps_left_ -= steps;
  }
}

void Runtime::charge(std::size_t steps) {
  spend(steps);
  charged_ += steps;
  if (charged_ >= kStepsPerLook) {
    charged_ = 0;
    look_at_clock();
  }
  if (out_of_steps_) fail_budget();
}

void Runtime::fail_budget() {
  // The message must fit although nothing else may.
  const AllocateFreely freely(*this);
  luaL_error(state_, "the budget of steps is spent");
}

/// Lua makes no message of an allocation that failed: this is where its place can be seen.
void Runtime::note_failure() noexcept { std::tie(failure_chunk_, failure_line_) = current_line(); }

std::pair<std::size_t, int> Runtime::current_line() const {
  lua_Debug activation{};
  for (int level = 0; lua_getstack(state_, level, &activation) != 0; ++level) {
    lua_getinfo(state_, "Sl", &activation);
    const auto chunk = chunk_number(activation.short_src);
    if (chunk && activation.currentline > 0 && !(*chunk < is_own_.size() && is_own_[*chunk]))
      return {*chunk, activation.currentline};
  }
  return {0, 0};
}

void* Runtime::allocate(void* pointer, void* block, std::size_t old_size, std::size_t new_size) {
  auto& runtime = *static_cast<Runtime*>(pointer);
  if (block == nullptr) old_size = 0;  // It is a type then.
  if (new_size == 0) {
    std::free(block);  // NOLINT(cppcoreguidelines-no-malloc): Lua's contract is that of realloc
    runtime.memory_ -= old_size;
    return nullptr;
  }
  if (new_size > old_size && !runtime.allocates_freely_) {
    if (runtime.memory_ + (new_size - old_size) > runtime.memory_limit_) {
      runtime.note_failure();
      return nullptr;
    }
    // Building long texts is work that no instruction counts.
    runtime.spend(new_size / kBytesPerStep);
    if (runtime.out_of_steps_) {
      runtime.note_failure();
      return nullptr;
    }
  }
  void* result = std::realloc(block, new_size);  // NOLINT(cppcoreguidelines-no-malloc)
  if (result == nullptr) return nullptr;
  runtime.memory_ += new_size - old_size;
  if (new_size > kSmallBlock) runtime.note_block(new_size);
  return result;
}

void Runtime::note_block(std::size_t size) noexcept {
  const int wanted = std::max(1, static_cast<int>(std::size_t{1000} * kSmallBlock / size));
  if (wanted >= hook_interval_ || state_ == nullptr) return;
  hook_interval_ = wanted;
  if (lua_gethookcount(state_) > wanted) lua_sethook(state_, count_hook, LUA_MASKCOUNT, wanted);
}

bool Runtime::is_late() const noexcept {
  if (limits_.stop != nullptr && limits_.stop->is_due()) return true;
  const std::timespec time = now();
  return time.tv_sec > deadline_.tv_sec || (time.tv_sec == deadline_.tv_sec && time.tv_nsec > deadline_.tv_nsec);
}

void Runtime::look_at_clock() {
  if (is_late()) out_of_steps_ = out_of_time_ = true;
  if (out_of_steps_) fail_budget();
}

void Runtime::count_hook(lua_State* state, lua_Debug* /*activation*/) {
  Runtime& runtime = of(state);
  runtime.spend(static_cast<std::size_t>(runtime.hook_interval_));
  if (runtime.is_late()) runtime.out_of_steps_ = runtime.out_of_time_ = true;
  if (!runtime.out_of_steps_) return;
  // From now on every instruction fails, so that pcall cannot hold the end up.
  lua_sethook(state, count_hook, LUA_MASKCOUNT, 1);
  runtime.fail_budget();
}

void Runtime::begin_run() {
  ++run_;
  steps_left_ = limits_.steps;
  out_of_steps_ = out_of_time_ = false;
  failure_line_ = 0;
  deadline_ = now();
  deadline_.tv_sec += seconds_;
  lua_sethook(state_, count_hook, LUA_MASKCOUNT, hook_interval_);
}

void Runtime::protect(int (*function)(lua_State*), void* argument) {
  // Lua nests at most 200 calls of C functions within each other (LUAI_MAXCCALLS), and looks at no stack.
  constexpr std::size_t kLevelsOfLua = 200;
  check_stack(limits_.depth + kLevelsOfLua);
  // Lua reads and writes numbers with functions of C.
  const PlainLocale locale;
  if (entered_ == 0) begin_run();
  if (lua_checkstack(state_, 16) == 0) throw Error("lua.memory", "the stack of a Lua script is full");
  const int top = lua_gettop(state_);
  // None of these three allocates.
  lua_pushcfunction(state_, guarded<traceback>);
  lua_pushcfunction(state_, function);
  lua_pushlightuserdata(state_, argument);
  ++entered_;
  const int status = lua_pcall(state_, 1, 0, top + 1);
  --entered_;
  if (status == LUA_OK) {
    lua_settop(state_, top);
    return;
  }
  std::exception_ptr exception;
  try {
    raise(status);
  } catch (const std::exception&) {
    exception = std::current_exception();
  }
  lua_settop(state_, top);
  std::rethrow_exception(exception);
}

void Runtime::raise(int status) {
  const auto* box = static_cast<ErrorBox*>(luaL_testudata(state_, -1, kErrorType));
  if (out_of_steps_ && box != nullptr) {
    try {
      std::rethrow_exception(box->exception);
    } catch (const Error& error) {
      if (error.ends_request() || error.limit() == Limit::steps) throw;
    }
  }
  if (out_of_steps_) throw located(out_of_budget(), failure_chunk_, failure_line_);
  if (box != nullptr) std::rethrow_exception(box->exception);
  const std::string file = chunks_.empty() ? "<lua>" : sources_.file(chunks_.front());
  if (status == LUA_ERRMEM) {
    Error error =
        Error("lua.memory", fmt::format("a Lua script needs more than {} MiB of memory", memory_limit_ >> 20U))
            .in(file);
    throw located(std::move(error), failure_chunk_, failure_line_);
  }
  const char* text = lua_tostring(state_, -1);
  throw Error("lua.runtime", text == nullptr ? "an error occurred while an error was handled" : text).in(file);
}

Error Runtime::out_of_budget() const {
  if (limits_.stop != nullptr) {
    try {
      limits_.stop->check();
    } catch (const Error& ended) {
      return ended;
    }
  }
  if (out_of_time_)
    return Error("limit.steps", fmt::format("a Lua script runs for more than {} seconds", seconds_))
        .hint("does it end?");
  return Error("limit.steps", fmt::format("a Lua script takes more than {} steps", limits_.steps))
      .hint("does it end? If it does, raise the limit with --limit steps=NUMBER");
}

Error Runtime::located(Error error, std::size_t chunk, int line) const {
  if (chunk >= chunks_.size() || line <= 0) return error;
  const SourceId source = chunks_.at(chunk);
  const std::string_view text = sources_.text(source);
  std::size_t offset = 0;
  for (int i = 1; i < line; ++i) {
    const std::size_t end = text.find('\n', offset);
    if (end == std::string_view::npos) break;
    offset = end + 1;
  }
  const std::size_t code = text.find_first_not_of(" \t", offset);
  if (code != std::string_view::npos && text[code] != '\n' && text[code] != '\r') offset = code;
  return std::move(error).at(sources_, sources_.at(source, offset));
}

Error Runtime::describe_error(std::string_view message, std::string_view code) const {
  const auto prefix = take_prefix(message);
  Error error = out_of_steps_ ? out_of_budget() : Error(std::string(code), std::string(message));
  const auto [chunk, line] =
      prefix && !(prefix->first < is_own_.size() && is_own_[prefix->first]) ? *prefix : current_line();
  return located(std::move(error), chunk, line);
}

Error Runtime::here(Error error) const {
  const auto [chunk, line] = current_line();
  return located(std::move(error), chunk, line);
}

Error Runtime::in_function(Error error, int index) const {
  lua_Debug activation{};
  lua_pushvalue(state_, index);
  lua_getinfo(state_, ">S", &activation);
  const auto chunk = chunk_number(activation.short_src);
  if (!chunk || !error.diagnostic().where.place.file.empty()) return error;
  return located(std::move(error), *chunk, activation.linedefined);
}

std::string Runtime::chunk_name(SourceId source, bool is_own) {
  chunks_.push_back(source);
  is_own_.push_back(is_own);
  return fmt::format("=s{}", chunks_.size() - 1);
}

}  // namespace strata::lua
