// What operators make of arrays and hashes.
#pragma once

#include "puppet/evaluation/evaluator.hpp"

namespace strata::puppet {

/// `+`, `-` and `<<` of an array or hash on the left side. Errors: `puppet.operand`.
[[nodiscard]] Value collection_operation(const Binary& binary, const Value& left, const Value& right, Evaluator& evaluator);
/// What `*value` stands for: a sequence. Undef is nothing, a hash its pairs, other than collections one item.
[[nodiscard]] Value splat(const Value& value, Evaluator& evaluator);
/// The entries of a hash as a sequence of pairs.
[[nodiscard]] Value pairs_of(const Value& hash, Evaluator& evaluator);

}  // namespace strata::puppet
