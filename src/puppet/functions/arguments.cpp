// SPDX-License-Identifier: Apache-2.0
#include "puppet/functions/arguments.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "puppet/convert/arguments.hpp"
#include "puppet/types/integer.hpp"
#include "ruby/ruby.hpp"
#include "strata/builder.hpp"

namespace strata::puppet {
namespace {

int sign(int number) noexcept { return number < 0 ? -1 : number > 0 ? 1 : 0; }

double as_double(const Value& number) noexcept {
  switch (number.kind()) {
    case Kind::floating:
      return number.as_floating();
    case Kind::integer:
      return static_cast<double>(number.as_integer());
    default: {
      const std::string_view digits = number.text();
      double out = 0;
      std::from_chars(digits.data(), digits.data() + digits.size(), out);
      return out;
    }
  }
}

std::optional<int> number_order(const Value& left, const Value& right) {
  if (is_whole(left) && is_whole(right)) {
    const std::strong_ordering order = Integer(left) <=> Integer(right);
    return order < 0 ? -1 : order > 0 ? 1 : 0;
  }
  const double a = as_double(left);
  const double b = as_double(right);
  if (std::isnan(a) || std::isnan(b)) return std::nullopt;
  return a < b ? -1 : a > b ? 1 : 0;
}

/// `/a/` as Ruby's to_s writes it.
std::string ruby_pattern_text(const PatternObject& pattern) {
  const std::string text = pattern.to_string();
  return "(?-mix:" + text.substr(1, text.size() - 2) + ")";
}

/// Recursion: Limits::depth bounds values.
bool holds_pattern(const Value& value) {
  if (value.is_sequence()) return std::any_of(value.items().begin(), value.items().end(), holds_pattern);
  if (!is_hash(value)) return as_pattern(value) != nullptr;
  const auto in_entry = [](const Entry& entry) { return holds_pattern(entry.key) || holds_pattern(entry.value); };
  return std::any_of(value.entries().begin(), value.entries().end(), in_entry);
}

/// Bytes of the texts in a value, up to a little more than `most`. Recursion: Limits::depth bounds values.
void add_written(const Value& value, std::size_t most, std::size_t& bytes) {
  if (bytes > most) return;
  if (value.is_sequence()) {
    for (const Value& item : value.items()) add_written(item, most, bytes);
  } else if (is_hash(value)) {
    for (const Entry& entry : value.entries()) {
      add_written(entry.key, most, bytes);
      add_written(entry.value, most, bytes);
    }
  } else if (is_string(value) || value.kind() == Kind::big_integer) {
    bytes += value.text().size();
  }
  ++bytes;
}

std::string joined_numbers(std::initializer_list<std::size_t> numbers) {
  std::string out;
  for (const std::size_t number : numbers) out += (out.empty() ? "" : " or ") + std::to_string(number);
  return out;
}

}  // namespace

std::string_view text_argument(const FunctionCall& call, const Evaluator& evaluator, std::size_t index) {
  if (!is_string(call.arguments[index])) throw wrong_argument(call, evaluator, index, "a String");
  return call.arguments[index].text();
}

const Value& array_argument(const FunctionCall& call, const Evaluator& evaluator, std::size_t index) {
  if (!call.arguments[index].is_sequence()) throw wrong_argument(call, evaluator, index, "an Array");
  return call.arguments[index];
}

const Value& hash_argument(const FunctionCall& call, const Evaluator& evaluator, std::size_t index) {
  if (!is_hash(call.arguments[index])) throw wrong_argument(call, evaluator, index, "a Hash");
  return call.arguments[index];
}

bool boolean_argument(const FunctionCall& call, const Evaluator& evaluator, std::size_t index) {
  if (call.arguments[index].kind() != Kind::boolean) throw wrong_argument(call, evaluator, index, "a Boolean");
  return call.arguments[index].as_boolean();
}

const TypeRef& type_argument(const FunctionCall& call, const Evaluator& evaluator, std::size_t index) {
  const TypeObject* type = as_type(call.arguments[index]);
  if (type == nullptr) throw wrong_argument(call, evaluator, index, "a Type");
  return type->type();
}

std::size_t count_argument(const FunctionCall& call, const Evaluator& evaluator, std::size_t index) {
  const Value& value = call.arguments[index];
  if (!is_whole(value) || Integer(value) < Integer(1)) throw wrong_argument(call, evaluator, index, "an Integer[1]");
  return value.kind() == Kind::integer ? static_cast<std::size_t>(value.as_integer())
                                       : std::numeric_limits<std::int64_t>::max();
}

Items items_argument(const FunctionCall& call, Evaluator& evaluator, std::size_t index) {
  std::optional<Items> items = Items::of(call.arguments[index], evaluator);
  if (!items) throw wrong_argument(call, evaluator, index, "an Iterable");
  return *items;
}

std::size_t lambda_takes(const FunctionCall& call, const Evaluator& evaluator,
                         std::initializer_list<std::size_t> numbers) {
  const Arity taken = arity(*call.lambda);
  for (const std::size_t number : numbers) {
    if (taken.least <= number && number <= taken.most) return number;
  }
  const std::string most = taken.most == static_cast<std::size_t>(-1) ? "or more" : "to " + std::to_string(taken.most);
  throw failed(call, evaluator, "puppet.arguments",
               "the lambda must take " + joined_numbers(numbers) + " arguments, and takes " +
                   std::to_string(taken.least) + (taken.least == taken.most ? "" : " " + most));
}

Value new_text(const FunctionCall& call, Evaluator& evaluator, std::string_view text, bool secret) {
  evaluator.charge_text(text.size());
  return evaluator.arena().text(text).with_origin(call.origin).with_secret(secret);
}

Value new_array(Evaluator& evaluator, std::span<const Value> items) {
  evaluator.charge(items.size() / 8);
  return evaluator.arena().sequence(items);
}

Value new_pair(Evaluator& evaluator, const Value& first, const Value& second) {
  const Value both[] = {first, second};
  return evaluator.arena().sequence(both);
}

Value whole_number(const FunctionCall& call, Evaluator& evaluator, double number) {
  const std::optional<Integer> whole = whole_part(number);
  if (!whole) throw failed(call, evaluator, "puppet.arguments", "infinity and not-a-number are not Integers");
  const std::optional<std::int64_t> small = whole->small();
  return small ? Value::integer(*small) : evaluator.arena().integer(whole->to_string());
}

void charge_written(Evaluator& evaluator, const Value& value) {
  evaluator.charge_value(value);
  const std::size_t most = evaluator.context().limits.input;
  std::size_t bytes = 0;
  add_written(value, most, bytes);
  evaluator.charge_text(bytes);
}

std::string ruby_text(Evaluator& evaluator, const Value& value) {
  charge_written(evaluator, value);
  if (const PatternObject* pattern = as_pattern(value)) return ruby_pattern_text(*pattern);
  return ruby::interpolated(value);
}

// Recursion: Limits::depth bounds values.
Value with_pattern_texts(Evaluator& evaluator, const Value& value) {
  Arena& arena = evaluator.arena();
  if (const PatternObject* pattern = as_pattern(value)) return arena.text(pattern->to_string());
  if (!value.is_container()) return value;
  if (!holds_pattern(value)) return value;
  if (value.is_sequence()) {
    SequenceBuilder out(arena, value.size());
    for (const Value& item : value.items()) out.append(with_pattern_texts(evaluator, item));
    return out.finish();
  }
  MappingBuilder out(arena, KeyEquality::exact, value.size());
  for (const Entry& entry : value.entries())
    out.insert(arena.key(with_pattern_texts(evaluator, entry.key)), with_pattern_texts(evaluator, entry.value));
  return out.finish();
}

// Recursion: Limits::depth bounds values.
std::optional<int> ruby_order(const Value& left, const Value& right) {
  if (is_number(left) && is_number(right)) return number_order(left, right);
  if (is_string(left) && is_string(right)) return sign(left.text().compare(right.text()));
  if (left.is_sequence() && right.is_sequence()) {
    const std::size_t both = std::min(left.size(), right.size());
    for (std::size_t i = 0; i < both; ++i) {
      const std::optional<int> order = ruby_order(left.items()[i], right.items()[i]);
      if (!order || *order != 0) return order;
    }
    return left.size() < right.size() ? -1 : left.size() > right.size() ? 1 : 0;
  }
  if (ruby_equals(left, right)) return 0;
  return std::nullopt;
}

int lambda_order(const Value& result, const FunctionCall& call, const Evaluator& evaluator) {
  if (!is_number(result))
    throw failed(call, evaluator, "puppet.compare", "the lambda must give a number, not " + a_kind_of(result));
  return *number_order(result, Value::integer(0));
}

Error no_order(const Value& left, const Value& right, const FunctionCall& call, const Evaluator& evaluator) {
  return failed(call, evaluator, "puppet.compare", a_kind_of(left) + " and " + a_kind_of(right) + " have no order");
}

}  // namespace strata::puppet
