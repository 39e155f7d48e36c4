// SPDX-License-Identifier: Apache-2.0
#include "bindings/injector/expressions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "bindings/composition/constants.hpp"
#include "bindings/types/names.hpp"
#include "puppet/language/parser.hpp"
#include "puppet/types/make.hpp"
#include "strata/report.hpp"

namespace strata::bindings {

namespace {

constexpr std::size_t kClassWord = 5;  // `class`, `CLASS`

}  // namespace

Expressions::Expressions(const Request& request, const Services& services, Session& session, Arena& arena,
                         queries::Answers& answers, puppet::Functions& functions, puppet::Variables& variables)
    : session_(session),
      arena_(arena),
      answers_(answers),
      types_(services.extensions, [this](std::string_view text) { return read_type_text(text); }),
      scope_(request.scope.get(), &variables),
      evaluator_(puppet::EvaluatorContext{.sources = session.sources(),
                                          .arena = arena,
                                          .limits = session.limits(),
                                          .diagnostics = session.diagnostics(),
                                          .strict = services.strict,
                                          .functions = &functions,
                                          .queries = &answers,
                                          .module_file = services.module_file}) {}

Value Expressions::resolve(const Expression& expression) {
  const bool before = std::exchange(allows_injection_, false);
  puppet::Scope frame(&scope_);
  try {
    const Value value = evaluator_.evaluate(expression, frame);
    allows_injection_ = before;
    return value;
  } catch (...) {
    allows_injection_ = before;
    throw;
  }
}

Value Expressions::evaluate(const Production& work, const Expression& expression) {
  const Value folded = fold(arena_, expression);
  if (folded) return folded;
  puppet::Scope frame(&scope_);
  try {
    return evaluator_.evaluate(expression, frame);
  } catch (const Error& error) {
    throw located(sources(), work, error);
  }
}

Value Expressions::call_lambda(const Production& work, const Option& option, std::span<const Value> arguments) {
  puppet::Scope frame(&scope_);
  try {
    return evaluator_.call(puppet::as<puppet::Lambda>(*option.value), arguments, frame);
  } catch (const Error& error) {
    throw located(sources(), work, error);
  }
}

Value Expressions::answer(const puppet::Query& query) {
  puppet::Scope frame(&scope_);
  return answers_.answer(query, frame, evaluator_);
}

bool Expressions::flag(const Production& work, std::string_view option, bool otherwise) {
  if (work.statement->options.empty() || work.statement->form == Form::map) return otherwise;
  const Option* given = find_option(*work.statement, option);
  if (given == nullptr) return otherwise;
  const Value value = evaluate(work, *given->value);
  if (value.kind() == Kind::boolean) return value.as_boolean();
  throw Error("bindings.option", fmt::format("the option '{}' must be true or false", option))
      .at(sources(), given->origin);
}

TypeRef Expressions::read_type_text(std::string_view text) {
  const auto known = read_types_.find(text);
  if (known != read_types_.end()) return known->second;
  return read_types_.emplace(text, parsed_type(text)).first->second;
}

TypeRef Expressions::type_in(const Production& work, const Expression& expression, bool* has_secret) {
  return read_type(sources(), expression, part_of(work, has_secret), limits());
}

TypeRef Expressions::type_in(const Production& work, const TypeReference& reference, bool* has_secret) {
  return read_type(sources(), reference, part_of(work, has_secret), limits());
}

EvaluatePart Expressions::part_of(const Production& work, bool* has_secret) {
  return [this, &work, has_secret](const Expression& part) {
    Value value = evaluate(work, part);
    if (has_secret != nullptr && report::holds_secret(value)) *has_secret = true;
    return value;
  };
}

TypeRef Expressions::parsed_type(std::string_view text) {
  const SourceId source = sources().add("<type>", std::string(text));
  puppet::SyntaxTree tree(256);
  puppet::Parser parser(sources(), source, tree, limits());
  const bool is_class = text.starts_with("class ") || text.starts_with("CLASS ");
  if (is_class || (!text.empty() && text.front() >= 'a' && text.front() <= 'z')) {
    if (is_class) text.remove_prefix(std::min(text.find_first_not_of(' ', kClassWord), text.size()));
    if (!is_class_name(class_name(text))) throw Error("bindings.typeref", fmt::format("'{}' is not a type", text));
    return class_type(text);
  }
  const Expression* expression = parser.expression();
  if (!parser.at_end()) throw parser.unexpected("the end of the type");
  return read_type(
      sources(), *expression, [this](const Expression& part) { return resolve(part); }, limits());
}

void Expressions::check_type(const Production& work, const Type& type, const Value& value) {
  if (types_.is_instance(type, value)) return;
  Error error("bindings.type",
              fmt::format("type error for {}: expected {}, got {} ({})", Composition::readable(work.key),
                          reference_text(type), bindings::type_of(value), shown(value)));
  const TypeReference& declared = work.statement->form == Form::alias || work.statement->form == Form::renamed
                                      ? work.statement->target.type
                                      : work.statement->key.type;
  const Origin here = value.origin() ? value.origin() : work.statement->producer.origin;
  place_at(error, sources(), here ? here : work.statement->origin);
  if (declared) add_note(error, sources(), declared.origin, "the type is declared here");
  throw Error(error);
}

}  // namespace strata::bindings
