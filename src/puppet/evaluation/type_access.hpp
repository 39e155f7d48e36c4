// SPDX-License-Identifier: Apache-2.0
// Types with parameters, made by expressions.
#pragma once

#include <span>
#include <vector>

#include "puppet/evaluation/evaluator.hpp"
#include "strata/puppet.hpp"

namespace strata::puppet {

/// Appends the values to `out`, arrays among them replaced by their items, at any depth.
void flatten_arrays(std::span<const Value> values, std::vector<Value>& out);
/// `type[keys…]`. An array if `Class[…]` or a resource type has several names. Errors: `puppet.type`,
/// `puppet.unsupported`, `regex.syntax`.
[[nodiscard]] Value type_access(const Access& access, const Type& type, std::span<const Value> keys,
                                Evaluator& evaluator);

}  // namespace strata::puppet
