// SPDX-License-Identifier: Apache-2.0
// Functions on arrays: flatten, join, unique, empty, length, and what is not in core Puppet. Rule: Puppet 7;
// puppetlabs-stdlib for the latter.
#include <array>
#include <vector>

#include "puppet/functions/arguments.hpp"
#include "puppet/types/make.hpp"
#include "strata/builder.hpp"

namespace strata::puppet {
namespace {

// Recursion: Limits::depth bounds values.
void flatten_into(const FunctionCall& call, Evaluator& evaluator, std::span<const Value> items, SequenceBuilder& out) {
  evaluator.charge(items.size());
  for (const Value& item : items) {
    if (item.is_sequence()) {
      flatten_into(call, evaluator, item.items(), out);
    } else {
      if (out.size() >= evaluator.context().limits.result)
        static_cast<void>(evaluator.admit(evaluator.arena().sequence(out.items())));
      out.append(item);
    }
  }
}

Value flat(const FunctionCall& call, Evaluator& evaluator, std::span<const Value> items) {
  SequenceBuilder out(evaluator.arena(), items.size());
  flatten_into(call, evaluator, items, out);
  return out.finish();
}

Value flatten(const FunctionCall& call, Evaluator& evaluator) { return flat(call, evaluator, call.arguments); }

// Recursion: Limits::depth bounds values.
void join_into(const FunctionCall& call, Evaluator& evaluator, const Value& array, std::string_view delimiter,
               std::string& out) {
  bool first = true;
  for (const Value& item : array.items()) {
    if (!first) out += delimiter;
    first = false;
    const std::size_t before = out.size();
    if (item.is_sequence()) {
      join_into(call, evaluator, item, delimiter, out);
    } else if (is_string(item)) {
      out += item.text();
    } else {
      out += ruby_text(evaluator, item);
    }
    // What is written so far counts, so that a text that is too long is never finished.
    if (out.size() > evaluator.context().limits.input) evaluator.charge_text(out.size());
    evaluator.charge(1 + (out.size() - before) / 64);
  }
}

bool has_secret_item(const Value& array) {
  for (const Value& item : array.items()) {
    if (item.is_secret() && as_sensitive(item) == nullptr) return true;
  }
  return array.is_secret();
}

Value join(const FunctionCall& call, Evaluator& evaluator) {
  const Value& array = array_argument(call, evaluator, 0);
  const std::string_view delimiter = call.arguments.size() > 1 ? text_argument(call, evaluator, 1) : "";
  std::string out;
  join_into(call, evaluator, array, delimiter, out);
  return new_text(call, evaluator, out, has_secret_item(array));
}

Value empty(const FunctionCall& call, Evaluator& evaluator) {
  const Value& value = call.arguments[0];
  if (value.is_sequence() || is_hash(value)) return Value::boolean(value.size() == 0);
  if (const Sensitive* sensitive = as_sensitive(value); sensitive != nullptr && is_string(sensitive->value()))
    return Value::boolean(sensitive->value().text().empty());
  if (is_number(value)) return Value::boolean(false);
  if (!is_string(value) && !value.is_null())
    throw wrong_argument(call, evaluator, 0, "a Collection, a String, a Numeric, a Sensitive[String] or undef");
  return Value::boolean(is_blank(value));
}

Value length(const FunctionCall& call, Evaluator& evaluator) {
  const Value& value = call.arguments[0];
  if (value.is_sequence() || is_hash(value)) return Value::integer(static_cast<std::int64_t>(value.size()));
  if (!is_string(value)) throw wrong_argument(call, evaluator, 0, "a Collection or a String");
  evaluator.charge_text(value.text().size());
  return Value::integer(static_cast<std::int64_t>(string_length(value)));
}

// unique.

/// What was seen, compared as Ruby's hashes compare keys: 1 and 1.0 differ.
class Seen {
 public:
  explicit Seen(Evaluator& evaluator) : evaluator_(evaluator), known_(arena_) {}
  /// False where it was there before.
  bool add(const Value& value) {
    evaluator_.charge_value(value);
    return known_.insert(arena_.key(value), Value::null());
  }

 private:
  Evaluator& evaluator_;
  Arena arena_;
  MappingBuilder known_;
};

/// The items whose result (or they themselves) was not there before; false: a jump is pending.
bool keep_unique(const FunctionCall& call, Evaluator& evaluator, std::vector<Value>& out) {
  std::optional<BoundLambda> lambda;
  if (call.lambda != nullptr) {
    lambda_takes(call, evaluator, {1});
    lambda.emplace(call, evaluator);
  }
  Seen seen(evaluator);
  Items items = items_argument(call, evaluator, 0);
  for (Value item; items.next(item);) {
    const Value key = lambda ? (*lambda)(item) : item;
    if (!key) return counts_numbers(call.arguments[0]) && evaluator.take(Jump::break_);
    if (seen.add(key)) out.push_back(item);
  }
  return true;
}

/// `{[keys] => [values]}`: the keys whose values are the same, and those values.
Value unique_hash(const FunctionCall& call, Evaluator& evaluator) {
  std::optional<BoundLambda> lambda;
  if (call.lambda != nullptr) {
    lambda_takes(call, evaluator, {1});
    lambda.emplace(call, evaluator);
  }
  Arena& arena = evaluator.arena();
  struct Group {
    SequenceBuilder keys;
    SequenceBuilder values;
    std::unique_ptr<Seen> seen;
  };
  std::vector<Group> groups;
  Arena scratch;
  MappingBuilder places(scratch);
  for (const Entry& entry : call.arguments[0].entries()) {
    const Value result = lambda ? (*lambda)(entry.value) : entry.value;
    if (!result) return {};
    evaluator.charge(1);
    evaluator.charge_value(result);
    const Value key = scratch.key(result);
    const Value* place = places.find(key);
    const std::size_t index = place == nullptr ? groups.size() : static_cast<std::size_t>(place->as_integer());
    if (place == nullptr) {
      places.insert(key, Value::integer(static_cast<std::int64_t>(index)));
      groups.push_back({SequenceBuilder(arena, 1), SequenceBuilder(arena, 1), std::make_unique<Seen>(evaluator)});
    }
    groups[index].keys.append(entry.key);
    if (groups[index].seen->add(entry.value)) groups[index].values.append(entry.value);
  }
  MappingBuilder out(arena, KeyEquality::exact, groups.size());
  for (Group& group : groups) out.insert(arena.key(group.keys.finish()), group.values.finish());
  return out.finish();
}

Value unique(const FunctionCall& call, Evaluator& evaluator) {
  const Value& from = call.arguments[0];
  if (is_hash(from)) return unique_hash(call, evaluator);
  std::vector<Value> items;
  if (!keep_unique(call, evaluator, items)) return {};
  if (!is_string(from)) return new_array(evaluator, items);
  std::string out;
  for (const Value& item : items) out += item.text();
  return new_text(call, evaluator, out, from.is_secret());
}

constexpr std::array<BuiltinEntry, 6> kListFunctions = {{
    {"empty", empty, 1, 1, BlockRule::none},
    {"flatten", flatten, 0, BuiltinEntry::kMany, BlockRule::none},
    {"join", join, 1, 2, BlockRule::none},
    {"length", length, 1, 1, BlockRule::none},
    {"size", length, 1, 1, BlockRule::none},
    {"unique", unique, 1, 1, BlockRule::optional},
}};

}  // namespace

std::span<const BuiltinEntry> list_functions() noexcept { return kListFunctions; }

}  // namespace strata::puppet
