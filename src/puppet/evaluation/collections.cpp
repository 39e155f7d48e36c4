// SPDX-License-Identifier: Apache-2.0
#include "puppet/evaluation/collections.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "puppet/evaluation/objects.hpp"
#include "puppet/evaluation/operations.hpp"
#include "strata/builder.hpp"

namespace strata::puppet {
namespace {

constexpr std::size_t kSeenAStep =
    4;  ///< Members that are looked at cost less than those that are computed, or copied: they take memory.

Error inapplicable(const Binary& binary, const Evaluator& evaluator, const std::string& message) {
  return evaluator.error(binary.sign, "puppet.operand", message);
}

Value appended(const Value& left, std::span<const Value> more, Evaluator& evaluator) {
  evaluator.charge(left.size() + more.size());
  SequenceBuilder out(evaluator.arena(), left.size() + more.size());
  out.append(left.items());
  out.append(more);
  return evaluator.admit(out.finish());
}

Value merged_hash(const Value& left, std::span<const Entry> more, Evaluator& evaluator) {
  evaluator.charge(left.size() + more.size());
  MappingBuilder out = MappingBuilder::copy_of(evaluator.arena(), left, more.size());
  for (const Entry& entry : more) out.insert(entry.key, entry.value);
  return evaluator.admit(out.finish());
}

/// Whether items count as pairs: at least one array, and apart from arrays only undef, which the type of an array
/// hides.
bool are_arrays_or_undef(std::span<const Value> items) {
  const auto is_array = [](const Value& item) { return item.is_sequence(); };
  return std::any_of(items.begin(), items.end(), is_array) &&
         std::all_of(items.begin(), items.end(), [&](const Value& item) { return is_array(item) || item.is_null(); });
}

/// A hash of an array: of its pairs where it holds arrays only, else of its items taken two by two.
Value hash_of_array(const Binary& binary, const Value& array, Evaluator& evaluator) {
  Arena& arena = evaluator.arena();
  evaluator.charge_value(array);
  const std::span<const Value> items = array.items();
  MappingBuilder out(arena, KeyEquality::exact, items.size());
  if (are_arrays_or_undef(items)) {
    for (const Value& pair : items) {
      if (pair.size() != 1 && pair.size() != 2)
        throw inapplicable(binary, evaluator,
                           (pair.is_null() ? "undef" : "an array of " + std::to_string(pair.size()) + " items") +
                               " is not a pair of key and value to add to a hash");
      out.insert(arena.key(pair.items()[0]),
                 pair.size() == 2 ? pair.items()[1] : Value::null().with_origin(pair.origin()));
    }
    return out.finish();
  }
  if (items.size() % 2 != 0)
    throw inapplicable(binary, evaluator,
                       "an array of keys and values, to be added to a hash, needs an even number of items");
  for (std::size_t i = 0; i < items.size(); i += 2) out.insert(arena.key(items[i]), items[i + 1]);
  return out.finish();
}

Value added(const Binary& binary, const Value& left, const Value& right, Evaluator& evaluator) {
  if (left.is_sequence()) {
    if (right.is_sequence()) return appended(left, right.items(), evaluator);
    if (right.is_mapping()) return appended(left, pairs_of(right, evaluator).items(), evaluator);
    return appended(left, std::span(&right, 1), evaluator);
  }
  if (right.is_mapping()) return merged_hash(left, right.entries(), evaluator);
  if (right.is_sequence()) return merged_hash(left, hash_of_array(binary, right, evaluator).entries(), evaluator);
  throw inapplicable(binary, evaluator, "only a hash or an array can be added to a hash, not " + a_kind_of(right));
}

/// The items of an array that are none of `gone`.
Value without_items(const Value& left, std::span<const Value> gone, Evaluator& evaluator) {
  SequenceBuilder out(evaluator.arena(), left.size());
  const auto is_gone = [&](const Value& item) {
    return std::any_of(gone.begin(), gone.end(), [&](const Value& one) { return ruby_equals(item, one, evaluator); });
  };
  for (const Value& item : left.items()) {
    evaluator.charge(1 + gone.size() / kSeenAStep);
    if (!is_gone(item)) out.append(item);
  }
  return evaluator.admit(out.finish());
}

Value without_keys(const Value& left, std::span<const Value> gone, Evaluator& evaluator) {
  evaluator.charge(left.size() + gone.size());
  MappingBuilder keys(evaluator.arena(), KeyEquality::exact, gone.size());
  for (const Value& key : gone) evaluator.charge_value(key);
  for (const Value& key : gone) keys.insert(evaluator.arena().key(key), Value::null());
  MappingBuilder out(evaluator.arena(), KeyEquality::exact, left.size());
  for (const Entry& entry : left.entries()) {
    if (keys.find(entry.key) == nullptr) out.insert(entry.key, entry.value);
  }
  return evaluator.admit(out.finish());
}

Value subtracted(const Value& left, const Value& right, Evaluator& evaluator) {
  if (left.is_sequence()) {
    if (right.is_sequence()) return without_items(left, right.items(), evaluator);
    if (right.is_mapping()) return without_items(left, pairs_of(right, evaluator).items(), evaluator);
    return without_items(left, std::span(&right, 1), evaluator);
  }
  if (right.is_sequence()) return without_keys(left, right.items(), evaluator);
  if (!right.is_mapping()) return without_keys(left, std::span(&right, 1), evaluator);
  std::vector<Value> keys;
  for (const Entry& entry : right.entries()) keys.push_back(entry.key);
  return without_keys(left, keys, evaluator);
}

}  // namespace

Value pairs_of(const Value& hash, Evaluator& evaluator) {
  evaluator.charge(hash.size());
  Arena& arena = evaluator.arena();
  SequenceBuilder out(arena, hash.size());
  for (const Entry& entry : hash.entries()) {
    const std::array<Value, 2> pair = {entry.key, entry.value};
    out.append(arena.sequence(pair).with_origin(entry.key.origin()));
  }
  return out.finish().with_origin(hash.origin());
}

Value splat(const Value& value, Evaluator& evaluator) {
  if (value.is_sequence()) return value;
  if (value.is_null()) return evaluator.arena().sequence().with_origin(value.origin());
  if (value.is_mapping()) return pairs_of(value, evaluator);
  if (as_iterator(value) == nullptr)
    return evaluator.arena().sequence(std::span(&value, 1)).with_origin(value.origin());
  SequenceBuilder out(evaluator.arena());
  std::optional<Items> items = Items::of(value, evaluator);
  Value item;
  while (items && items->next(item)) out.append(item);
  return evaluator.admit(out.finish()).with_origin(value.origin());
}

Value collection_operation(const Binary& binary, const Value& left, const Value& right, Evaluator& evaluator) {
  switch (binary.operation) {
    case BinaryOperator::add:
      return added(binary, left, right, evaluator);
    case BinaryOperator::subtract:
      return subtracted(left, right, evaluator);
    default:
      break;
  }
  if (!left.is_sequence())
    throw inapplicable(binary, evaluator, "'<<' appends to an array, not to " + a_kind_of(left))
        .hint("add another hash with '+'");
  return appended(left, std::span(&right, 1), evaluator);
}

}  // namespace strata::puppet
