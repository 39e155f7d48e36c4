// SPDX-License-Identifier: Apache-2.0
// Functions that tell something: notice, warning, debug, info and their like; fail. Rule: Puppet 7.
#include <array>

#include "puppet/functions/arguments.hpp"

namespace strata::puppet {
namespace {

/// A message of the level as a diagnostic `puppet.LEVEL`; each call gives one, however often it runs.
Value log(const FunctionCall& call, Evaluator& evaluator) {
  std::string message;
  for (const Value& value : call.arguments) {
    if (&value != call.arguments.data()) message += ' ';
    message += shows_secret(value) ? std::string("******") : text_of(value, evaluator);
  }
  constexpr std::size_t kCost = 16;
  evaluator.charge(kCost);
  evaluator.charge_text(message.size());
  const EvaluatorContext& context = evaluator.context();
  context.diagnostics.warn(
      Error("puppet." + std::string(call.name), message).at(context.sources, call.origin).diagnostic());
  return Value::null();
}

Value fail(const FunctionCall& call, Evaluator& evaluator) {
  std::string message;
  for (const Value& value : call.arguments) {
    if (&value != call.arguments.data()) message += ' ';
    message += shows_secret(value) ? std::string("******") : ruby_text(evaluator, with_pattern_texts(evaluator, value));
    evaluator.charge_text(message.size());
  }
  throw evaluator.error(call.origin, "puppet.fail", message);
}

constexpr std::array<BuiltinEntry, 9> kLoggingFunctions = {{
    {"alert", log, 0, BuiltinEntry::kMany, BlockRule::none},
    {"crit", log, 0, BuiltinEntry::kMany, BlockRule::none},
    {"debug", log, 0, BuiltinEntry::kMany, BlockRule::none},
    {"emerg", log, 0, BuiltinEntry::kMany, BlockRule::none},
    {"err", log, 0, BuiltinEntry::kMany, BlockRule::none},
    {"fail", fail, 0, BuiltinEntry::kMany, BlockRule::optional},
    {"info", log, 0, BuiltinEntry::kMany, BlockRule::none},
    {"notice", log, 0, BuiltinEntry::kMany, BlockRule::none},
    {"warning", log, 0, BuiltinEntry::kMany, BlockRule::none},
}};

}  // namespace

std::span<const BuiltinEntry> logging_functions() noexcept { return kLoggingFunctions; }

}  // namespace strata::puppet
