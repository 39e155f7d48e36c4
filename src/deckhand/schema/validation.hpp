// SPDX-License-Identifier: Apache-2.0
// One check of data against a schema.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "deckhand/schema/references.hpp"
#include "deckhand/schema/schema.hpp"
#include "strata/stop.hpp"
#include "text/regex/regex.hpp"
#include "value/seeded_hash.hpp"

namespace strata::deckhand::detail {

/// What a schema remembers: compiled patterns and where its references lead.
struct Compiled {
  Value root;
  const Sources* sources = nullptr;  ///< Null for strata's own schemas.
  const Limits& limits;
  bool checks_formats = false;  ///< For the check of a schema, in which patterns must be regular expressions.
  TextMap<text::Regex> patterns{};
  References references{root, limits};

  [[nodiscard]] const text::Regex& pattern(const Value& text);
  /// Where the value of a `$ref` leads. Error `deckhand.schema-reference`.
  [[nodiscard]] References::Target reference(const Value& text, References::Base base);
};

/// Walks data and schema together.
class Validation {
 public:
  explicit Validation(Compiled& schema) noexcept : schema_(schema), stop_(schema.limits.stop) {}
  std::vector<SchemaFailure> run(const Value& data);

 private:
  using Keyword = void (Validation::*)(const Value& keyword, const Value& data, const Value& schema);

  static const TextViewMap<Keyword>& keywords();

  /// `enters`: the schema's `id` is the base of what is below.
  void check(const Value& schema, const Value& data, bool enters = true);
  /// A part of the data against a part of the schema.
  void descend(const Value& schema, const Value& data, const Path::Step* into, std::string_view by);
  [[nodiscard]] bool fits(const Value& schema, const Value& data, bool enters = true);
  /// Checks that only need a yes or no stop at the first failure.
  [[nodiscard]] bool is_decided() const noexcept { return probing_ && failed_; }
  void fail(const Value& data, bool shows_value, const std::function<std::string()>& message,
            const Error* cause = nullptr);

  void additional_items(const Value& keyword, const Value& data, const Value& schema);
  void additional_properties(const Value& keyword, const Value& data, const Value& schema);
  void all_of(const Value& keyword, const Value& data, const Value& schema);
  void any_of(const Value& keyword, const Value& data, const Value& schema);
  void dependencies(const Value& keyword, const Value& data, const Value& schema);
  void enumeration(const Value& keyword, const Value& data, const Value& schema);
  void format(const Value& keyword, const Value& data, const Value& schema);
  void items(const Value& keyword, const Value& data, const Value& schema);
  void max_items(const Value& keyword, const Value& data, const Value& schema);
  void max_length(const Value& keyword, const Value& data, const Value& schema);
  void max_properties(const Value& keyword, const Value& data, const Value& schema);
  void maximum(const Value& keyword, const Value& data, const Value& schema);
  void min_items(const Value& keyword, const Value& data, const Value& schema);
  void min_length(const Value& keyword, const Value& data, const Value& schema);
  void min_properties(const Value& keyword, const Value& data, const Value& schema);
  void minimum(const Value& keyword, const Value& data, const Value& schema);
  void multiple_of(const Value& keyword, const Value& data, const Value& schema);
  void negation(const Value& keyword, const Value& data, const Value& schema);
  void one_of(const Value& keyword, const Value& data, const Value& schema);
  void pattern(const Value& keyword, const Value& data, const Value& schema);
  void pattern_properties(const Value& keyword, const Value& data, const Value& schema);
  void properties(const Value& keyword, const Value& data, const Value& schema);
  void reference(const Value& keyword, const Value& data, const Value& schema);
  void required(const Value& keyword, const Value& data, const Value& schema);
  void type(const Value& keyword, const Value& data, const Value& schema);
  void unique_items(const Value& keyword, const Value& data, const Value& schema);

  void size(const Value& keyword, const Value& data, std::size_t have, bool at_least, std::string_view one,
            std::string_view other);
  void limit(const Value& keyword, const Value& data, const Value& schema, bool is_minimum);

  Compiled& schema_;
  StopCheck stop_;
  std::vector<SchemaFailure> failures_;
  std::vector<Path::Step> path_;
  std::vector<std::string> schema_path_;
  References::Base base_ = schema_.references.root();
  bool probing_ = false;
  bool failed_ = false;
  std::size_t depth_ = 0;
  std::size_t steps_ = 0;
};

// values.cpp

/// Equality of JSON Schema: numbers by value, booleans differ from numbers.
[[nodiscard]] bool same_data(const Value& left, const Value& right);
/// A text that is equal for equal data only.
[[nodiscard]] std::string canonical(const Value& value);
/// Whether a value has one of the seven types of draft 4.
[[nodiscard]] bool is_of_type(const Value& value, std::string_view type) noexcept;
[[nodiscard]] bool is_number(const Value& value) noexcept;
/// Negative, zero or positive if the left number is less, equal or greater.
[[nodiscard]] int compare_numbers(const Value& left, const Value& right) noexcept;
[[nodiscard]] bool is_multiple(const Value& number, const Value& of) noexcept;
/// Whether the value or any part of it is secret.
[[nodiscard]] bool holds_secret(const Value& value) noexcept;
/// A member of a container. Members of a secret container are secret.
[[nodiscard]] inline Value inside(const Value& container, const Value& member) noexcept {
  return member.with_secret(member.is_secret() || container.is_secret());
}
/// A value as Python writes it, shortened if it is long.
[[nodiscard]] std::string shown(const Value& value);
/// Places of a list, `'a', 'b'`.
[[nodiscard]] std::string listed(const std::vector<Value>& values);

}  // namespace strata::deckhand::detail
