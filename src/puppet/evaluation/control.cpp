// SPDX-License-Identifier: Apache-2.0
// Branches and assignments.
#include <algorithm>

#include "puppet/evaluation/evaluator.hpp"
#include "puppet/evaluation/operations.hpp"

namespace strata::puppet {
namespace {

/// Puts the groups of the last match back at the end of a branch.
class Guard {
 public:
  explicit Guard(Scope& scope) noexcept : scope_(scope), groups_(scope.own_groups()) {}
  ~Guard() { scope_.set_groups(groups_); }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

 private:
  Scope& scope_;
  Value groups_;
};

bool is_default_word(const Expression* expression) noexcept { return expression->node == Node::default_word; }

}  // namespace

Value Evaluator::block(const Block& block, Scope& scope) {
  Value value = Value::null().with_origin(block.origin);
  for (const Expression* statement : block.statements) {
    value = visit(*statement, scope);
    if (!value) return {};
  }
  return value;
}

Value Evaluator::conditional(const If& conditional, Scope& scope) {
  const Guard guard(scope);
  const Value test = visit(*conditional.condition, scope);
  if (!test) return {};
  if (is_true(test) != conditional.is_negated) return visit(*conditional.then, scope);
  if (conditional.otherwise != nullptr) return visit(*conditional.otherwise, scope);
  return Value::null().with_origin(conditional.origin);
}

Value Evaluator::fits(const Expression& option, const Value& subject, Scope& scope) {
  const Value pattern = visit(option, scope);
  if (!pattern) return {};
  if (option.node != Node::unary || as<Unary>(option).operation != UnaryOperator::splat)
    return Value::boolean(matches(subject, pattern, scope, *this));
  for (const Value& one : pattern.items()) {
    charge(1);
    if (matches(subject, one, scope, *this)) return Value::boolean(true);
  }
  return Value::boolean(false);
}

Value Evaluator::case_of(const Case& chosen, Scope& scope) {
  const Guard guard(scope);
  const Value subject = visit(*chosen.subject, scope);
  if (!subject) return {};
  const CaseOption* otherwise = nullptr;
  for (const CaseOption& option : chosen.options) {
    for (const Expression* value : option.values) {
      if (is_default_word(value)) {
        otherwise = &option;
        continue;
      }
      const Value fit = fits(*value, subject, scope);
      if (!fit) return {};
      if (fit.as_boolean()) return visit(*option.body, scope);
    }
  }
  if (otherwise != nullptr) return visit(*otherwise->body, scope);
  return Value::null().with_origin(chosen.origin);
}

Value Evaluator::selector(const Selector& selector, Scope& scope) {
  const Guard guard(scope);
  const Value subject = visit(*selector.subject, scope);
  if (!subject) return {};
  const SelectorOption* otherwise = nullptr;
  for (const SelectorOption& option : selector.options) {
    if (is_default_word(option.key)) {
      otherwise = &option;
      continue;
    }
    const Value fit = fits(*option.key, subject, scope);
    if (!fit) return {};
    if (fit.as_boolean()) return visit(*option.value, scope);
  }
  if (otherwise != nullptr) return visit(*otherwise->value, scope);
  throw error(selector.origin, "puppet.no-option", "no option of the selector fits " + shown(subject))
      .hint("add `default => …`");
}

Value Evaluator::assignment(const Assignment& assignment, Scope& scope) {
  const Value value = visit(*assignment.value, scope);
  if (!value) return {};
  assign(*assignment.target, value, assignment, scope);
  return value;
}

// Recursion: as deep as the text nests.
void Evaluator::assign(const Expression& target, const Value& value, const Assignment& assignment, Scope& scope) {
  if (target.node == Node::variable) {
    assign_variable(as<Variable>(target), value, scope);
    return;
  }
  if (target.node != Node::list)
    throw error(target.origin, "puppet.assignment", "only variables can be assigned")
        .hint("write $name = value, or [$a, $b] = values");
  const auto& targets = as<List>(target).items;
  if (value.is_mapping()) {
    for (const Expression* one : targets) {
      const Value* member = one->node == Node::variable ? value.find(as<Variable>(*one).name) : nullptr;
      if (member == nullptr)
        throw error(one->origin, "puppet.assignment",
                    one->node == Node::variable
                        ? "the hash has no key '" + std::string(as<Variable>(*one).name) + "' to assign"
                        : "a hash is assigned to variables, each by its name");
      assign(*one, *member, assignment, scope);
    }
    return;
  }
  const std::size_t given = value.is_sequence() ? value.size() : 1;
  if (given != targets.size())
    throw error(target.origin, "puppet.assignment",
                std::to_string(targets.size()) + " variables cannot be assigned from " + std::to_string(given) +
                    (given == 1 ? " value" : " values"));
  for (std::size_t i = 0; i < given; ++i)
    assign(*targets[i], value.is_sequence() ? value.items()[i] : value, assignment, scope);
}

void Evaluator::assign_variable(const Variable& variable, const Value& value, Scope& scope) {
  const std::string_view name = variable.name;
  const std::string written = "$" + std::string(name);
  if (variable.is_top || name.find("::") != std::string_view::npos)
    throw error(variable.origin, "puppet.assignment",
                "cannot assign '" + written + "': a variable is assigned in its own scope only")
        .hint("write a name without ::");
  if (name.front() >= '0' && name.front() <= '9')
    throw error(variable.origin, "puppet.assignment",
                "cannot assign '" + written + "': numbers are the groups of a match");
  if (is_reserved_variable(name)) throw reserved_variable(name, variable.origin);
  if (scope.assign(name, value, variable.origin)) return;
  Error reassigned = error(variable.origin, "puppet.reassigned", "cannot reassign variable '" + written + "'");
  const Origin first = scope.assigned_at(name);
  if (!first) throw std::move(reassigned).hint("it was set before this text was evaluated; use another name");
  throw std::move(reassigned)
      .note(context_.sources, first, "assigned here first")
      .hint("a variable is assigned once in its scope; use another name");
}

}  // namespace strata::puppet
