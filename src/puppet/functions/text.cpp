// SPDX-License-Identifier: Apache-2.0
// Functions on texts. Rule: Puppet 7.
#include <array>

#include "puppet/functions/arguments.hpp"
#include "ruby/text.hpp"
#include "strata/builder.hpp"

namespace strata::puppet {
namespace {

using TextChange = std::string (*)(std::string_view);

std::string strip(std::string_view text) { return std::string(ruby::lstrip(ruby::rstrip(text))); }
std::string lstrip(std::string_view text) { return std::string(ruby::lstrip(text)); }
std::string rstrip(std::string_view text) { return std::string(ruby::rstrip(text)); }
std::string chomp(std::string_view text) { return std::string(ruby::chomp(text)); }
std::string chop(std::string_view text) { return std::string(ruby::chop(text)); }

std::string camelcase(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('_'), text.size());
    out += ruby::capitalize(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

/// A text changed, a number as it is; absent for anything else.
template <TextChange change>
Value changed(const FunctionCall& call, Evaluator& evaluator, const Value& value) {
  if (is_number(value)) return value;
  return is_string(value) ? new_text(call, evaluator, change(value.text()), value.is_secret()) : Value();
}

/// Of a text or number, or of the texts of what can be gone through, or of its numbers.
template <TextChange change>
Value of_each(const FunctionCall& call, Evaluator& evaluator) {
  const Value& argument = call.arguments[0];
  if (const Value one = changed<change>(call, evaluator, argument)) return one;
  constexpr std::string_view kExpected = "a Numeric, a String, an Iterable[String] or an Iterable[Numeric]";
  std::optional<Items> items;
  if (argument.is_sequence() || as_iterator(argument) != nullptr) items = Items::of(argument, evaluator);
  if (!items) throw wrong_argument(call, evaluator, 0, kExpected);
  SequenceBuilder out(evaluator.arena(), argument.size());
  std::optional<bool> has_texts;
  for (Value item; items->next(item);) {
    const Value made = changed<change>(call, evaluator, item);
    if (!has_texts || !argument.is_sequence()) has_texts = is_string(item);  // Iterators may mix.
    if (!made || *has_texts != is_string(item)) throw wrong_argument(call, evaluator, 0, kExpected);
    out.append(made);
  }
  return out.finish().with_secret(argument.is_secret());
}

// Recursion: Limits::depth bounds values.
template <TextChange change>
Value deep(const FunctionCall& call, Evaluator& evaluator, const Value& value) {
  evaluator.charge(1);
  if (const Value one = changed<change>(call, evaluator, value)) return one;
  Arena& arena = evaluator.arena();
  if (value.is_sequence()) {
    SequenceBuilder out(arena, value.size());
    for (const Value& item : value.items()) out.append(deep<change>(call, evaluator, item));
    return out.finish().with_secret(value.is_secret());
  }
  if (!is_hash(value)) throw wrong_argument(call, evaluator, 0, "a Numeric, a String, or an Array or Hash of such");
  MappingBuilder out(arena, KeyEquality::exact, value.size());
  for (const Entry& entry : value.entries()) {
    const Value key = arena.key(deep<change>(call, evaluator, entry.key));
    out.insert(key, deep<change>(call, evaluator, entry.value));
  }
  return out.finish().with_secret(value.is_secret());
}

/// Of texts and numbers, in arrays and hashes too.
template <TextChange change>
Value in_depth(const FunctionCall& call, Evaluator& evaluator) {
  return deep<change>(call, evaluator, call.arguments[0]);
}

constexpr std::array<BuiltinEntry, 9> kTextFunctions = {{
    {"camelcase", of_each<camelcase>, 1, 1, BlockRule::none},
    {"capitalize", of_each<ruby::capitalize>, 1, 1, BlockRule::none},
    {"chomp", of_each<chomp>, 1, 1, BlockRule::none},
    {"chop", of_each<chop>, 1, 1, BlockRule::none},
    {"downcase", in_depth<ruby::downcase>, 1, 1, BlockRule::none},
    {"lstrip", of_each<lstrip>, 1, 1, BlockRule::none},
    {"rstrip", of_each<rstrip>, 1, 1, BlockRule::none},
    {"strip", of_each<strip>, 1, 1, BlockRule::none},
    {"upcase", in_depth<ruby::upcase>, 1, 1, BlockRule::none},
}};

}  // namespace

std::span<const BuiltinEntry> text_functions() noexcept { return kTextFunctions; }

}  // namespace strata::puppet
