// SPDX-License-Identifier: Apache-2.0
// JSON Schema, draft 4.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "strata/error.hpp"
#include "strata/limits.hpp"
#include "strata/path.hpp"
#include "strata/value.hpp"

namespace strata::json_schema {

/// How the owner of a schema departs from draft 4, and what errors about the schema itself are called.
struct Rules {
  std::string invalid_code;          ///< The code of an error: the schema is invalid.
  std::string reference_code;        ///< The code of an error: a reference has no target.
  bool reports_annotations = false;  ///< `deprecated` and `changed` are reported where data reach them.
  bool picks_branch = false;         ///< `anyOf` and `oneOf` report why the branch that is nearest does not fit.
  bool keeps_ref_siblings = false;   ///< Keywords next to `$ref` count.
  bool binary_is_string = false;     ///< Binary data have the type `string`.
  bool checks_dates = false;         ///< The format `date` counts.
  bool splits_names = false;         ///< Members that are not allowed are violations of their own.
};

/// One violation of a schema, or a remark of the schema about data that it allows.
struct SchemaFailure {
  enum class Kind : std::uint8_t { violation, deprecation, change };

  std::string message;           ///< In the words of Python's jsonschema: `'x' is not of type 'integer'`.
  std::string schema_path;       ///< From the root of the schema, dotted: `.properties.a.type`.
  Path path;                     ///< From the root of the data.
  Value value;                   ///< The value that violates the schema, with its origin.
  bool shows_value = false;      ///< The message contains the value.
  std::optional<Error> cause{};  ///< The reason, if the message has none.
  Kind kind = Kind::violation;
  std::string version{};       ///< The release of a deprecation or change. Empty: the schema names none.
  Value name{};                ///< The key of the member that is not allowed, if the violation is about one alone.
  std::string_view keyword{};  ///< The keyword that the data violate. Lives as long as the process.
  Value schema{};              ///< The schema that holds it.
};

/// A checked schema. Rule: draft 4 as jsonschema 4 checks it: `format` (but that of patterns in schemas) and keywords
/// of later drafts are ignored, 1.0 is not an integer, true is not a number, patterns search, and keywords next to
/// `$ref` are ignored. References point into the schema itself or to the meta-schema of draft 4, never to the network.
///
/// Not based on valijson: the version in Debian 12 uses std::regex for patterns, which has other semantics than Python
/// and is not bounded (long strings overflow the stack), and its messages differ.
///
/// Immutable, except for its cache of patterns and references: not thread-safe. The value and its arena must outlive
/// it.
class Schema {
 public:
  /// Checks the schema itself. Error Rules::invalid_code, at the invalid place in it. Keys of `patternProperties` and
  /// references are not looked at: wrong ones are errors where data reach them.
  Schema(const Value& schema, Rules rules, const Sources& sources, const Limits& limits);
  Schema(Schema&&) noexcept;
  ~Schema();

  /// All violations, in the order of the schema's keywords. Errors: Rules::reference_code (a reference leads to
  /// nothing), `limit.input` (addresses), `limit.depth` (references form a cycle), `limit.steps`, `limit.regex`,
  /// `regex.syntax`. Cost: data times the keywords that apply, bounded by Limits::steps.
  [[nodiscard]] std::vector<SchemaFailure> check(const Value& data) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Whether the value or any part of it is secret.
[[nodiscard]] bool holds_secret(const Value& value) noexcept;

/// The meta-schema of draft 4.
[[nodiscard]] const Value& draft4();

}  // namespace strata::json_schema
