// SPDX-License-Identifier: Apache-2.0
// Functions on arrays that core Puppet does not have: concat, union, intersection, difference, delete, member, zip,
// any2array. Rule: puppetlabs-stdlib.
#include <array>
#include <vector>

#include "puppet/functions/arguments.hpp"
#include "strata/builder.hpp"

namespace strata::puppet {
namespace {

/// Values as keys: 1 and 1.0 differ, as in Ruby's `-`, `&` and `|`.
class Known {
 public:
  explicit Known(Evaluator& evaluator) : evaluator_(evaluator), all_(arena_) {}
  Known(Evaluator& evaluator, const Value& array) : Known(evaluator) {
    for (const Value& item : array.items()) static_cast<void>(add(item));
  }
  /// False where it was there before.
  bool add(const Value& value) {
    charge(value);
    return all_.insert(arena_.key(value), Value::null());
  }
  [[nodiscard]] bool has(const Value& value) {
    charge(value);
    return all_.find(arena_.key(value)) != nullptr;
  }

 private:
  void charge(const Value& value) {
    evaluator_.charge(1);
    evaluator_.charge_value(value);
  }

  Evaluator& evaluator_;
  Arena arena_;
  MappingBuilder all_;
};

Value concat(const FunctionCall& call, Evaluator& evaluator) {
  std::vector<Value> out;
  const auto add = [&](std::span<const Value> items) {
    evaluator.charge(items.size());
    out.insert(out.end(), items.begin(), items.end());
  };
  add(array_argument(call, evaluator, 0).items());
  for (const Value& argument : call.arguments.subspan(1))
    add(argument.is_sequence() ? argument.items() : std::span(&argument, 1));
  return new_array(evaluator, out);
}

Value union_of(const FunctionCall& call, Evaluator& evaluator) {
  Known known(evaluator);
  std::vector<Value> out;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    for (const Value& item : array_argument(call, evaluator, i).items()) {
      if (known.add(item)) out.push_back(item);
    }
  }
  return new_array(evaluator, out);
}

Value intersection(const FunctionCall& call, Evaluator& evaluator) {
  Known right(evaluator, array_argument(call, evaluator, 1));
  Known known(evaluator);
  std::vector<Value> out;
  for (const Value& item : array_argument(call, evaluator, 0).items()) {
    if (right.has(item) && known.add(item)) out.push_back(item);
  }
  return new_array(evaluator, out);
}

Value difference(const FunctionCall& call, Evaluator& evaluator) {
  Known right(evaluator, array_argument(call, evaluator, 1));
  std::vector<Value> out;
  for (const Value& item : array_argument(call, evaluator, 0).items()) {
    if (!right.has(item)) out.push_back(item);
  }
  return new_array(evaluator, out);
}

// delete.

/// What is to be deleted: one value, or all of an array, whatever it nests.
void wanted_into(Evaluator& evaluator, const Value& value, std::vector<Value>& out) {
  evaluator.charge(1);
  if (!value.is_sequence()) {
    if (!value.is_null()) out.push_back(value);
    return;
  }
  for (const Value& item : value.items()) wanted_into(evaluator, item, out);
}

std::string without_part(Evaluator& evaluator, std::string text, std::string_view part) {
  if (part.empty()) return text;
  evaluator.charge_text(text.size());
  std::string out;
  std::size_t at = 0;
  for (std::size_t found = find_part(text, part); found != std::string::npos; found = find_part(text, part, at)) {
    out.append(text, at, found - at);
    at = found + part.size();
  }
  return out.append(text, at);
}

bool is_any(Evaluator& evaluator, const Value& value, const std::vector<Value>& wanted) {
  for (const Value& one : wanted) {
    evaluator.charge(1);
    if (ruby_equals(value, one, evaluator)) return true;
  }
  return false;
}

Value delete_from_array(Evaluator& evaluator, const Value& array, const std::vector<Value>& wanted) {
  std::vector<Value> out;
  for (const Value& item : array.items()) {
    if (!is_any(evaluator, item, wanted)) out.push_back(item);
  }
  return new_array(evaluator, out);
}

Value delete_from_hash(Evaluator& evaluator, const Value& hash, const std::vector<Value>& wanted) {
  MappingBuilder out = MappingBuilder::copy_of(evaluator.arena(), hash);
  for (const Value& key : wanted) {
    evaluator.charge(1 + out.size() / 8);
    evaluator.charge_value(key);
    out.erase(evaluator.arena().key(key));
  }
  return out.finish();
}

Value delete_items(const FunctionCall& call, Evaluator& evaluator) {
  const Value& from = call.arguments[0];
  std::vector<Value> wanted;
  wanted_into(evaluator, call.arguments[1], wanted);
  if (from.is_sequence()) return delete_from_array(evaluator, from, wanted);
  if (is_hash(from)) return delete_from_hash(evaluator, from, wanted);
  std::string text(text_argument(call, evaluator, 0));
  for (const Value& part : wanted) {
    if (!is_string(part)) throw wrong_argument(call, evaluator, 1, "a String, or an Array of such");
    text = without_part(evaluator, std::move(text), part.text());
  }
  return new_text(call, evaluator, text, from.is_secret());
}

Value delete_undef_values(const FunctionCall& call, Evaluator& evaluator) {
  const Value& from = call.arguments[0];
  evaluator.charge(from.size());
  if (from.is_sequence()) {
    std::vector<Value> out;
    for (const Value& item : from.items()) {
      if (!item.is_null()) out.push_back(item);
    }
    return new_array(evaluator, out);
  }
  if (!is_hash(from)) throw wrong_argument(call, evaluator, 0, "an Array or a Hash");
  MappingBuilder out(evaluator.arena(), KeyEquality::exact, from.size());
  for (const Entry& entry : from.entries()) {
    if (!entry.value.is_null()) out.insert(entry.key, entry.value);
  }
  return out.finish();
}

Value member(const FunctionCall& call, Evaluator& evaluator) {
  Known known(evaluator, array_argument(call, evaluator, 0));
  const Value& wanted = call.arguments[1];
  // stdlib takes these and nothing else. It turns undef into an empty string before it looks.
  const bool is_single = wanted.is_null() || wanted.kind() == Kind::text || wanted.kind() == Kind::integer ||
                         wanted.kind() == Kind::big_integer;
  if (!is_single && (!wanted.is_sequence() || wanted.size() == 0))
    throw wrong_argument(call, evaluator, 1, "a String, an Integer or an Array that is not empty");
  if (is_single) return Value::boolean(known.has(wanted));
  for (const Value& item : wanted.items()) {
    if (!known.has(item)) return Value::boolean(false);
  }
  return Value::boolean(true);
}

Value zip(const FunctionCall& call, Evaluator& evaluator) {
  const std::span<const Value> left = array_argument(call, evaluator, 0).items();
  const std::span<const Value> right = array_argument(call, evaluator, 1).items();
  const bool flat = call.arguments.size() > 2 && boolean_argument(call, evaluator, 2);
  evaluator.charge(left.size());
  std::vector<Value> out;
  for (std::size_t i = 0; i < left.size(); ++i) {
    const Value second = i < right.size() ? right[i] : Value::null();
    out.push_back(new_pair(evaluator, left[i], second));
  }
  const Value pairs = new_array(evaluator, out);
  if (!flat) return pairs;
  return evaluator.call(FunctionCall{"flatten", std::span(&pairs, 1), nullptr, call.scope, call.origin});
}

Value any2array(const FunctionCall& call, Evaluator& evaluator) {
  if (call.arguments.size() != 1) return new_array(evaluator, call.arguments);
  const Value& value = call.arguments[0];
  if (value.is_sequence()) return value;
  if (is_blank(value)) return new_array(evaluator, {});
  if (!is_hash(value)) return new_array(evaluator, call.arguments);
  std::vector<Value> out;
  for (const Entry& entry : value.entries()) {
    out.push_back(entry.key);
    out.push_back(entry.value);
  }
  return new_array(evaluator, out);
}

constexpr std::array<BuiltinEntry, 9> kSetFunctions = {{
    {"any2array", any2array, 0, BuiltinEntry::kMany, BlockRule::none},
    {"concat", concat, 1, BuiltinEntry::kMany, BlockRule::none},
    {"delete", delete_items, 2, 2, BlockRule::none},
    {"delete_undef_values", delete_undef_values, 1, 1, BlockRule::none},
    {"difference", difference, 2, 2, BlockRule::none},
    {"intersection", intersection, 2, 2, BlockRule::none},
    {"member", member, 2, 2, BlockRule::none},
    {"union", union_of, 1, BuiltinEntry::kMany, BlockRule::none},
    {"zip", zip, 2, 3, BlockRule::none},
}};

}  // namespace

std::span<const BuiltinEntry> set_functions() noexcept { return kSetFunctions; }

}  // namespace strata::puppet
