// SPDX-License-Identifier: Apache-2.0
// Statements: text, output, blocks, macros.
#include <algorithm>

#include "jinja/evaluator.hpp"
#include "jinja/filters.hpp"

namespace strata::jinja {

void Evaluator::run(const Body& body, Output& output) {
  Scope* scope = new_scope(nullptr);
  execute(body, *scope, output);
}

Scope* Evaluator::new_scope(Scope* parent) {
  Scope* scope = runtime_.make<Scope>();
  scope->parent = parent;
  return scope;
}

void Evaluator::execute(const Body& body, Scope& scope, Output& output) {
  for (const Statement& statement : body) execute(statement, scope, output);
}

void Evaluator::execute(const Statement& statement, Scope& scope, Output& output) {
  using Kind = Statement::Kind;
  runtime_.step();
  const DepthGuard guard(runtime_, depth_, kMaxEvaluationDepth);
  switch (statement.kind) {
    case Kind::text:
      return write_text(statement, output);
    case Kind::output:
      for (const ExpressionPtr& node : statement.expressions) write(evaluate(*node, scope), statement, output);
      return;
    case Kind::branch:
      return execute_branch(statement, scope, output);
    case Kind::loop: {
      const Datum iterable = evaluate(*statement.expressions[0], scope);
      if (!statement.is_recursive) return execute_loop(statement, iterable, scope, 0, output);
      Output body;
      execute_loop(statement, iterable, scope, 0, body);
      return write(runtime_.text(std::move(body.text)), statement, output);
    }
    case Kind::assign:
      return assign(statement.targets[0], evaluate(*statement.expressions[0], scope), scope);
    case Kind::capture:
      return assign(statement.targets[0], capture_filtered(statement, *new_scope(&scope)), scope);
    case Kind::scope:
      return execute_scope(statement, scope, output);
    case Kind::filter:
      return write(capture_filtered(statement, *new_scope(&scope)), statement, output);
    case Kind::macro:
      scope.names.insert_or_assign(statement.name, make_macro(statement, scope));
      return;
    case Kind::call:
      return execute_call(statement, scope, output);
    case Kind::evaluate:
      evaluate(*statement.expressions[0], scope);
      return;
  }
}

void Evaluator::write_text(const Statement& statement, Output& output) {
  runtime_.work_on(statement.end - statement.at);
  for (std::size_t begin = statement.at; begin < statement.end;) {
    const std::size_t end = std::min<std::size_t>(source_.verbatim_end(begin), statement.end);
    if (output.segments != nullptr)
      output.segments->push_back({static_cast<std::uint32_t>(output.text.size()), source_.origin(begin), true});
    output.text.append(source_.text(), begin, end - begin);
    begin = end;
  }
  if (output.text.size() > kMaxText) runtime_.fail_limit("limit.result", "the template renders to more than 64 MiB");
}

void Evaluator::write(const Datum& datum, const Statement& statement, Output& output) {
  const std::string text = to_text(runtime_, datum);
  if (text.empty()) return;
  if (output.segments != nullptr)
    output.segments->push_back({static_cast<std::uint32_t>(output.text.size()), source_.origin(statement.at), false});
  output.text += text;
  if (output.text.size() > kMaxText) runtime_.fail_limit("limit.result", "the template renders to more than 64 MiB");
}

void Evaluator::execute_branch(const Statement& statement, Scope& scope, Output& output) {
  std::size_t index = 0;
  while (index < statement.expressions.size() && !truth(runtime_, evaluate(*statement.expressions[index], scope)))
    ++index;
  if (index < statement.bodies.size()) execute(statement.bodies[index], scope, output);
}

Datum Evaluator::only_matching(const Statement& statement, const Datum& iterable, Scope& scope) {
  Iterator& all = walk(runtime_, iterable);
  Scope* test = new_scope(&scope);
  return runtime_.generator("generator object", [this, &statement, &all, test]() -> std::optional<Datum> {
    while (std::optional<Datum> item = all.next()) {
      test->names.clear();
      if (statement.targets[0].is_tuple)
        item = runtime_.tuple(unpack(runtime_, *item, statement.targets[0].items.size()));
      assign(statement.targets[0], *item, *test);
      if (truth(runtime_, evaluate(*statement.expressions[1], *test))) return item;
    }
    return std::nullopt;
  });
}

void Evaluator::execute_loop(const Statement& statement, const Datum& iterable, Scope& scope, std::size_t depth,
                             Output& output) {
  const DepthGuard guard(runtime_, depth_, kMaxEvaluationDepth);
  runtime_.set_place(statement.at);
  Loop* loop = runtime_.make<Loop>();
  loop->iterable = statement.expressions.size() > 1 ? only_matching(statement, iterable, scope) : iterable;
  loop->iterator = &walk(runtime_, loop->iterable);
  loop->depth0 = depth;
  if (statement.is_recursive) {
    loop->recurse = [this, &statement, &scope, depth](const Datum& inner) {
      Output body;
      execute_loop(statement, inner, scope, depth + 1, body);
      return runtime_.text(std::move(body.text));
    };
  }
  Scope* inner = nullptr;
  for (;;) {
    std::optional<Datum> item = std::exchange(loop->after, std::nullopt);
    if (!item) item = loop->iterator->next();
    if (!item) break;
    runtime_.step();
    ++loop->index0;
    loop->before = loop->current;
    loop->current = *item;
    if (inner == nullptr || inner->is_captured) {
      inner = new_scope(&scope);
    } else {
      inner->names.clear();
    }
    inner->names["loop"] = {Type::loop, loop};
    runtime_.set_place(statement.at);
    assign(statement.targets[0], *item, *inner);
    execute(statement.bodies[0], *inner, output);
    runtime_.set_place(statement.at);
  }
  if (loop->index0 < 0 && statement.bodies.size() > 1) execute(statement.bodies[1], *new_scope(&scope), output);
}

void Evaluator::execute_scope(const Statement& statement, Scope& scope, Output& output) {
  Scope* inner = new_scope(&scope);
  for (std::size_t index = 0; index < statement.targets.size(); ++index) {
    assign(statement.targets[index], evaluate(*statement.expressions[index], scope), *inner);
  }
  execute(statement.bodies[0], *inner, output);
}

Datum Evaluator::capture(const Body& body, Scope& scope) {
  Output output;
  execute(body, scope, output);
  return runtime_.text(std::move(output.text));
}

Datum Evaluator::capture_filtered(const Statement& statement, Scope& scope) {
  const Datum block = capture(statement.bodies[0], scope);
  return statement.expressions.empty() ? block : evaluate_filter(*statement.expressions[0], scope, &block);
}

Datum Evaluator::make_macro(const Statement& statement, Scope& scope) {
  for (Scope* around = &scope; around != nullptr; around = around->parent) around->is_captured = true;
  const std::string name = statement.name.empty() ? "<Macro anonymous>" : "<Macro '" + statement.name + "'>";
  return runtime_.function(
      name, [this, &statement, &scope](Arguments& arguments) { return call_macro(statement, scope, arguments); });
}

Datum Evaluator::call_macro(const Statement& statement, Scope& definition, Arguments& arguments) {
  Scope& scope = *new_scope(&definition);
  const std::vector<Parameter>& parameters = statement.parameters;
  std::vector<std::optional<Datum>> values(parameters.size());
  const bool has_caller = std::any_of(parameters.begin(), parameters.end(),
                                      [](const Parameter& parameter) { return parameter.name == "caller"; });
  for (std::size_t index = 0; index < parameters.size(); ++index) {
    values[index] =
        index < arguments.positional.size() ? arguments.positional[index] : arguments.take(parameters[index].name);
  }
  if (statement.uses_caller && !has_caller) {
    const std::optional<Datum> caller = arguments.take("caller");
    const bool is_set = caller && !caller->is(Type::none);
    scope.names["caller"] = is_set ? *caller : runtime_.undefined(runtime_.text("caller"), "there is no caller");
  }
  if (statement.uses_kwargs) {
    const Datum rest = runtime_.dict();
    for (const auto& [name, value] : arguments.named) insert(runtime_, rest.dict(), name, value);
    scope.names["kwargs"] = rest;
  } else if (!arguments.named.empty()) {
    runtime_.fail("the macro '" + statement.name + "' takes no argument '" + arguments.named.front().first + "'");
  }
  const std::size_t count = std::min(parameters.size(), arguments.positional.size());
  if (statement.uses_varargs) {
    scope.names["varargs"] =
        runtime_.tuple({arguments.positional.begin() + static_cast<std::ptrdiff_t>(count), arguments.positional.end()});
  } else if (arguments.positional.size() > count) {
    runtime_.fail("the macro '" + statement.name + "' takes at most " + std::to_string(count) + " arguments");
  }
  for (std::size_t index = 0; index < parameters.size(); ++index) {
    const Parameter& parameter = parameters[index];
    scope.names[parameter.name] =
        values[index] ? *values[index]
        : parameter.standard
            ? evaluate(*parameter.standard, scope)
            : runtime_.undefined(runtime_.text(parameter.name), "the argument '" + parameter.name + "' was not given");
  }
  return capture(statement.bodies[0], scope);
}

void Evaluator::execute_call(const Statement& statement, Scope& scope, Output& output) {
  const Datum caller = make_macro(statement, scope);
  write(evaluate_call(*statement.expressions[0], scope, &caller), statement, output);
}

void Evaluator::assign(const Target& target, const Datum& value, Scope& scope) {
  if (target.is_tuple) {
    const std::vector<Datum> values = unpack(runtime_, value, target.items.size());
    for (std::size_t index = 0; index < values.size(); ++index) assign(target.items[index], values[index], scope);
    return;
  }
  if (target.member.empty()) {
    scope.names.insert_or_assign(target.name, value);
    return;
  }
  runtime_.set_place(target.at);
  const Datum object = lookup(target.name, scope);
  if (!object.is(Type::name_space))
    runtime_.fail("'" + target.name + "' is not a namespace, so its members cannot be set");
  insert(runtime_, object.dict(), target.member, value);
}

}  // namespace strata::jinja
