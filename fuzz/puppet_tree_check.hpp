// SPDX-License-Identifier: Apache-2.0
// Walks a syntax tree: each node is higher than those below it, and none is higher than allowed.
#pragma once

#include <cstdlib>
#include <span>

#include "puppet/language/ast.hpp"

inline void check_tree(const strata::puppet::Expression& node, std::size_t most) {
  using namespace strata::puppet;
  if (node.height == 0 || node.height > most) std::abort();
  const auto below = [&](const Expression* child) {
    if (child == nullptr) return;
    if (child->height >= node.height) std::abort();
    check_tree(*child, most);
  };
  const auto all = [&](std::span<const Expression* const> children) {
    for (const Expression* child : children) below(child);
  };
  switch (node.node) {
    case Node::interpolation:
      return all(as<Interpolation>(node).parts);
    case Node::list:
      return all(as<List>(node).items);
    case Node::hash:
      for (const HashEntry& entry : as<Hash>(node).entries) {
        below(entry.key);
        below(entry.value);
      }
      return;
    case Node::access:
      below(as<Access>(node).target);
      return all(as<Access>(node).keys);
    case Node::call:
      below(as<Call>(node).lambda);
      return all(as<Call>(node).arguments);
    case Node::unary:
      return below(as<Unary>(node).operand);
    case Node::binary:
      below(as<Binary>(node).left);
      return below(as<Binary>(node).right);
    case Node::assignment:
      below(as<Assignment>(node).target);
      return below(as<Assignment>(node).value);
    case Node::if_:
      below(as<If>(node).condition);
      below(as<If>(node).then);
      return below(as<If>(node).otherwise);
    case Node::case_:
      below(as<Case>(node).subject);
      for (const CaseOption& option : as<Case>(node).options) {
        all(option.values);
        below(option.body);
      }
      return;
    case Node::selector:
      below(as<Selector>(node).subject);
      for (const SelectorOption& option : as<Selector>(node).options) {
        below(option.key);
        below(option.value);
      }
      return;
    case Node::block:
      return all(as<Block>(node).statements);
    case Node::lambda:
      for (const LambdaParameter& parameter : as<Lambda>(node).parameters) {
        below(parameter.type);
        below(parameter.default_value);
      }
      below(as<Lambda>(node).return_type);
      return below(as<Lambda>(node).body);
    default:
      return;
  }
}
