// SPDX-License-Identifier: Apache-2.0
// Shared parts of built-in functions.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "puppet/evaluation/bound_lambda.hpp"
#include "puppet/evaluation/evaluator.hpp"
#include "puppet/evaluation/objects.hpp"
#include "puppet/evaluation/operations.hpp"
#include "puppet/evaluation/pattern_object.hpp"
#include "puppet/functions/rooms.hpp"
#include "puppet/kinds.hpp"
#include "puppet/types/type.hpp"
#include "strata/puppet.hpp"

namespace strata::puppet {

/// undef, or an empty text.
[[nodiscard]] inline bool is_blank(const Value& value) noexcept {
  return value.is_null() || (is_string(value) && value.text().empty());
}

/// `5` and `Integer[1, 5]`, which are iterated by counting. Only for these, `break` ends `all`, `any`, `index` and
/// `unique`, as in Puppet.
[[nodiscard]] inline bool counts_numbers(const Value& value) noexcept {
  const TypeObject* type = as_type(value);
  return is_whole(value) || (type != nullptr && type->type()->kind() == TypeKind::integer);
}

// The argument at `index` (from 0), which must exist, with its required type. Each throws `puppet.arguments`.
[[nodiscard]] std::string_view text_argument(const FunctionCall& call, const Evaluator& evaluator, std::size_t index);
[[nodiscard]] const Value& array_argument(const FunctionCall& call, const Evaluator& evaluator, std::size_t index);
[[nodiscard]] const Value& hash_argument(const FunctionCall& call, const Evaluator& evaluator, std::size_t index);
[[nodiscard]] bool boolean_argument(const FunctionCall& call, const Evaluator& evaluator, std::size_t index);
[[nodiscard]] const TypeRef& type_argument(const FunctionCall& call, const Evaluator& evaluator, std::size_t index);
/// An integer of at least 1. A number that exceeds memory counts as the maximum.
[[nodiscard]] std::size_t count_argument(const FunctionCall& call, const Evaluator& evaluator, std::size_t index);
/// The items of an iterable argument.
[[nodiscard]] Items items_argument(const FunctionCall& call, Evaluator& evaluator, std::size_t index);

/// The first of these numbers of arguments that the lambda accepts. Throws `puppet.arguments` if it accepts none.
std::size_t lambda_takes(const FunctionCall& call, const Evaluator& evaluator,
                         std::initializer_list<std::size_t> numbers);

// Results of functions. They have the origin of the call; their size is charged.
[[nodiscard]] Value new_text(const FunctionCall& call, Evaluator& evaluator, std::string_view text,
                             bool secret = false);
[[nodiscard]] Value new_array(Evaluator& evaluator, std::span<const Value> items);
[[nodiscard]] Value new_pair(Evaluator& evaluator, const Value& first, const Value& second);
/// The integer value of a float without fraction. Throws `puppet.arguments` for infinities and not-a-number.
[[nodiscard]] Value whole_number(const FunctionCall& call, Evaluator& evaluator, double number);

/// Counts the steps for writing a whole value. Throws `limit.result` if its texts exceed Limits::input: parts may occur
/// often.
void charge_written(Evaluator& evaluator, const Value& value);
/// Ruby's `to_s`: undef is empty, containers as `inspect`. Its cost is charged.
[[nodiscard]] std::string ruby_text(Evaluator& evaluator, const Value& value);
/// The value with each regular expression replaced by its text, as functions of Puppet's third API version receive it.
[[nodiscard]] Value with_pattern_texts(Evaluator& evaluator, const Value& value);
/// Ruby's `<=>`: less than, greater than or equal to 0. No value if the two have no order.
[[nodiscard]] std::optional<int> ruby_order(const Value& left, const Value& right);
/// The sign of the result of a comparing lambda. Throws `puppet.compare`.
[[nodiscard]] int lambda_order(const Value& result, const FunctionCall& call, const Evaluator& evaluator);
/// The error for two values without an order.
[[nodiscard]] Error no_order(const Value& left, const Value& right, const FunctionCall& call,
                             const Evaluator& evaluator);

}  // namespace strata::puppet
