// SPDX-License-Identifier: Apache-2.0
#include "strata/stack.hpp"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>

#include "strata/error.hpp"
#include "value/sanitized.hpp"

namespace strata {
namespace {

// What a level of a recursion over values takes at most; recursions that take more ask check_stack at each level.
// stack_test.py measures it.
#if defined(__OPTIMIZE__)
constexpr std::size_t kLevel = kIsSanitized ? 2048 : 1024;
#else
constexpr std::size_t kLevel = 2048;
#endif
/// What is left for work that does not nest: libraries, errors on their way.
constexpr std::size_t kStep = (kIsSanitized ? std::size_t{192} : std::size_t{64}) << 10U;
/// What is not for values: evaluators and merges that nest take more for each level.
constexpr std::size_t kMostForOthers = std::size_t{2} << 20U;

struct Stack {
  std::uintptr_t low = 0;
  std::uintptr_t high = 0;
  bool is_known = false;
};
thread_local constinit Stack stack;

void look_up() noexcept {
  stack.is_known = true;
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  void* low = nullptr;
  std::size_t size = 0;
  std::size_t guard = 0;
  if (pthread_attr_getstack(&attributes, &low, &size) == 0 && pthread_attr_getguardsize(&attributes, &guard) == 0) {
    // The guard may count as a part of the stack.
    stack.low = reinterpret_cast<std::uintptr_t>(low) + guard;
    stack.high = reinterpret_cast<std::uintptr_t>(low) + size;
  }
  pthread_attr_destroy(&attributes);
}

std::size_t levels_in(std::size_t bytes) noexcept { return bytes < kStep ? 0 : (bytes - kStep) / kLevel; }

bool holds(std::size_t levels) noexcept {
  const std::size_t left = stack_left();
  return left >= kStep && levels_in(left) >= levels;
}

Error too_deep() {
  return Error("limit.stack", "nested deeper than the stack of this thread holds")
      .hint("nest less deep, or give more stack: run strata under a larger 'ulimit -s'");
}

}  // namespace

std::size_t stack_left() noexcept {
  if (!stack.is_known) look_up();
  // Not the address of a variable: sanitizers keep those elsewhere.
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  return here > stack.low && here <= stack.high ? here - stack.low : SIZE_MAX;
}

std::size_t deepest_on_stack() noexcept {
  const std::size_t left = stack_left();
  return left == SIZE_MAX ? SIZE_MAX : levels_in(left - std::min(left / 3, kMostForOthers));
}

void check_stack(std::size_t levels) {
  if (!holds(levels)) throw too_deep();
}

void check_stack(const Limits& limits, const Sources& sources, Origin place) {
  if (!holds(limits.depth)) throw too_deep().at(sources, place);
}

void require_stack(const Limits& limits) {
  // Somewhat more than deepest_on_stack(), which may have been asked a few calls above.
  const std::size_t left = stack_left();
  if (left == SIZE_MAX || limits.depth <= levels_in(left - std::min(left / 6, kMostForOthers / 2))) return;
  throw Error("limit.stack",
              fmt::format("values may nest {} levels deep (the limit 'depth'), and the stack of this thread holds {}",
                          limits.depth, deepest_on_stack()))
      .hint("lower the limit 'depth', or give the thread a larger stack");
}

}  // namespace strata
