// SPDX-License-Identifier: Apache-2.0
// What stands behind one lua_State: its budgets, its errors, and the way into it.
#pragma once

#include <cstdint>
#include <ctime>
#include <exception>
#include <lua.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "strata/error.hpp"
#include "strata/limits.hpp"
#include "strata/value.hpp"

namespace strata::lua {

/// Bytes that are allocated or compared for the price of one step.
inline constexpr std::size_t kBytesPerStep = 64;

/// Puts a C++ exception on the stack as a Lua error object. Protected calls give it back as it was.
void push_exception(lua_State* state, std::exception_ptr exception);

/// The budgets of a state. Everything that a script can make the machine do is charged to them: VM instructions by a
/// hook, memory by the allocator, the work of library functions by themselves.
///
/// Lua's errors are C++ exceptions here (see CMakeLists.txt): functions that Lua calls may hold objects with
/// destructors.
class Runtime {
 public:
  Runtime(const Sources& sources, const Limits& limits, std::size_t memory, std::uint32_t seconds);
  ~Runtime();
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  [[nodiscard]] lua_State* state() const noexcept { return state_; }
  [[nodiscard]] static Runtime& of(lua_State* state) noexcept;
  [[nodiscard]] const Limits& limits() const noexcept { return limits_; }
  [[nodiscard]] std::size_t memory_limit() const noexcept { return memory_limit_; }

  /// Runs `body` in protected mode and turns what goes wrong into an Error. The outermost call gets a fresh budget, and
  /// begins a new run: values of earlier runs cannot be used any more.
  template <class Body>
  void protect(Body&& body) {
    const auto trampoline = [](lua_State* state) -> int {
      try {
        (*static_cast<std::remove_reference_t<Body>*>(lua_touserdata(state, 1)))();
        return 0;
      } catch (const std::exception&) {
        push_exception(state, std::current_exception());
      }
      return lua_error(state);
    };
    protect(static_cast<int (*)(lua_State*)>(trampoline), &body);
  }

  /// Takes steps from the budget, and looks at the clock once in a while. Raises a Lua error when the budget is spent.
  void charge(std::size_t steps);
  /// Raises a Lua error when the run has taken too much processor time; for calls that lead out of Lua, whose work no
  /// step counts.
  void look_at_clock();
  /// Number of the run that goes on now, or of the last one. Values that point into arenas belong to a run.
  [[nodiscard]] std::uint64_t run() const noexcept { return run_; }

  /// The name that a text's code is compiled under; errors find the way back from it.
  /// No error is placed in a text that `is_own`.
  [[nodiscard]] std::string chunk_name(SourceId source, bool is_own);

  /// An error of a script as an Error: the place is taken from Lua's own prefix `sN:LINE:`, else from the stack.
  [[nodiscard]] Error describe_error(std::string_view message, std::string_view code = "lua.runtime") const;

  /// The error with the place of the innermost line of a user that is being run.
  [[nodiscard]] Error here(Error error) const;
  /// The error with the place where the function at an index of the stack begins, unless it has a place.
  [[nodiscard]] Error in_function(Error error, int index) const;
  [[nodiscard]] std::string_view text(SourceId source) const { return sources_.text(source); }

  /// Once a secret was shown to the scripts, whatever they make counts as secret.
  bool secret_seen = false;

 private:
  friend int traceback(lua_State* state);
  void protect(int (*function)(lua_State*), void* argument);
  void begin_run();
  [[noreturn]] void raise(int status);

  /// No limits for a scope.
  class AllocateFreely {
   public:
    explicit AllocateFreely(Runtime& runtime) : runtime_(runtime), before_(runtime.allocates_freely_) {
      runtime.allocates_freely_ = true;
    }
    ~AllocateFreely() { runtime_.allocates_freely_ = before_; }
    AllocateFreely(const AllocateFreely&) = delete;
    AllocateFreely& operator=(const AllocateFreely&) = delete;

   private:
    Runtime& runtime_;
    bool before_;
  };
  [[nodiscard]] Error out_of_budget() const;
  /// The chunk and the line that the innermost function of a user is at; the line is 0 where there is none.
  [[nodiscard]] std::pair<std::size_t, int> current_line() const;
  [[nodiscard]] Error located(Error error, std::size_t chunk, int line) const;
  void spend(std::size_t steps) noexcept;
  void fail_budget();
  /// Its own time is over, or that of the whole request.
  [[nodiscard]] bool is_late() const noexcept;
  void note_failure() noexcept;
  /// There is a block of so many bytes, which one instruction may read.
  void note_block(std::size_t size) noexcept;
  static void* allocate(void* pointer, void* block, std::size_t old_size, std::size_t new_size);
  static void count_hook(lua_State* state, lua_Debug* activation);

  const Sources& sources_;
  const Limits& limits_;
  const std::size_t memory_limit_;
  const std::uint32_t seconds_;
  lua_State* state_ = nullptr;
  std::size_t memory_ = 0;
  std::size_t steps_left_ = 0;
  std::size_t charged_ = 0;   ///< Since the last look at the clock.
  int hook_interval_ = 1000;  ///< Instructions between two looks at the budget.
  std::timespec deadline_{};
  bool out_of_steps_ = false;
  bool out_of_time_ = false;
  bool allocates_freely_ = false;  ///< While the state is set up and taken down, and while errors are made.
  std::size_t failure_chunk_ = 0;  ///< Where the last allocation failed.
  int failure_line_ = 0;
  int entered_ = 0;
  std::uint64_t run_ = 0;
  std::vector<SourceId> chunks_;
  std::vector<bool> is_own_;  ///< By chunk.
};

/// A function for Lua: C++ exceptions that leave it become Lua errors.
template <int (*Function)(lua_State*)>
int guarded(lua_State* state) {
  try {
    return Function(state);
  } catch (const std::exception&) {
    push_exception(state, std::current_exception());
  }
  return lua_error(state);
}

}  // namespace strata::lua
