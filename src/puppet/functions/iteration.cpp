// SPDX-License-Identifier: Apache-2.0
// Functions that go through a value with a lambda: each, map, filter, reduce, all, any. Rule: Puppet 7.
#include <array>
#include <vector>

#include "puppet/functions/arguments.hpp"
#include "strata/builder.hpp"

namespace strata::puppet {
namespace {

/// The items of the first argument, one after the other through the lambda. A lambda of two parameters gets number (or
/// key) and item.
class Walk {
 public:
  Walk(const FunctionCall& call, Evaluator& evaluator)
      : items_(items_argument(call, evaluator, 0)),
        pairs_(lambda_takes(call, evaluator, {2, 1}) == 2),
        lambda_(call, evaluator) {}

  /// False at the end. `result` is what the lambda gave for `item`; absent where a jump is pending.
  bool next(Value& item, Value& result) {
    if (!pairs_) {
      if (!items_.next(item)) return false;
      result = lambda_(item);
      return true;
    }
    if (!items_.next(key_, item)) return false;
    result = lambda_(key_, item);
    return true;
  }

  [[nodiscard]] bool is_hash() const noexcept { return items_.is_hash(); }
  [[nodiscard]] bool pairs() const noexcept { return pairs_; }
  /// Of the last item, where the lambda takes two.
  [[nodiscard]] const Value& key() const noexcept { return key_; }
  [[nodiscard]] std::size_t size() const noexcept { return items_.size(); }

 private:
  Items items_;
  bool pairs_;
  BoundLambda lambda_;
  Value key_;
};

Value each(const FunctionCall& call, Evaluator& evaluator) {
  Walk walk(call, evaluator);
  for (Value item, result; walk.next(item, result);) {
    if (result) continue;
    if (evaluator.take(Jump::break_)) break;
    return {};
  }
  return call.arguments[0];
}

Value map(const FunctionCall& call, Evaluator& evaluator) {
  Walk walk(call, evaluator);
  SequenceBuilder out(evaluator.arena(), std::min<std::size_t>(walk.size(), 1000));
  for (Value item, result; walk.next(item, result);) {
    if (result) {
      out.append(result);
      continue;
    }
    if (evaluator.take(Jump::break_)) break;
    return {};
  }
  return out.finish();
}

/// `break` leaves the enclosing iteration too where a hash is filtered: Puppet does not stop it.
Value filter_hash(Walk& walk, Evaluator& evaluator, const Value& hash) {
  MappingBuilder out(evaluator.arena(), KeyEquality::exact, hash.size());
  std::size_t index = 0;
  for (Value item, result; walk.next(item, result); ++index) {
    if (!result) return {};
    const Entry& entry = hash.entries()[index];
    if (is_true(result)) out.insert(entry.key, entry.value);
  }
  return out.finish();
}

Value filter(const FunctionCall& call, Evaluator& evaluator) {
  Walk walk(call, evaluator);
  if (walk.is_hash()) return filter_hash(walk, evaluator, call.arguments[0]);
  SequenceBuilder out(evaluator.arena());
  for (Value item, result; walk.next(item, result);) {
    if (!result) {
      if (evaluator.take(Jump::break_)) break;
      return {};
    }
    if (is_true(result)) out.append(item);
  }
  return out.finish();
}

/// Whether an item's result is `wanted` stops at the first.
Value until(const FunctionCall& call, Evaluator& evaluator, bool wanted) {
  Walk walk(call, evaluator);
  for (Value item, result; walk.next(item, result);) {
    if (!result) {
      if (counts_numbers(call.arguments[0]) && evaluator.take(Jump::break_)) break;
      return {};
    }
    if (is_true(result) == wanted) return Value::boolean(wanted);
  }
  return Value::boolean(!wanted);
}

Value all(const FunctionCall& call, Evaluator& evaluator) { return until(call, evaluator, false); }
Value any(const FunctionCall& call, Evaluator& evaluator) { return until(call, evaluator, true); }

Value reduce(const FunctionCall& call, Evaluator& evaluator) {
  Items items = items_argument(call, evaluator, 0);
  lambda_takes(call, evaluator, {2});
  BoundLambda lambda(call, evaluator);
  Value memo;
  if (call.arguments.size() > 1) {
    memo = call.arguments[1];
  } else if (!items.next(memo)) {
    return Value::null();
  }
  for (Value item; items.next(item);) {
    const Value result = lambda(memo, item);
    if (!result) {
      if (evaluator.take(Jump::break_)) break;
      return {};
    }
    memo = result;
  }
  return memo;
}

/// The number or key of the first item that a lambda picks.
Value index_by_lambda(const FunctionCall& call, Evaluator& evaluator) {
  Items items = items_argument(call, evaluator, 0);
  const bool pairs = lambda_takes(call, evaluator, {2, 1}) == 2;
  BoundLambda lambda(call, evaluator);
  Value key;
  for (Value item; items.next(key, item);) {
    const Value result = pairs ? lambda(key, item) : lambda(item);
    if (!result) {
      if (counts_numbers(call.arguments[0]) && evaluator.take(Jump::break_)) break;
      return {};
    }
    if (is_true(result)) return key;
  }
  return Value::null();
}

/// In characters.
Value index_in_text(const FunctionCall& call, Evaluator& evaluator, std::string_view text, const Value& wanted) {
  evaluator.charge_text(text.size());
  std::size_t at = std::string_view::npos;
  if (const PatternObject* pattern = as_pattern(wanted)) {
    if (const auto match = evaluator.find(pattern->regex(), text)) at = match->groups[0]->begin;
  } else {
    at = find_part(text, wanted.text());
  }
  if (at == std::string_view::npos) return Value::null();
  std::int64_t count = 0;
  for (std::size_t i = 0; i < at; ++i) count += (static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U ? 1 : 0;
  return Value::integer(count).with_origin(call.origin);
}

Value index(const FunctionCall& call, Evaluator& evaluator) {
  const bool two = call.arguments.size() == 2;
  if (two == (call.lambda != nullptr))
    throw failed(call, evaluator, "puppet.arguments", "needs either a value or a lambda");
  if (!two) return index_by_lambda(call, evaluator);
  const Value& from = call.arguments[0];
  const Value& wanted = call.arguments[1];
  if (is_string(from) && (is_string(wanted) || as_pattern(wanted) != nullptr))
    return index_in_text(call, evaluator, from.text(), wanted);
  Items items = items_argument(call, evaluator, 0);
  Value key;
  for (Value item; items.next(key, item);) {
    if (ruby_equals(item, wanted, evaluator)) return key;
  }
  return Value::null();
}

constexpr std::array<BuiltinEntry, 7> kIterationFunctions = {{
    {"all", all, 1, 1, BlockRule::required},
    {"any", any, 1, 1, BlockRule::required},
    {"each", each, 1, 1, BlockRule::required},
    {"filter", filter, 1, 1, BlockRule::required},
    {"index", index, 1, 2, BlockRule::optional},
    {"map", map, 1, 1, BlockRule::required},
    {"reduce", reduce, 1, 2, BlockRule::required},
}};

}  // namespace

std::span<const BuiltinEntry> iteration_functions() noexcept { return kIterationFunctions; }

}  // namespace strata::puppet
