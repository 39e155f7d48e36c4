// SPDX-License-Identifier: Apache-2.0
// Operations shared by operators and functions: truth, equality, order, numbers and texts of values.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "puppet/evaluation/evaluator.hpp"
#include "strata/puppet.hpp"

namespace strata::puppet {

/// Only `false` and `undef` are false.
[[nodiscard]] inline bool is_true(const Value& value) noexcept {
  return value.kind() == Kind::boolean ? value.as_boolean() : !value.is_null() && value.kind() != Kind::absent;
}

/// `==`: texts ignore the case of ASCII letters, numbers compare by value, arrays and hashes by their parts.
[[nodiscard]] bool equals(const Value& left, const Value& right);
/// The same; also counts steps.
[[nodiscard]] bool equals(const Value& left, const Value& right, Evaluator& evaluator);
/// Ruby's `==`, which array functions and `-` use: texts are case-sensitive, numbers compare by value.
[[nodiscard]] bool ruby_equals(const Value& left, const Value& right);
[[nodiscard]] bool ruby_equals(const Value& left, const Value& right, Evaluator& evaluator);
/// `<`, `>`, …: less than, greater than or equal to 0. Texts ignore case. No value if the two cannot be compared: `5`
/// and `'5'`, booleans, ….
[[nodiscard]] std::optional<int> compare(const Value& left, const Value& right);
/// Case-insensitive comparison of texts.
[[nodiscard]] int compare_texts(std::string_view left, std::string_view right) noexcept;
/// Whether a value matches an option of `case` or a selector: `default`, patterns (which set the groups of `scope`),
/// types, arrays and hashes by their parts; anything else by `==`.
[[nodiscard]] bool matches(const Value& value, const Value& pattern, Scope& scope, Evaluator& evaluator);
/// `item in collection`.
[[nodiscard]] bool contains(const Value& collection, const Value& item, Scope& scope, Evaluator& evaluator);
/// Where a text occurs in another, from `from` on. npos: nowhere. Cost: linear.
[[nodiscard]] std::size_t find_part(std::string_view text, std::string_view part, std::size_t from = 0);
/// Searches. Sets the groups of `scope` if it matches.
bool search(const text::Regex& regex, const Value& text, Scope& scope, Evaluator& evaluator);

/// As in interpolation: undef is empty, `[1, a]`, `{a => 1}`. Throws `limit.result` if it is longer than Limits::input.
[[nodiscard]] std::string text_of(const Value& value, Evaluator& evaluator);
void append_text(std::string& out, const Value& value, Evaluator& evaluator);
/// Whether the result of `text_of` is a secret.
[[nodiscard]] bool shows_secret(const Value& value);
/// Removes the text from an error about a regular expression or type, if one of the values that it comes from is
/// secret.
void hide_pattern(Error& error, std::span<const Value> from);
/// The text, marked as secret if needed.
[[nodiscard]] Value make_text(Evaluator& evaluator, std::string_view text, Origin origin);

/// The number that a text is converted to: `'0x1F'`, `' 1.5e3 '`. Absent if it is not a number; null if it does not fit
/// into 64 bits.
[[nodiscard]] Value number_of(std::string_view text);
/// A number unchanged, a text as in `number_of`. Absent otherwise. Big integers do not fit: null.
[[nodiscard]] Value to_number(const Value& value);
/// An integer that fits into 64 bits.
[[nodiscard]] std::optional<std::int64_t> small_integer(const Value& value) noexcept;

/// `a String` , `an Integer`: the type of a value without parameters.
[[nodiscard]] std::string a_kind_of(const Value& value);
/// The type of a value for messages: `Integer`, `Array[String]`.
[[nodiscard]] std::string kind_of(const Value& value);
/// The value for a message: at most some 40 characters. Secrets are masked.
[[nodiscard]] std::string shown(const Value& value);

/// `sum(): argument 2 must be a String, not an Integer`, at the call. `index`: from 0. Code `puppet.arguments`.
[[nodiscard]] Error wrong_argument(const FunctionCall& call, const Evaluator& evaluator, std::size_t index,
                                   std::string_view expected);
/// `name(): message`, at the call.
[[nodiscard]] Error failed(const FunctionCall& call, const Evaluator& evaluator, std::string_view code,
                           std::string_view message);
/// Iterates as `each`, `map` and related functions do: over arrays, hashes (pairs), texts (characters), integers (from
/// 0), `Integer[a, b]`, `Enum[…]` and iterators. Each item counts as a step.
class Items {
 public:
  /// No value if the value cannot be iterated.
  [[nodiscard]] static std::optional<Items> of(const Value& value, Evaluator& evaluator);

  /// False at the end. Items of hashes are arrays of key and value.
  bool next(Value& item);
  /// With the index of the item, or the key of a hash's entry.
  bool next(Value& key, Value& value);
  /// The total number of items.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool is_hash() const noexcept { return source_.is_mapping() || source_.kind() == Kind::set; }

 private:
  Items(const Value& source, Evaluator& evaluator, std::size_t size)
      : source_(source), evaluator_(&evaluator), size_(size) {}
  [[nodiscard]] Value item();

  Value source_;
  Evaluator* evaluator_;
  std::size_t size_;
  std::size_t done_ = 0;
  std::size_t byte_ = 0;   ///< For a text.
  std::int64_t from_ = 0;  ///< For a range.
  std::int64_t step_ = 1;
};

}  // namespace strata::puppet
