// What operators and functions have in common: truth, equality, order, numbers and texts of values.
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

/// `==`: texts without regard to case (of ASCII letters), numbers by amount, arrays and hashes by their parts.
[[nodiscard]] bool equals(const Value& left, const Value& right);
/// The same, with the steps for it.
[[nodiscard]] bool equals(const Value& left, const Value& right, Evaluator& evaluator);
/// As Ruby's `==`, which array functions and `-` use: texts with regard to case, numbers by amount.
[[nodiscard]] bool ruby_equals(const Value& left, const Value& right);
[[nodiscard]] bool ruby_equals(const Value& left, const Value& right, Evaluator& evaluator);
/// As `<`, `>`, …: below, above or 0. Texts without regard to case. None where the two cannot be compared: `5` and `'5'`, booleans, ….
[[nodiscard]] std::optional<int> compare(const Value& left, const Value& right);
/// As texts are compared without regard to case.
[[nodiscard]] int compare_texts(std::string_view left, std::string_view right) noexcept;
/// Whether a value fits an option of `case` and selectors: `default`, patterns (which set the groups of `scope`), types, arrays and hashes by their
/// parts; anything else by `==`.
[[nodiscard]] bool matches(const Value& value, const Value& pattern, Scope& scope, Evaluator& evaluator);
/// `item in collection`.
[[nodiscard]] bool contains(const Value& collection, const Value& item, Scope& scope, Evaluator& evaluator);
/// Where a text begins in another from `from` on; npos: nowhere. Cost: linear.
[[nodiscard]] std::size_t find_part(std::string_view text, std::string_view part, std::size_t from = 0);
/// Searches; sets the groups of `scope` where it matches.
bool search(const text::Regex& regex, const Value& text, Scope& scope, Evaluator& evaluator);

/// As interpolation writes it: undef is nothing, `[1, a]`, `{a => 1}`. Throws `limit.result` where it is longer than Limits::input.
[[nodiscard]] std::string text_of(const Value& value, Evaluator& evaluator);
void append_text(std::string& out, const Value& value, Evaluator& evaluator);
/// Whether what `text_of` gives is a secret.
[[nodiscard]] bool shows_secret(const Value& value);
/// Takes the text out of what is said of a wrong regular expression or type, where one of the values that it comes of is a secret.
void hide_pattern(Error& error, std::span<const Value> from);
/// The text with the mark.
[[nodiscard]] Value make_text(Evaluator& evaluator, std::string_view text, Origin origin);

/// The number that a text is taken for: `'0x1F'`, `' 1.5e3 '`; absent where it is none, null where it does not fit into 64 bits.
[[nodiscard]] Value number_of(std::string_view text);
/// A number as it is, a text as `number_of` has it; absent otherwise. Big integers count as not fitting: null.
[[nodiscard]] Value to_number(const Value& value);
/// A whole number that fits into 64 bits.
[[nodiscard]] std::optional<std::int64_t> small_integer(const Value& value) noexcept;

/// `a String` , `an Integer`: the type of a value without parameters.
[[nodiscard]] std::string a_kind_of(const Value& value);
/// The type of a value as messages name it: `Integer`, `Array[String]`.
[[nodiscard]] std::string kind_of(const Value& value);
/// The value for a message: at most some 40 characters, secrets as stars.
[[nodiscard]] std::string shown(const Value& value);

/// `sum(): argument 2 must be a String, not an Integer`, at the call. `index`: from 0. Code `puppet.arguments`.
[[nodiscard]] Error wrong_argument(const FunctionCall& call, const Evaluator& evaluator, std::size_t index, std::string_view expected);
/// `name(): message`, at the call.
[[nodiscard]] Error failed(const FunctionCall& call, const Evaluator& evaluator, std::string_view code, std::string_view message);
/// What is gone through by `each`, `map` and the like: arrays, hashes (pairs), texts (characters), whole numbers (0 up to them), `Integer[a, b]`,
/// `Enum[…]` and iterators. Each item takes a step.
class Items {
 public:
  /// None where the value cannot be gone through.
  [[nodiscard]] static std::optional<Items> of(const Value& value, Evaluator& evaluator);

  /// False at the end. Items of hashes are arrays of key and value.
  bool next(Value& item);
  /// With the number of the item, or the key of a hash's entry.
  bool next(Value& key, Value& value);
  /// How many there are in all.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool is_hash() const noexcept { return source_.is_mapping() || source_.kind() == Kind::set; }

 private:
  Items(const Value& source, Evaluator& evaluator, std::size_t size) : source_(source), evaluator_(&evaluator), size_(size) {}
  [[nodiscard]] Value item();

  Value source_;
  Evaluator* evaluator_;
  std::size_t size_;
  std::size_t done_ = 0;
  std::size_t byte_ = 0;   ///< Of a text.
  std::int64_t from_ = 0;  ///< Of a range.
  std::int64_t step_ = 1;
};

}  // namespace strata::puppet
