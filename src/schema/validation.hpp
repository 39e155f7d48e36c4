// SPDX-License-Identifier: Apache-2.0
// One check of data against a schema.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "schema/references.hpp"
#include "schema/schema.hpp"
#include "strata/stop.hpp"
#include "text/regex/regex.hpp"
#include "value/seeded_hash.hpp"

namespace strata::json_schema::detail {

/// A schema with its compiled patterns and the targets of its references.
struct Compiled {
  Value root;
  Rules rules{};
  const Sources* sources = nullptr;  ///< Null for strata's own schemas.
  const Limits& limits;
  bool checks_formats = false;  ///< For the check of a schema, in which patterns must be regular expressions.
  TextMap<text::Regex> patterns{};
  References references{root, limits};

  [[nodiscard]] const text::Regex& pattern(const Value& text);
  /// Where the value of a `$ref` leads. Error Rules::reference_code.
  [[nodiscard]] References::Target reference(const Value& text, References::Base base);
};

using Names = std::vector<Value>;

/// A violation as it was found. Shared: a violation that `anyOf` chooses is also part of the context of its own.
struct Found {
  SchemaFailure failure;  ///< Without its message.
  std::vector<Path::Step> path;
  std::size_t from = 0;  ///< The steps of `path` that lead to the data of the keyword which collected it.
  std::function<std::string()> message{};
  Names names{};  ///< Members that the schema does not allow.
  std::function<std::string(const Names&)> message_for{};
  std::vector<std::shared_ptr<Found>> context{};
};
using FoundList = std::vector<std::shared_ptr<Found>>;

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
  /// `message` is called when the violation is reported: after the check, as long as data and schema live.
  void fail(const Value& data, bool shows_value, std::function<std::string()> message, const Error* cause = nullptr);
  /// Members that the schema does not allow.
  void fail_for_names(const Value& data, Names names, std::function<std::string(const Names&)> message);
  /// Reports a remark of the schema about data that it allows.
  void annotate(SchemaFailure::Kind kind, std::string_view keyword, const Value& data, const Value& schema);
  /// Null while probing.
  [[nodiscard]] std::shared_ptr<Found> add(const Value& data, bool shows_value);
  void report(const std::shared_ptr<Found>& found);
  [[nodiscard]] std::vector<SchemaFailure> reported() const;

  /// All violations of a part of the schema, and its annotations.
  [[nodiscard]] FoundList collect(const Value& schema, const Value& data, std::size_t index);
  void any_of_best(const Value& keyword, const Value& data);
  void one_of_best(const Value& keyword, const Value& data);
  /// `fitting`: the branches that fit, none or several.
  void fail_one_of(const Value& data, std::vector<Value> fitting);

  void additional_items(const Value& keyword, const Value& data, const Value& schema);
  void additional_properties(const Value& keyword, const Value& data, const Value& schema);
  void all_of(const Value& keyword, const Value& data, const Value& schema);
  void any_of(const Value& keyword, const Value& data, const Value& schema);
  void changed(const Value& keyword, const Value& data, const Value& schema);
  void dependencies(const Value& keyword, const Value& data, const Value& schema);
  void deprecated(const Value& keyword, const Value& data, const Value& schema);
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
  FoundList found_;       ///< Of the keyword that collects violations, or of the whole check.
  std::size_t from_ = 0;  ///< The length of the path to its data.
  std::size_t found_count_ = 0;
  std::string_view keyword_;  ///< The one at work.
  Value at_;                  ///< The schema that holds it.
  std::vector<Path::Step> path_;
  std::vector<std::string> schema_path_;
  References::Base base_ = schema_.references.root();
  bool probing_ = false;
  bool failed_ = false;
  std::size_t depth_ = 0;
  std::size_t steps_ = 0;
};

// branches.cpp

/// The most specific violation of branches that do not fit, as `best_match` of Python's jsonschema chooses it. `all`:
/// not empty.
[[nodiscard]] std::shared_ptr<Found> best_match(const FoundList& all);
/// The most specific violations in `data`, as cloud-init chooses them for `oneOf`.
[[nodiscard]] FoundList deepest_matches(const FoundList& all, const Value& data);

// values.cpp

/// Equality of JSON Schema: numbers by value, booleans differ from numbers.
[[nodiscard]] bool same_data(const Value& left, const Value& right);
/// A text that is equal for equal data only.
[[nodiscard]] std::string canonical(const Value& value);
/// Whether a string is a date of the calendar, `2032-09-01`.
[[nodiscard]] bool is_date(std::string_view text) noexcept;
/// Whether a value has one of the seven types of draft 4.
[[nodiscard]] bool is_of_type(const Value& value, std::string_view type) noexcept;
[[nodiscard]] bool is_number(const Value& value) noexcept;
/// Negative, zero or positive if the left number is less, equal or greater.
[[nodiscard]] int compare_numbers(const Value& left, const Value& right) noexcept;
[[nodiscard]] bool is_multiple(const Value& number, const Value& of) noexcept;
/// A member of a container. Members of a secret container are secret.
[[nodiscard]] inline Value inside(const Value& container, const Value& member) noexcept {
  return member.with_secret(member.is_secret() || container.is_secret());
}
/// A value as Python writes it, shortened if it is long.
[[nodiscard]] std::string shown(const Value& value);
/// Places of a list, `'a', 'b'`.
[[nodiscard]] std::string listed(const std::vector<Value>& values);

}  // namespace strata::json_schema::detail
