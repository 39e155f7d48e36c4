// SPDX-License-Identifier: Apache-2.0
// Functions that take a value apart with a lambda: slice, group_by, partition; and those that only call one: with,
// then, lest. Rule: Puppet 7.
#include <array>
#include <vector>

#include "puppet/functions/arguments.hpp"
#include "strata/builder.hpp"

namespace strata::puppet {
namespace {

const Value& collection_argument(const FunctionCall& call, const Evaluator& evaluator) {
  const Value& value = call.arguments[0];
  if (!value.is_sequence() && !is_hash(value)) throw wrong_argument(call, evaluator, 0, "a Collection");
  return value;
}

/// How many parameters the lambda of `slice` gets: one array, or as many as a slice has.
std::size_t served(const FunctionCall& call, const Evaluator& evaluator, std::size_t size) {
  const Arity taken = arity(*call.lambda);
  const std::size_t count = taken.least == taken.most ? taken.least : size;
  if (count != 1 && count != size)
    throw failed(call, evaluator, "puppet.arguments",
                 "the lambda must take 1 argument, or as many as a slice has (" + std::to_string(size) +
                     "), and takes " + std::to_string(count));
  return count;
}

/// A slice through the lambda; false: a jump is pending.
bool serve(BoundLambda& lambda, Evaluator& evaluator, std::vector<Value>& slice, std::size_t count,
           const Value& filler) {
  if (count == 1) return static_cast<bool>(lambda(new_array(evaluator, slice)));
  if (slice.size() < count) evaluator.charge(count - slice.size());
  slice.resize(count, filler);
  return static_cast<bool>(lambda(slice));
}

/// Puppet makes slices of whole numbers one shorter than there are numbers, at most.
std::size_t slice_size(const Value& source, const Items& items, std::size_t given) {
  const IteratorObject* iterator = as_iterator(source);
  const bool numbers = counts_numbers(source) || (iterator != nullptr && !iterator->items());
  return numbers && items.size() > 1 ? std::min(given, items.size() - 1) : given;
}

Value slice(const FunctionCall& call, Evaluator& evaluator) {
  Items items = items_argument(call, evaluator, 0);
  const std::size_t given = count_argument(call, evaluator, 1);
  const std::size_t size = slice_size(call.arguments[0], items, given);
  std::optional<BoundLambda> lambda;
  std::size_t count = 1;
  if (call.lambda != nullptr) {
    count = served(call, evaluator, given);
    lambda.emplace(call, evaluator);
  }
  const Value filler = items.is_hash() ? evaluator.arena().sequence() : Value::null();
  SequenceBuilder out(evaluator.arena());
  std::vector<Value> current;
  bool more = true;
  while (more) {
    current.clear();
    for (Value item; current.size() < size && (more = items.next(item));) current.push_back(item);
    if (current.empty()) break;
    if (!lambda) {
      out.append(new_array(evaluator, current));
    } else if (!serve(*lambda, evaluator, current, count, filler)) {
      if (evaluator.take(Jump::break_)) break;
      return {};
    }
  }
  return lambda ? call.arguments[0] : out.finish();
}

/// Calls `keep(item, result)` for all items of an array or hash; false: a jump is pending. Items of hashes are arrays
/// of key and value.
template <class Keep>
bool each_result(const FunctionCall& call, Evaluator& evaluator, const Keep& keep) {
  const Value& from = collection_argument(call, evaluator);
  const bool pairs = lambda_takes(call, evaluator, {1, 2}) == 2;
  BoundLambda lambda(call, evaluator);
  Items items = items_argument(call, evaluator, 0);
  std::size_t index = 0;
  for (Value item; items.next(item); ++index) {
    const Value key = is_hash(from) ? from.entries()[index].key : Value::integer(static_cast<std::int64_t>(index));
    const Value result = pairs ? lambda(key, is_hash(from) ? from.entries()[index].value : item) : lambda(item);
    if (!result) return false;
    keep(item, result);
  }
  return true;
}

Value group_by(const FunctionCall& call, Evaluator& evaluator) {
  Arena& arena = evaluator.arena();
  MappingBuilder out(arena);
  std::vector<SequenceBuilder> groups;  // The values of `out`.
  const auto keep = [&](const Value& item, const Value& result) {
    evaluator.charge_value(result);
    const Value key = arena.key(result);
    const std::size_t known = out.index_of(key);
    if (known == Arena::npos) {
      out.insert(key, Value::null());
      groups.emplace_back(arena, 1);
    }
    (known == Arena::npos ? groups.back() : groups[known]).append(item);
  };
  if (!each_result(call, evaluator, keep)) return {};
  for (std::size_t i = 0; i < groups.size(); ++i) out.replace(i, groups[i].finish());
  return out.finish();
}

Value partition(const FunctionCall& call, Evaluator& evaluator) {
  Arena& arena = evaluator.arena();
  SequenceBuilder yes(arena);
  SequenceBuilder no(arena);
  const auto keep = [&](const Value& item, const Value& result) { (is_true(result) ? yes : no).append(item); };
  return each_result(call, evaluator, keep) ? new_pair(evaluator, yes.finish(), no.finish()) : Value();
}

Value with(const FunctionCall& call, Evaluator& evaluator) { return BoundLambda(call, evaluator)(call.arguments); }

Value then(const FunctionCall& call, Evaluator& evaluator) {
  lambda_takes(call, evaluator, {1});
  return call.arguments[0].is_null() ? Value::null() : BoundLambda(call, evaluator)(call.arguments[0]);
}

Value lest(const FunctionCall& call, Evaluator& evaluator) {
  lambda_takes(call, evaluator, {0});
  return call.arguments[0].is_null() ? BoundLambda(call, evaluator)(std::span<const Value>()) : call.arguments[0];
}

constexpr std::array<BuiltinEntry, 6> kPartFunctions = {{
    {"group_by", group_by, 1, 1, BlockRule::required},
    {"lest", lest, 1, 1, BlockRule::required},
    {"partition", partition, 1, 1, BlockRule::required},
    {"slice", slice, 2, 2, BlockRule::optional},
    {"then", then, 1, 1, BlockRule::required},
    {"with", with, 0, BuiltinEntry::kMany, BlockRule::required},
}};

}  // namespace

std::span<const BuiltinEntry> part_functions() noexcept { return kPartFunctions; }

}  // namespace strata::puppet
