// SPDX-License-Identifier: Apache-2.0
// Operators on arrays and hashes.
#pragma once

#include "puppet/evaluation/evaluator.hpp"

namespace strata::puppet {

/// `+`, `-` and `<<` with an array or hash on the left. Errors: `puppet.operand`.
[[nodiscard]] Value collection_operation(const Binary& binary, const Value& left, const Value& right,
                                         Evaluator& evaluator);
/// The items of `*value`: a sequence. Undef gives none, a hash its pairs, anything but a collection one item.
[[nodiscard]] Value splat(const Value& value, Evaluator& evaluator);
/// The entries of a hash as a sequence of pairs.
[[nodiscard]] Value pairs_of(const Value& hash, Evaluator& evaluator);

}  // namespace strata::puppet
