// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "puppet/functions/rooms.hpp"

namespace strata::puppet {
namespace {

Value given(const FunctionCall& call) { return call.arguments.empty() ? Value::null() : call.arguments.front(); }

Value to_next(const FunctionCall& call, Evaluator& evaluator) {
  return evaluator.jump(Jump::next, given(call), call.origin);
}
Value to_end(const FunctionCall& call, Evaluator& evaluator) {
  return evaluator.jump(Jump::break_, Value::null(), call.origin);
}
Value to_caller(const FunctionCall& call, Evaluator& evaluator) {
  return evaluator.jump(Jump::return_, given(call), call.origin);
}

constexpr std::array<BuiltinEntry, 3> kControlFunctions = {{
    {"break", to_end, 0, 0, BlockRule::none},
    {"next", to_next, 0, 1, BlockRule::none},
    {"return", to_caller, 0, 1, BlockRule::none},
}};

}  // namespace

std::span<const BuiltinEntry> control_functions() noexcept { return kControlFunctions; }

}  // namespace strata::puppet
