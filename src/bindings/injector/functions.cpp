// Functions of expressions that need the injector. Rule: bindings 12, 13.3.
#include <fmt/format.h>

#include <array>

#include "bindings/injector/state.hpp"
#include "bindings/types/names.hpp"
#include "puppet/evaluation/bound_lambda.hpp"

namespace strata::bindings {

namespace {

struct Asked {
  TypeRef type;  ///< Null: Data.
  std::string_view name;
};

}  // namespace

bool InjectorState::knows(std::string_view name) const {
  if (name == "inject" || name == "first_found") return true;
  if (services_.functions != nullptr && services_.functions->knows(name)) return true;
  return services_.extensions != nullptr && services_.extensions->function(name) != nullptr;
}

std::vector<std::string> InjectorState::names() const {
  std::vector<std::string> out{"inject", "first_found"};
  if (services_.functions != nullptr) {
    for (std::string& name : services_.functions->names()) out.push_back(std::move(name));
  }
  if (services_.extensions != nullptr) {
    for (const std::string_view name : services_.extensions->functions()) out.emplace_back(name);
  }
  return out;
}

/// A value of the injector that an expression goes on with: what it is made of remembers it.
Value InjectorState::used(const merge::Traced& value) {
  if (recorder_.keeps() && !inputs_.empty()) inputs_.back()->push_back(value);
  return value.value;
}

Value InjectorState::call(const puppet::FunctionCall& call, puppet::Evaluator& evaluator) {
  if (call.name == "inject" || call.name == "first_found") {
    if (!available_) {
      throw Error("bindings.not-available", fmt::format("{}: injection is not available here", call.name)).at(sources_, call.origin);
    }
    try {
      return call.name == "inject" ? call_inject(call, evaluator) : call_first_found(call);
    } catch (const Error& error) {
      if (!error.diagnostic().where.place.file.empty()) throw;
      throw Error(error.diagnostic()).at(sources_, call.origin);
    }
  }
  if (services_.functions != nullptr && services_.functions->knows(call.name)) return services_.functions->call(call, evaluator);
  extensions::Function* function = services_.extensions->function(call.name);
  if (call.lambda == nullptr) return function->call(*this, call.arguments, nullptr);
  puppet::BoundLambda lambda(call, evaluator);
  const extensions::Callable callable = [&](std::span<const Value> arguments) { return evaluator.call(lambda, arguments); };
  return function->call(*this, call.arguments, &callable);
}

/// Types as bindings name them: `Hash[Number]`, and `[Integer, 'b']`.
Value InjectorState::argument(const Expression& argument, puppet::Scope& scope, puppet::Evaluator& evaluator) {
  const auto type_value = [&](const Expression& written) {
    const TypeRef type = read_type(
        sources_, written, [&](const Expression& part) { return evaluator.evaluate(part, scope); }, limits_);
    return puppet::make_type_value(arena_, type).with_origin(written.origin);
  };
  if (has_form_of_type(argument)) return type_value(argument);
  if (argument.node != puppet::Node::list) return {};
  const auto items = puppet::as<puppet::List>(argument).items;
  if (items.size() != 2 || !has_form_of_type(*items[0])) return {};
  const std::array<Value, 2> pair{type_value(*items[0]), evaluator.evaluate(*items[1], scope)};
  return arena_.sequence(pair).with_origin(argument.origin);
}

Value InjectorState::call_inject(const puppet::FunctionCall& call, puppet::Evaluator& evaluator) {
  std::span<const Value> given = call.arguments;
  const auto wrong = [&](std::string_view what) {
    return Error("bindings.arguments", fmt::format("inject takes a name, a type and a name, or a type: {}", what)).at(sources_, call.origin);
  };
  if (given.empty()) throw wrong("nothing is given");
  Asked asked;
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
  const merge::Traced found = asked.type == nullptr ? find_data(asked.name) : find_typed(asked.type, asked.name, arguments);
  if (call.lambda != nullptr) {
    const Value value = found.value ? used(found) : Value::null();
    return evaluator.call(*call.lambda, std::span(&value, 1), *call.scope);
  }
  if (!found.value) not_bound(asked.type == nullptr || (!asked.name.empty() && is_data(*asked.type)) ? "" : type_text(*asked.type), asked.name);
  return used(found);
}

Value InjectorState::call_first_found(const puppet::FunctionCall& call) {
  for (const Value& argument : call.arguments) {
    Asked asked;
    if (argument.is_text()) {
      asked.name = argument.text();
    } else if (argument.is_sequence() && argument.size() == 2 && puppet::as_type(argument.items()[0]) != nullptr && argument.items()[1].is_text()) {
      asked.type = from_language(puppet::as_type(argument.items()[0])->type());
      asked.name = argument.items()[1].text();
    } else if (const puppet::TypeObject* type = puppet::as_type(argument)) {
      asked.type = from_language(type->type());
    } else {
      throw Error("bindings.arguments", fmt::format("first_found takes names, and arrays of a type and a name, not {}", shown(argument)))
          .at(sources_, call.origin);
    }
    try {
      const merge::Traced found = asked.type == nullptr ? find_data(asked.name) : find_typed(asked.type, asked.name);
      if (found.value) return used(found);
    } catch (const Error& error) {
      if (error.code() != "bindings.not-bound" && error.code() != "bindings.no-value") throw;
    }
  }
  return Value::null();
}

}  // namespace strata::bindings
