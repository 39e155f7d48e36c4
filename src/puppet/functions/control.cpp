#include <array>

#include "puppet/functions/rooms.hpp"

namespace strata::puppet {
namespace {

Value given(const FunctionCall& call) { return call.arguments.empty() ? Value::null() : call.arguments.front(); }

Value next(const FunctionCall& call, Evaluator& evaluator) { return evaluator.jump(Jump::next, given(call), call.origin); }
Value break_(const FunctionCall& call, Evaluator& evaluator) { return evaluator.jump(Jump::break_, Value::null(), call.origin); }
Value return_(const FunctionCall& call, Evaluator& evaluator) { return evaluator.jump(Jump::return_, given(call), call.origin); }

constexpr std::array<BuiltinEntry, 3> kFunctions = {{
    {"break", break_, 0, 0, BlockRule::none},
    {"next", next, 0, 1, BlockRule::none},
    {"return", return_, 0, 1, BlockRule::none},
}};

}  // namespace

std::span<const BuiltinEntry> control_functions() noexcept { return kFunctions; }

}  // namespace strata::puppet
