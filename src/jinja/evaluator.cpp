// SPDX-License-Identifier: Apache-2.0
// Expressions.
#include "jinja/evaluator.hpp"

#include "jinja/filters.hpp"

namespace strata::jinja {
namespace {

/// As many items as the reference's sandbox lets a range have.
constexpr std::size_t kMaxRange = 100'000;

Datum make_range(Runtime& runtime, Arguments& arguments) {
  if (!arguments.named.empty()) runtime.fail("'range' takes no named arguments");
  const Bound bound = bind(runtime, arguments, {"start", "stop", "step"}, 1);
  Range* range = runtime.make<Range>();
  range->start = bound[1] ? need_integer(runtime, *bound[0]) : 0;
  range->stop = need_integer(runtime, bound[1] ? *bound[1] : *bound[0]);
  range->step = bound[2] ? need_integer(runtime, *bound[2]) : 1;
  if (range->step == 0) runtime.fail("the step of a range cannot be zero");
  const bool forwards = range->step > 0;
  if (forwards ? range->start < range->stop : range->start > range->stop) {
    const auto begin = static_cast<std::uint64_t>(range->start);
    const auto end = static_cast<std::uint64_t>(range->stop);
    const auto step = static_cast<std::uint64_t>(range->step);
    range->size =
        static_cast<std::size_t>(forwards ? (end - begin - 1) / step + 1 : (begin - end - 1) / (0 - step) + 1);
  }
  if (range->size > kMaxRange) runtime.fail("a range has more than " + std::to_string(kMaxRange) + " items");
  return {Type::range, range};
}

Datum make_dict(Runtime& runtime, Arguments& arguments) {
  const Datum made = runtime.dict();
  if (arguments.positional.size() > 1) runtime.fail("'dict' takes one value at most");
  if (!arguments.positional.empty()) {
    const Datum& source = arguments.positional.front();
    runtime.need_defined(source);
    if (source.is(Type::dict)) {
      for (const auto& [key, value] : source.dict().entries) insert(runtime, made.dict(), key, value);
    } else {
      Iterator& iterator = walk(runtime, source);
      while (const std::optional<Datum> item = iterator.next()) {
        const std::vector<Datum> pair = unpack(runtime, *item, 2);
        insert(runtime, made.dict(), pair[0], pair[1]);
      }
    }
  }
  for (const auto& [name, value] : arguments.named) insert(runtime, made.dict(), name, value);
  return made;
}

Datum make_cycler(Runtime& runtime, Arguments& arguments) {
  if (!arguments.named.empty() || arguments.positional.empty())
    runtime.fail("'cycler' needs values, and none with names");
  Cycler* cycler = runtime.make<Cycler>();
  cycler->items = arguments.positional;
  return {Type::cycler, cycler};
}

Datum make_joiner(Runtime& runtime, Arguments& arguments) {
  const std::optional<Datum> separator = bind(runtime, arguments, {"sep"})[0];
  const Datum between = separator ? *separator : runtime.text(", ");
  const Datum nothing = runtime.text("");
  return runtime.function("<Joiner>", [&runtime, between, nothing, used = false](Arguments& none) mutable {
    no_arguments(runtime, none);
    const bool first = !used;
    used = true;
    return first ? nothing : between;
  });
}

}  // namespace

std::optional<Datum> Evaluator::global(std::string_view name) {
  Runtime& runtime = runtime_;
  if (name == "range")
    return runtime.function("<class 'range'>",
                            [&runtime](Arguments& arguments) { return make_range(runtime, arguments); });
  if (name == "dict")
    return runtime.function("<class 'dict'>",
                            [&runtime](Arguments& arguments) { return make_dict(runtime, arguments); });
  if (name == "cycler")
    return runtime.function("<class 'jinja2.utils.Cycler'>",
                            [&runtime](Arguments& arguments) { return make_cycler(runtime, arguments); });
  if (name == "joiner")
    return runtime.function("<class 'jinja2.utils.Joiner'>",
                            [&runtime](Arguments& arguments) { return make_joiner(runtime, arguments); });
  if (name == "namespace") {
    return runtime.function("<class 'jinja2.utils.Namespace'>", [&runtime](Arguments& arguments) {
      Datum made = make_dict(runtime, arguments);
      made.type = Type::name_space;
      return made;
    });
  }
  if (name == "lipsum") {
    return runtime.function("<function generate_lorem_ipsum>",
                            [&runtime](Arguments&) -> Datum { runtime.fail_unsupported("the function 'lipsum'"); });
  }
  return std::nullopt;
}

Datum Evaluator::lookup(const std::string& name, Scope& scope) {
  for (const Scope* around = &scope; around != nullptr; around = around->parent) {
    if (const auto found = around->names.find(name); found != around->names.end()) return found->second;
  }
  if (const auto found = loaded_.find(name); found != loaded_.end()) return found->second;
  const Value* value = variables_.is_mapping() ? variables_.find(name) : nullptr;
  const std::optional<Datum> loaded = value != nullptr ? from_value(runtime_, *value) : global(name);
  const Datum result = loaded ? *loaded : runtime_.undefined(runtime_.text(name));
  loaded_.emplace(name, result);
  return result;
}

Datum Evaluator::evaluate(const Expression& node, Scope& scope) {
  using Kind = Expression::Kind;
  runtime_.step();
  const DepthGuard guard(runtime_, depth_, kMaxEvaluationDepth);
  switch (node.kind) {
    case Kind::none:
      return {};
    case Kind::boolean:
      return Datum::of_boolean(node.integer != 0);
    case Kind::integer:
      return Datum::of_integer(node.integer);
    case Kind::floating:
      return Datum::of_floating(node.floating);
    case Kind::text:
      return runtime_.text(node.text);
    case Kind::name:
      return evaluate_name(node, scope);
    case Kind::list:
      return runtime_.list(evaluate_all(node.items, scope));
    case Kind::tuple:
      return runtime_.tuple(evaluate_all(node.items, scope));
    case Kind::dict:
      return evaluate_dict(node, scope);
    case Kind::attribute:
      return evaluate_attribute(node, scope);
    case Kind::item:
      return evaluate_item(node, scope);
    case Kind::slice:
      return evaluate_slice(node, scope);
    case Kind::call:
      return evaluate_call(node, scope);
    case Kind::filter:
      return evaluate_filter(node, scope);
    case Kind::test:
      return evaluate_test(node, scope);
    case Kind::calculate:
    case Kind::negative:
    case Kind::positive:
      return evaluate_calculation(node, scope);
    case Kind::logical_not:
      return Datum::of_boolean(!truth(runtime_, evaluate(*node.items[0], scope)));
    case Kind::logical_and:
    case Kind::logical_or: {
      const Datum left = evaluate(*node.items[0], scope);
      return truth(runtime_, left) == (node.kind == Kind::logical_or) ? left : evaluate(*node.items[1], scope);
    }
    case Kind::compare:
      return evaluate_comparison(node, scope);
    case Kind::concatenate:
      return evaluate_concatenation(node, scope);
    case Kind::conditional:
      return evaluate_conditional(node, scope);
  }
  return {};
}

Datum Evaluator::evaluate_name(const Expression& node, Scope& scope) {
  runtime_.set_place(node.at);
  Datum found = lookup(node.text, scope);
  // It may have been looked up before, by a test that asks whether it is there.
  if (found.is_undefined()) found.undefined().at = node.at;
  return found;
}

Datum Evaluator::evaluate_dict(const Expression& node, Scope& scope) {
  const Datum made = runtime_.dict();
  for (std::size_t index = 0; index + 1 < node.items.size(); index += 2) {
    const Datum key = evaluate(*node.items[index], scope);
    const Datum value = evaluate(*node.items[index + 1], scope);
    runtime_.set_place(node.at);
    insert(runtime_, made.dict(), key, value);
  }
  return made;
}

Datum Evaluator::evaluate_calculation(const Expression& node, Scope& scope) {
  const Datum left = evaluate(*node.items[0], scope);
  if (node.kind != Expression::Kind::calculate) {
    runtime_.set_place(node.at);
    return negate(runtime_, left, node.kind == Expression::Kind::negative);
  }
  const Datum right = evaluate(*node.items[1], scope);
  runtime_.set_place(node.at);
  return calculate(runtime_, node.operation, left, right);
}

Datum Evaluator::evaluate_comparison(const Expression& node, Scope& scope) {
  Datum left = evaluate(*node.items[0], scope);
  for (std::size_t index = 0; index < node.comparisons.size(); ++index) {
    const Datum right = evaluate(*node.items[index + 1], scope);
    runtime_.set_place(node.at);
    if (!compare(runtime_, node.comparisons[index], left, right)) return Datum::of_boolean(false);
    left = right;
  }
  return Datum::of_boolean(true);
}

Datum Evaluator::evaluate_concatenation(const Expression& node, Scope& scope) {
  const std::vector<Datum> items = evaluate_all(node.items, scope);
  runtime_.set_place(node.at);
  std::string out;
  for (const Datum& item : items) out += to_text(runtime_, item);
  return runtime_.text(std::move(out));
}

Datum Evaluator::evaluate_conditional(const Expression& node, Scope& scope) {
  if (truth(runtime_, evaluate(*node.items[1], scope))) return evaluate(*node.items[0], scope);
  if (node.items[2]) return evaluate(*node.items[2], scope);
  const Datum nothing = runtime_.undefined({}, "the condition of an 'if' without 'else' is false");
  nothing.undefined().is_silent = true;
  return nothing;
}

Datum Evaluator::evaluate_attribute(const Expression& node, Scope& scope) {
  const Datum object = evaluate(*node.items[0], scope);
  runtime_.set_place(node.at);
  return get_attribute(runtime_, object, node.text);
}

Datum Evaluator::evaluate_item(const Expression& node, Scope& scope) {
  const Datum object = evaluate(*node.items[0], scope);
  const Datum key = evaluate(*node.items[1], scope);
  runtime_.set_place(node.at);
  return get_item(runtime_, object, key);
}

Datum Evaluator::evaluate_slice(const Expression& node, Scope& scope) {
  const auto bound = [&](std::size_t index) {
    return node.items[index] ? evaluate(*node.items[index], scope) : Datum();
  };
  const Datum object = evaluate(*node.items[0], scope);
  const Datum start = bound(1);
  const Datum stop = bound(2);
  const Datum step = bound(3);
  runtime_.set_place(node.at);
  return slice(runtime_, object, start, stop, step);
}

Datum Evaluator::evaluate_call(const Expression& node, Scope& scope, const Datum* caller) {
  const Datum callee = evaluate(*node.items[0], scope);
  Arguments arguments = evaluate_arguments(node.arguments, scope);
  if (caller != nullptr) arguments.named.emplace_back("caller", *caller);
  runtime_.set_place(node.at);
  return call(runtime_, callee, arguments);
}

Datum Evaluator::evaluate_filter(const Expression& node, Scope& scope, const Datum* block) {
  const Datum value = node.items[0] == nullptr ? *block
                      : block != nullptr && node.items[0]->kind == Expression::Kind::filter
                          ? evaluate_filter(*node.items[0], scope, block)
                          : evaluate(*node.items[0], scope);
  Arguments arguments = evaluate_arguments(node.arguments, scope);
  runtime_.set_place(node.at);
  return apply_filter(runtime_, node.text, value, arguments);
}

Datum Evaluator::evaluate_test(const Expression& node, Scope& scope) {
  const Datum value = evaluate(*node.items[0], scope);
  Arguments arguments = evaluate_arguments(node.arguments, scope);
  runtime_.set_place(node.at);
  return Datum::of_boolean(apply_test(runtime_, node.text, value, arguments));
}

std::vector<Datum> Evaluator::evaluate_all(const std::vector<ExpressionPtr>& nodes, Scope& scope) {
  std::vector<Datum> values;
  values.reserve(nodes.size());
  for (const ExpressionPtr& node : nodes) values.push_back(evaluate(*node, scope));
  return values;
}

Arguments Evaluator::evaluate_arguments(const CallArguments& nodes, Scope& scope) {
  Arguments arguments;
  arguments.positional = evaluate_all(nodes.positional, scope);
  if (nodes.rest) {
    const Datum rest = evaluate(*nodes.rest, scope);
    for (const Datum& item : collect(runtime_, rest)) arguments.positional.push_back(item);
  }
  for (const auto& [name, node] : nodes.named) arguments.named.emplace_back(name, evaluate(*node, scope));
  if (nodes.named_rest) {
    const Datum rest = evaluate(*nodes.named_rest, scope);
    if (!rest.is(Type::dict)) runtime_.fail("what follows '**' must be a dictionary");
    for (const auto& [key, value] : rest.dict().entries) {
      const std::string& name = need_text(runtime_, key).bytes;
      for (const auto& other : arguments.named) {
        if (other.first == name) runtime_.fail("the argument '" + name + "' is given twice");
      }
      arguments.named.emplace_back(name, value);
    }
  }
  return arguments;
}

}  // namespace strata::jinja
