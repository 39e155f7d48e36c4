// What the rooms of built-in functions have in common.
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
#include "strata/puppet.hpp"

namespace strata::puppet {

[[nodiscard]] inline bool is_number(const Value& value) noexcept { return is_whole(value) || value.kind() == Kind::floating; }
/// undef, or a text without characters.
[[nodiscard]] inline bool is_blank(const Value& value) noexcept { return value.is_null() || (is_string(value) && value.text().empty()); }

/// `5` and `Integer[1, 5]`, which are gone through by counting. Only there does `break` end `all`, `any`, `index` and `unique`, as in Puppet.
[[nodiscard]] inline bool counts_numbers(const Value& value) noexcept {
  const TypeObject* type = as_type(value);
  return is_whole(value) || (type != nullptr && type->type()->kind == TypeKind::integer);
}

// The argument at `index` (from 0), which must be there, as what it must be. They throw `puppet.arguments`.
[[nodiscard]] std::string_view text_argument(const FunctionCall& call, const Evaluator& evaluator, std::size_t index);
[[nodiscard]] const Value& array_argument(const FunctionCall& call, const Evaluator& evaluator, std::size_t index);
[[nodiscard]] const Value& hash_argument(const FunctionCall& call, const Evaluator& evaluator, std::size_t index);
[[nodiscard]] bool boolean_argument(const FunctionCall& call, const Evaluator& evaluator, std::size_t index);
[[nodiscard]] const TypeRef& type_argument(const FunctionCall& call, const Evaluator& evaluator, std::size_t index);
/// A whole number from 1 up; more than there is memory for counts as that.
[[nodiscard]] std::size_t count_argument(const FunctionCall& call, const Evaluator& evaluator, std::size_t index);
/// What the argument gives when it is gone through.
[[nodiscard]] Items items_argument(const FunctionCall& call, Evaluator& evaluator, std::size_t index);

/// The first of these numbers of arguments that the lambda takes. Throws `puppet.arguments` where it takes none of them.
std::size_t lambda_takes(const FunctionCall& call, const Evaluator& evaluator, std::initializer_list<std::size_t> numbers);

// What functions make. It has the origin of the call; its size is charged.
[[nodiscard]] Value new_text(const FunctionCall& call, Evaluator& evaluator, std::string_view text, bool secret = false);
[[nodiscard]] Value new_array(Evaluator& evaluator, std::span<const Value> items);
[[nodiscard]] Value new_pair(Evaluator& evaluator, const Value& first, const Value& second);
/// The integer that a float without fraction is; throws `puppet.arguments` for infinities and not-a-number.
[[nodiscard]] Value whole_number(const FunctionCall& call, Evaluator& evaluator, double number);

/// Takes the steps for writing all of a value, and throws `limit.result` where its texts are longer than Limits::input: parts may stand in it often.
void charge_written(Evaluator& evaluator, const Value& value);
/// As Ruby's `to_s`: undef is nothing, containers as `inspect`. What it costs is charged.
[[nodiscard]] std::string ruby_text(Evaluator& evaluator, const Value& value);
/// The value with the text in place of each regular expression, which is what functions of Puppet's third version get.
[[nodiscard]] Value with_pattern_texts(Evaluator& evaluator, const Value& value);
/// As Ruby's `<=>`: above, below or 0; none where the two have no order.
[[nodiscard]] std::optional<int> ruby_order(const Value& left, const Value& right);
/// The sign of what a lambda that compares gave. Throws `puppet.compare`.
[[nodiscard]] int lambda_order(const Value& result, const FunctionCall& call, const Evaluator& evaluator);
/// Two values have no order.
[[nodiscard]] Error no_order(const Value& left, const Value& right, const FunctionCall& call, const Evaluator& evaluator);

}  // namespace strata::puppet
