// SPDX-License-Identifier: Apache-2.0
#include "bindings/injector/functions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "bindings/injector/expressions.hpp"
#include "bindings/injector/extension_context.hpp"
#include "bindings/injector/fault.hpp"
#include "bindings/injector/lookup.hpp"
#include "bindings/injector/provenance.hpp"
#include "bindings/types/names.hpp"
#include "puppet/evaluation/bound_lambda.hpp"
#include "strata/report.hpp"

namespace strata::bindings {

namespace {

struct RequestedKey {
  TypeRef type;  ///< Null: Data.
  std::string_view name;
};

}  // namespace

Value InjectorFunctions::find(std::string_view name, puppet::Evaluator& evaluator) {
  if (expressions_.allows_injection()) {
    const merge::Traced bound = lookup_.find_exact(fmt::format("/var/{}", name));
    if (bound.value) return provenance_.used(bound);
  }
  return request_.variables == nullptr ? Value() : request_.variables->find(name, evaluator);
}

bool InjectorFunctions::knows(std::string_view name) const {
  if (name == "inject" || name == "first_found") return true;
  if (further_ != nullptr && further_->knows(name)) return true;
  return registry_ != nullptr && registry_->function(name) != nullptr;
}

std::vector<std::string> InjectorFunctions::names() const {
  std::vector<std::string> out{"inject", "first_found"};
  if (further_ != nullptr) {
    for (std::string& name : further_->names()) out.push_back(std::move(name));
  }
  if (registry_ != nullptr) {
    for (const std::string_view name : registry_->functions()) out.emplace_back(name);
  }
  return out;
}

Value InjectorFunctions::call(const puppet::FunctionCall& call, puppet::Evaluator& evaluator) {
  if (call.name == "inject" || call.name == "first_found") {
    if (!expressions_.allows_injection()) {
      throw Error("bindings.not-available", fmt::format("{}: injection is not available here", call.name))
          .at(expressions_.sources(), call.origin);
    }
    try {
      return call.name == "inject" ? call_inject(call, evaluator) : call_first_found(call);
    } catch (const Error& error) {
      const auto is_secret_name = [](const Value& argument) {
        return !argument.is_mapping() && report::holds_secret(argument);
      };
      if (std::ranges::any_of(call.arguments, is_secret_name) && !error.gives_up()) {
        throw Error(
            error.code(),
            fmt::format("{}: cannot look up a name that comes from a secret; the reason is not shown", call.name))
            .at(expressions_.sources(), call.origin);
      }
      if (!error.diagnostic().where.place.file.empty()) throw;
      throw Error(error.diagnostic()).at(expressions_.sources(), call.origin);
    }
  }
  if (further_ != nullptr && further_->knows(call.name)) return further_->call(call, evaluator);
  extensions::Function* function = registry_->function(call.name);
  if (call.lambda == nullptr) return function->call(context_, call.arguments, nullptr);
  puppet::BoundLambda lambda(call, evaluator);
  const extensions::Callable callable = [&](std::span<const Value> arguments) {
    return evaluator.call(lambda, arguments);
  };
  return function->call(context_, call.arguments, &callable);
}

/// Types as bindings name them: `Hash[Number]`, and `[Integer, 'b']`.
Value InjectorFunctions::argument(const Expression& argument, puppet::Scope& scope, puppet::Evaluator& evaluator) {
  const auto type_value = [&](const Expression& written) {
    bool has_secret = false;
    const auto evaluate = [&](const Expression& part) {
      Value value = evaluator.evaluate(part, scope);
      has_secret = has_secret || report::holds_secret(value);
      return value;
    };
    const TypeRef type = read_type(expressions_.sources(), written, evaluate, expressions_.limits());
    return puppet::make_type_value(expressions_.arena(), type).with_origin(written.origin).with_secret(has_secret);
  };
  if (has_form_of_type(argument)) return type_value(argument);
  if (argument.node != puppet::Node::list) return {};
  const auto items = puppet::as<puppet::List>(argument).items;
  if (items.size() != 2 || !has_form_of_type(*items[0])) return {};
  const std::array<Value, 2> pair{type_value(*items[0]), evaluator.evaluate(*items[1], scope)};
  return expressions_.arena().sequence(pair).with_origin(argument.origin);
}

Value InjectorFunctions::call_inject(const puppet::FunctionCall& call, puppet::Evaluator& evaluator) {
  std::span<const Value> given = call.arguments;
  const auto wrong = [&](std::string_view what) {
    return Error("bindings.arguments", fmt::format("inject needs a name, a type, or a type and a name: {}", what))
        .at(expressions_.sources(), call.origin);
  };
  if (given.empty()) throw wrong("no argument is given");
  RequestedKey asked;
  if (const puppet::TypeObject* type = puppet::as_type(given.front())) {
    asked.type = from_language(type->type());
    given = given.subspan(1);
  }
  if (!given.empty() && given.front().is_text()) {
    asked.name = given.front().text();
    given = given.subspan(1);
  } else if (asked.type == nullptr) {
    throw wrong(fmt::format("the name is {}", bindings::type_of(given.front())));
  }
  Value arguments;
  if (!given.empty() && given.front().is_mapping()) {
    arguments = given.front();
    given = given.subspan(1);
  }
  if (!given.empty()) throw wrong(fmt::format("{} is too much", shown(given.front())));
  const merge::Traced found =
      asked.type == nullptr ? lookup_.find_data(asked.name) : lookup_.find_typed(asked.type, asked.name, arguments);
  if (call.lambda != nullptr) {
    const Value value = found.value ? provenance_.used(found) : Value::null();
    return evaluator.call(*call.lambda, std::span(&value, 1), *call.scope);
  }
  if (!found.value)
    lookup_.not_bound(
        asked.type == nullptr || (!asked.name.empty() && is_data(*asked.type)) ? "" : type_text(*asked.type),
        asked.name);
  return provenance_.used(found);
}

Value InjectorFunctions::call_first_found(const puppet::FunctionCall& call) {
  for (const Value& argument : call.arguments) {
    RequestedKey asked;
    if (argument.is_text()) {
      asked.name = argument.text();
    } else if (argument.is_sequence() && argument.size() == 2 && puppet::as_type(argument.items()[0]) != nullptr &&
               argument.items()[1].is_text()) {
      asked.type = from_language(puppet::as_type(argument.items()[0])->type());
      asked.name = argument.items()[1].text();
    } else if (const puppet::TypeObject* type = puppet::as_type(argument)) {
      asked.type = from_language(type->type());
    } else {
      throw Error("bindings.arguments",
                  fmt::format("first_found takes names, and arrays of a type and a name, not {}", shown(argument)))
          .at(expressions_.sources(), call.origin);
    }
    try {
      const merge::Traced found =
          asked.type == nullptr ? lookup_.find_data(asked.name) : lookup_.find_typed(asked.type, asked.name);
      if (found.value) return provenance_.used(found);
    } catch (const Error& error) {
      if (fault_of(error) != Fault::absent) throw;
    }
  }
  return Value::null();
}

}  // namespace strata::bindings
