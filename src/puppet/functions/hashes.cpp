// SPDX-License-Identifier: Apache-2.0
// Functions on hashes: keys, values, dig, get; and merge, deep_merge, has_key, pick. Rule: Puppet 7; puppetlabs-stdlib
// for the latter.
#include <array>
#include <charconv>
#include <vector>

#include "puppet/characters.hpp"
#include "puppet/functions/arguments.hpp"
#include "ruby/text.hpp"
#include "strata/builder.hpp"

namespace strata::puppet {
namespace {

Value keys(const FunctionCall& call, Evaluator& evaluator) {
  const Value& hash = hash_argument(call, evaluator, 0);
  std::vector<Value> out;
  for (const Entry& entry : hash.entries()) out.push_back(entry.key);
  return new_array(evaluator, out);
}

Value values(const FunctionCall& call, Evaluator& evaluator) {
  const Value& hash = hash_argument(call, evaluator, 0);
  std::vector<Value> out;
  for (const Entry& entry : hash.entries()) out.push_back(entry.value);
  return new_array(evaluator, out);
}

// dig, get.

/// Why a way ends before its last step.
struct DeadEnd {
  std::string message;
  std::string_view issue;
};

Value member_of(Evaluator& evaluator, const Value& container, const Value& key) {
  if (is_hash(container)) {
    evaluator.charge_value(key);
    const Value* found = container.find(evaluator.arena().key(key));
    return found == nullptr ? Value::null() : *found;
  }
  if (key.kind() != Kind::integer) return Value::null();
  const auto size = static_cast<std::int64_t>(container.size());
  const std::int64_t index = key.as_integer() < 0 ? key.as_integer() + size : key.as_integer();
  return index < 0 || index >= size ? Value::null() : container.items()[static_cast<std::size_t>(index)];
}

/// Absent where it is a dead end.
Value walk(Evaluator& evaluator, Value data, std::span<const Value> way, DeadEnd& why) {
  for (std::size_t i = 0; i < way.size(); ++i) {
    evaluator.charge(1);
    const Value& key = way[i];
    if (data.is_null() || key.is_null()) return Value::null();
    const auto place = [&](std::size_t steps) {
      std::string out = "the root";
      for (const Value& step : way.first(steps)) out += " → " + shown(step);
      return out;
    };
    if (!data.is_sequence() && !is_hash(data)) {
      why = {"at " + place(i) + " is " + a_kind_of(data) + ", not a Collection", "EXPECTED_COLLECTION"};
      return {};
    }
    if (data.is_sequence() && !is_whole(key)) {
      why = {"at " + place(i + 1) + " must be an Integer index, not " + a_kind_of(key), "EXPECTED_INTEGER_INDEX"};
      return {};
    }
    data = member_of(evaluator, data, key);
  }
  return data;
}

void need_collection(const FunctionCall& call, const Evaluator& evaluator, const Value& data) {
  if (!data.is_null() && !data.is_sequence() && !is_hash(data))
    throw wrong_argument(call, evaluator, 0, "a Collection or undef");
}

Value dig(const FunctionCall& call, Evaluator& evaluator) {
  need_collection(call, evaluator, call.arguments[0]);
  DeadEnd why;
  const Value found = walk(evaluator, call.arguments[0], call.arguments.subspan(1), why);
  if (!found) throw failed(call, evaluator, "puppet.dig", why.message);
  return found;
}

/// One step of a dotted way, from its front: quoted, or up to a mark. Empty where there is none.
std::string_view take_segment(std::string_view& way) {
  const std::size_t quote = way.find_first_not_of(" \t\n\v\f\r");
  if (quote != std::string_view::npos && (way[quote] == '"' || way[quote] == '\'')) {
    const std::size_t end = way.find(way[quote], quote + 1);
    if (end == std::string_view::npos || end == quote + 1) return {};
    std::size_t after = end + 1;
    while (after < way.size() && std::string_view(" \t\n\v\f\r").find(way[after]) != std::string_view::npos) ++after;
    const std::string_view out = way.substr(0, after);
    way.remove_prefix(after);
    return out;
  }
  const std::size_t end = std::min(way.find_first_of("'\"."), way.size());
  const std::string_view out = way.substr(0, end);
  way.remove_prefix(end);
  return out;
}

Value segment_key(Evaluator& evaluator, std::string_view segment) {
  segment = ruby::lstrip(ruby::rstrip(segment));
  if (segment.starts_with('"') || segment.starts_with('\''))
    return evaluator.arena().key(segment.substr(1, segment.size() - 2));
  std::string_view digits = segment;
  if (digits.starts_with('+') || digits.starts_with('-')) digits.remove_prefix(1);
  const bool whole = !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos;
  if (!whole) return evaluator.arena().key(segment);
  return evaluator.arena().integer(segment.starts_with('+') ? digits : segment);
}

std::vector<Value> dotted(const FunctionCall& call, Evaluator& evaluator, std::string_view way) {
  std::vector<Value> out;
  while (true) {
    evaluator.charge(1);
    const std::string_view segment = take_segment(way);
    if (segment.empty()) break;
    out.push_back(segment_key(evaluator, segment));
    if (way.empty()) return out;
    if (way.front() != '.') break;
    way.remove_prefix(1);
  }
  throw failed(call, evaluator, "puppet.arguments", "argument 2 is not a dotted path: " + shown(call.arguments[1]))
      .hint("'a.b.0', or 'a.\"b.c\"'");
}

/// What a lambda of `get` gets where the way is a dead end.
Value error_value(const FunctionCall& call, Evaluator& evaluator, const DeadEnd& why) {
  Arena& arena = evaluator.arena();
  MappingBuilder out(arena);
  out.insert("msg", new_text(call, evaluator, why.message));
  out.insert("kind", new_text(call, evaluator, "SLICE_ERROR"));
  out.insert("issue_code", new_text(call, evaluator, why.issue));
  return out.finish();
}

Value get(const FunctionCall& call, Evaluator& evaluator) {
  if (call.lambda != nullptr) lambda_takes(call, evaluator, {1});
  const std::string_view way = text_argument(call, evaluator, 1);
  const Value otherwise = call.arguments.size() > 2 ? call.arguments[2] : Value::null();
  const Value& data = call.arguments[0];
  if (data.is_null()) return otherwise;
  if (way.empty()) return data;
  const std::vector<Value> steps = dotted(call, evaluator, way);
  need_collection(call, evaluator, data);
  DeadEnd why;
  const Value found = walk(evaluator, data, steps, why);
  if (found) return found.is_null() ? otherwise : found;
  if (call.lambda == nullptr) throw failed(call, evaluator, "puppet.dig", why.message);
  return BoundLambda(call, evaluator)(error_value(call, evaluator, why));
}

// Beyond core.

Value has_key(const FunctionCall& call, Evaluator& evaluator) {
  evaluator.charge_value(call.arguments[1]);
  return Value::boolean(hash_argument(call, evaluator, 0).find(evaluator.arena().key(call.arguments[1])) != nullptr);
}

/// Adds the entries of `from` to `into`; `deep`: hashes in both are merged, too. Recursion: Limits::depth bounds
/// values.
void merge_into(Evaluator& evaluator, MappingBuilder& into, const Value& from, bool deep) {
  evaluator.charge(1 + from.size());
  Arena& arena = evaluator.arena();
  for (const Entry& entry : from.entries()) {
    const Value* old = deep && is_hash(entry.value) ? into.find(entry.key) : nullptr;
    if (old == nullptr || !is_hash(*old)) {
      into.insert(entry.key, entry.value);
      continue;
    }
    evaluator.charge(old->size());
    MappingBuilder both = MappingBuilder::copy_of(arena, *old, entry.value.size());
    merge_into(evaluator, both, entry.value, true);
    into.insert(entry.key, both.finish());
  }
}

Value merged_arguments(const FunctionCall& call, Evaluator& evaluator, bool deep) {
  std::size_t largest = 0;
  for (const Value& argument : call.arguments) largest = std::max(largest, is_hash(argument) ? argument.size() : 0);
  MappingBuilder out(evaluator.arena(), KeyEquality::exact, largest);
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    if (is_blank(call.arguments[i])) continue;
    merge_into(evaluator, out, hash_argument(call, evaluator, i), deep);
  }
  return out.finish();
}

Value merge_hashes(const FunctionCall& call, Evaluator& evaluator) { return merged_arguments(call, evaluator, false); }
Value deep_merge(const FunctionCall& call, Evaluator& evaluator) { return merged_arguments(call, evaluator, true); }

Value pick(const FunctionCall& call, Evaluator& evaluator) {
  for (const Value& value : call.arguments) {
    if (!is_blank(value)) return value;
  }
  throw failed(call, evaluator, "puppet.arguments", "needs at least one value that is neither undef nor empty");
}

constexpr std::array<BuiltinEntry, 8> kHashFunctions = {{
    {"deep_merge", deep_merge, 1, BuiltinEntry::kMany, BlockRule::none},
    {"dig", dig, 1, BuiltinEntry::kMany, BlockRule::none},
    {"get", get, 2, 3, BlockRule::optional},
    {"has_key", has_key, 2, 2, BlockRule::none},
    {"keys", keys, 1, 1, BlockRule::none},
    {"merge", merge_hashes, 1, BuiltinEntry::kMany, BlockRule::none},
    {"pick", pick, 1, BuiltinEntry::kMany, BlockRule::none},
    {"values", values, 1, 1, BlockRule::none},
}};

}  // namespace

std::span<const BuiltinEntry> hash_functions() noexcept { return kHashFunctions; }

}  // namespace strata::puppet
