// SPDX-License-Identifier: Apache-2.0
#include "puppet/evaluation/evaluator.hpp"

#include "puppet/characters.hpp"
#include "puppet/evaluation/objects.hpp"
#include "puppet/evaluation/operations.hpp"
#include "puppet/evaluation/state.hpp"
#include "puppet/evaluation/type_access.hpp"
#include "puppet/language/external_syntax.hpp"
#include "puppet/types/make.hpp"
#include "puppet/types/names.hpp"
#include "strata/builder.hpp"
#include "strata/near_names.hpp"
#include "strata/stack.hpp"

namespace strata::puppet {
namespace {

/// Counts the expressions in each other, as long as it lives.
class Level {
 public:
  Level(std::size_t& depth, const Limits& limits) : depth_(depth) {
    check_stack(limits);
    if (++depth_ <= limits.depth) return;
    --depth_;
    throw Error("limit.depth", "expressions nest deeper than " + std::to_string(limits.depth) + " levels")
        .hint("raise it with --limit depth=NUMBER");
  }
  ~Level() { --depth_; }
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;

 private:
  std::size_t& depth_;
};

bool is_group(std::string_view name) noexcept { return !name.empty() && name.front() >= '0' && name.front() <= '9'; }

/// The group of a number; undef where the pattern has none of it.
Value group(const Scope& scope, std::string_view name) {
  const Value groups = scope.groups();
  std::size_t number = 0;
  for (const char c : name) {
    if (number > groups.size()) break;
    number = number * 10 + static_cast<std::size_t>(c - '0');
  }
  return number < groups.size() ? groups.items()[number] : Value::null();
}

}  // namespace

Evaluator::Evaluator(EvaluatorContext context)
    : context_(std::move(context)),
      steps_left_(context_.limits.steps),
      state_(std::make_unique<State>(context_.limits.stop)) {}

Evaluator::~Evaluator() = default;

Value Evaluator::evaluate(const Expression& expression, Scope& scope) {
  try {
    const Value value = visit(expression, scope);
    if (!value) stray_jump();
    return value;
  } catch (Error& error) {
    if (!error.diagnostic().where.place.file.empty()) throw;
    throw std::move(error).at(context_.sources, expression.origin);
  }
}

void Evaluator::stray_jump() {
  const std::string_view name = jump_ == Jump::next ? "next" : jump_ == Jump::break_ ? "break" : "return";
  jump_ = Jump::none;
  throw error(jump_origin_, "puppet.jump", std::string(name) + "() outside of what it could leave")
      .hint(name == "return"  ? "there are no functions to return from here; the last expression of a lambda is its "
                                "value, and next(value) gives one early"
            : name == "break" ? "break() ends a function such as each or map, from inside of its lambda"
                              : "next() ends a call of a lambda, from inside of it");
}

Value Evaluator::visit(const Expression& expression, Scope& scope) {
  charge(1);
  state_->stop_check.tick([&] { return expression.origin; });
  // What has no parts of its own needs no bookkeeping.
  switch (expression.node) {
    case Node::literal:
      return as<Literal>(expression).value;
    case Node::word:
      return as<Word>(expression).value;
    case Node::variable:
      return variable(as<Variable>(expression), scope);
    case Node::regex:
      return as<RegexLiteral>(expression).value.with_origin(expression.origin);
    case Node::default_word:
      return make_default(context_.arena).with_origin(expression.origin);
    case Node::type_name:
      return type_name(as<TypeName>(expression));
    default: {
      const Level level(depth_, context_.limits);
      return dispatch(expression, scope);
    }
  }
}

Value Evaluator::dispatch(const Expression& expression, Scope& scope) {
  switch (expression.node) {
    case Node::interpolation:
      return interpolation(as<Interpolation>(expression), scope);
    case Node::list:
      return list(as<List>(expression), scope);
    case Node::hash:
      return hash(as<Hash>(expression), scope);
    case Node::access:
      return access(as<Access>(expression), scope);
    case Node::call:
      return call_of(as<Call>(expression), scope);
    case Node::unary:
      return unary(as<Unary>(expression), scope);
    case Node::binary:
      return binary(as<Binary>(expression), scope);
    case Node::assignment:
      return assignment(as<Assignment>(expression), scope);
    case Node::if_:
      return conditional(as<If>(expression), scope);
    case Node::case_:
      return case_of(as<Case>(expression), scope);
    case Node::selector:
      return selector(as<Selector>(expression), scope);
    case Node::block:
      return block(as<Block>(expression), scope);
    case Node::query:
      if (context_.queries != nullptr) return admit(context_.queries->answer(as<Query>(expression), scope, *this));
      throw error(expression.origin, "puppet.unsupported", "queries cannot be asked here");
    default:
      break;
  }
  throw error(expression.origin, "puppet.unsupported", "a lambda is not a value")
      .hint("write it after a call: f(x) |$item| { … }");
}

Value Evaluator::variable(const Variable& variable, Scope& scope) {
  if (is_group(variable.name)) return group(scope, variable.name);
  const Value* found = variable.is_top ? nullptr : scope.find(variable.name);
  if (variable.is_top) {
    const Scope::Slot* slot = scope.top().find_here(variable.name);
    if (slot != nullptr) found = &slot->value;
  }
  if (found != nullptr) {
    if (*found) return *found;
    throw error(variable.origin, "puppet.unknown-variable",
                "the parameter $" + std::string(variable.name) + " has no value yet")
        .hint("a default may use the parameters before its own");
  }
  if (scope.others() != nullptr) {
    const Value value = scope.others()->find(variable.name, *this);
    if (value) return value;
  }
  return unknown_variable(variable, scope);
}

Value Evaluator::unknown_variable(const Variable& variable, Scope& scope) {
  std::vector<std::string> held = scope.others() == nullptr ? std::vector<std::string>() : scope.others()->names();
  std::vector<std::string_view> names(held.begin(), held.end());
  for (const Scope* frame = &scope; frame != nullptr; frame = frame->outer()) {
    for (std::size_t i = 0; i < frame->size(); ++i) names.push_back(frame->at(i).name);
  }
  const std::string near(nearest_name(names, variable.name));
  const std::string hint = near.empty() ? "" : "did you mean $" + near + "?";
  const std::string message = "unknown variable '$" + std::string(variable.name) + "'";
  if (context_.strict) throw error(variable.origin, "puppet.unknown-variable", message).hint(hint);
  warn(variable.origin, "puppet.unknown-variable", message + ", taken as undef", hint);
  return Value::null().with_origin(variable.origin);
}

Value Evaluator::type_name(const TypeName& name) {
  const auto [found, added] = state_->types.try_emplace(&name);
  if (added) {
    TypeRef type;
    try {
      type = find_type(name.name);
    } catch (Error& unsupported) {
      state_->types.erase(found);
      throw std::move(unsupported).at(context_.sources, name.origin);
    }
    if (type == nullptr) type = resource_type(capitalized_name(name.name));
    found->second = make_type_value(context_.arena, std::move(type)).with_origin(name.origin);
  }
  return found->second;
}

Value Evaluator::list(const List& list, Scope& scope) {
  SequenceBuilder out(context_.arena, list.items.size());
  for (const Expression* item : list.items) {
    const Value value = visit(*item, scope);
    if (!value) return {};
    if (item->node == Node::unary && as<Unary>(*item).operation == UnaryOperator::splat) {
      charge(value.size());
      out.append(value.items());
    } else {
      out.append(value);
    }
  }
  return admit(out.finish().with_origin(list.origin));
}

Value Evaluator::hash(const Hash& hash, Scope& scope) {
  MappingBuilder out(context_.arena, KeyEquality::exact, hash.entries.size());
  bool has_secret_key = false;  // A key cannot be hidden alone.
  for (const HashEntry& entry : hash.entries) {
    const Value key = visit(*entry.key, scope);
    if (!key) return {};
    const bool is_secret = shows_secret(key);
    has_secret_key = has_secret_key || is_secret;
    const Value value = visit(*entry.value, scope);
    if (!value) return {};
    charge_value(key);
    if (out.insert(context_.arena.key(key), value)) continue;
    const std::string message = (is_secret ? "a key that comes from a secret" : "the key " + shown(key)) +
                                " is given twice, the last one counts";
    if (!context_.strict) {
      warn(entry.key->origin, "puppet.repeated-key", message);
      continue;
    }
    const Origin first = out.entries()[out.index_of(key)].key.origin();
    throw error(entry.key->origin, "puppet.repeated-key", message).note(context_.sources, first, "given here first");
  }
  return admit(out.finish().with_origin(hash.origin).with_secret(has_secret_key));
}

Value Evaluator::interpolation(const Interpolation& interpolation, Scope& scope) {
  std::string out;
  bool secret = false;
  for (const Expression* part : interpolation.parts) {
    const Value value = visit(*part, scope);
    if (!value) return {};
    if (value.is_text()) {
      charge_text(value.text().size());
      out += value.text();
      secret = secret || value.is_secret();
      continue;
    }
    charge_value(value);
    append_text(out, value, *this);
    secret = secret || shows_secret(value);
  }
  charge_text(out.size());
  if (!interpolation.syntax.empty()) {
    constexpr std::size_t kReadAStep = 8;  // Bytes: reading data costs more than writing a text.
    charge(out.size() / kReadAStep);
    const std::string problem = problem_of(interpolation.syntax, out, context_.limits);
    if (!problem.empty())
      throw error(interpolation.origin, "puppet.syntax", secret ? "this heredoc is not of its syntax" : problem);
  }
  return context_.arena.text(out).with_origin(interpolation.origin).with_secret(secret);
}

}  // namespace strata::puppet
