// SPDX-License-Identifier: Apache-2.0
// How much of the thread's stack is left, for recursion that input can make deep.
#pragma once

#include <cstddef>
#include <cstdint>

#include "strata/limits.hpp"
#include "strata/origin.hpp"

namespace strata {

class Sources;

/// Bytes of this thread's stack below the caller; SIZE_MAX where the caller is not on the stack that the thread began
/// with (a coroutine), or the system does not tell. Costs a comparison; the first call in a thread asks the system.
[[nodiscard]] std::size_t stack_left() noexcept;

/// The largest Limits::depth that this thread's stack holds from here on: values that nest so deep can be read, merged
/// and written. A thread with a stack of 8 MiB holds more than the default.
[[nodiscard]] std::size_t deepest_on_stack() noexcept;

/// For steps of a recursion that input can make deep, whatever else bounds it. Errors: `limit.stack` where the stack
/// that is left does not hold values that nest `levels` deep, and what a step takes by itself.
void check_stack(std::size_t levels);
inline void check_stack(const Limits& limits) { check_stack(limits.depth); }
/// The error names the place where a recursion through the input is.
void check_stack(const Limits& limits, const Sources& sources, Origin place);

/// Refuses a thread whose stack does not hold `limits.depth`. Errors: `limit.stack`.
void require_stack(const Limits& limits);

}  // namespace strata
