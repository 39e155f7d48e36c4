// SPDX-License-Identifier: Apache-2.0
// Calls of functions.
#include <array>

#include "puppet/evaluation/bound_lambda.hpp"
#include "puppet/evaluation/operations.hpp"
#include "puppet/functions/registry.hpp"
#include "strata/near_names.hpp"

namespace strata::puppet {
namespace {

std::string arguments_text(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " argument" : " arguments");
}

std::string expected_text(const BuiltinEntry& entry) {
  if (entry.least == entry.most) return arguments_text(entry.least);
  if (entry.most == BuiltinEntry::kMany) return "at least " + arguments_text(entry.least);
  return std::to_string(entry.least) + " to " + arguments_text(entry.most);
}

/// The arguments of a call: few of them need no memory of their own.
class Arguments {
 public:
  void push(const Value& value) {
    if (many_.empty() && size_ < few_.size()) {
      few_[size_++] = value;
      return;
    }
    if (many_.empty()) many_.assign(few_.begin(), few_.end());
    many_.push_back(value);
  }
  [[nodiscard]] std::span<const Value> all() const noexcept {
    return many_.empty() ? std::span<const Value>(few_.data(), size_) : many_;
  }

 private:
  std::array<Value, 4> few_;
  std::size_t size_ = 0;
  std::vector<Value> many_;
};

}  // namespace

Value Evaluator::call_of(const Call& call, Scope& scope) {
  Arguments arguments;
  Functions* const own_types =
      context_.functions != nullptr && context_.functions->has_own_types(call.name) ? context_.functions : nullptr;
  for (const Expression* argument : call.arguments) {
    if (const Value own = own_types == nullptr ? Value() : own_types->argument(*argument, scope, *this)) {
      arguments.push(own);
      continue;
    }
    const Value value = visit(*argument, scope);
    if (!value) return {};
    if (argument->node == Node::unary && as<Unary>(*argument).operation == UnaryOperator::splat) {
      charge(value.size());
      for (const Value& item : value.items()) arguments.push(item);
    } else {
      arguments.push(value);
    }
  }
  return this->call(FunctionCall{call.name, arguments.all(), call.lambda, &scope, call.name_origin});
}

Value Evaluator::call(const FunctionCall& call) {
  Value result;
  try {
    if (const BuiltinEntry* entry = find_builtin(call.name)) {
      result = call_builtin(*entry, call);
    } else if (context_.functions != nullptr && context_.functions->knows(call.name)) {
      result = context_.functions->call(call, *this);
    } else {
      unknown_function(call);
    }
  } catch (Error& error) {
    if (!error.diagnostic().where.place.file.empty()) throw;
    hide_pattern(error, call.arguments);
    throw std::move(error).at(context_.sources, call.origin);
  }
  admit(result);
  return result.origin() ? result : result.with_origin(call.origin);
}

Value Evaluator::call_builtin(const BuiltinEntry& entry, const FunctionCall& call) {
  const std::size_t given = call.arguments.size();
  if (given < entry.least || (given > entry.most && entry.most != BuiltinEntry::kMany))
    throw failed(call, *this, "puppet.arguments", "expects " + expected_text(entry) + ", not " + std::to_string(given));
  if (call.lambda == nullptr && entry.block == BlockRule::required)
    throw failed(call, *this, "puppet.arguments", "expects a lambda").hint("write one after the call: |$item| { … }");
  if (call.lambda != nullptr && entry.block == BlockRule::none)
    throw failed(call, *this, "puppet.arguments", "takes no lambda");
  return entry.function(call, *this);
}

void Evaluator::unknown_function(const FunctionCall& call) const {
  const std::span<const std::string_view> builtin = builtin_names();
  const std::vector<std::string> others =
      context_.functions == nullptr ? std::vector<std::string>() : context_.functions->names();
  std::vector<std::string_view> names(builtin.begin(), builtin.end());
  names.insert(names.end(), others.begin(), others.end());
  const std::string near(nearest_name(names, call.name));
  throw error(call.origin, "puppet.unknown-function", "unknown function '" + std::string(call.name) + "'")
      .hint(near.empty() ? "" : "did you mean " + near + "?");
}

Value Evaluator::call(const Lambda& lambda, std::span<const Value> arguments, Scope& outer) {
  BoundLambda bound(lambda, outer, *this);
  return call(bound, arguments);
}

Value Evaluator::call(BoundLambda& lambda, std::span<const Value> arguments) {
  const Value value = lambda(arguments);
  if (!value) stray_jump();
  return value;
}

}  // namespace strata::puppet
