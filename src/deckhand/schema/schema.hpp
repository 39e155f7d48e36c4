// SPDX-License-Identifier: Apache-2.0
// JSON Schema, draft 4, for DataSchema documents.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "strata/error.hpp"
#include "strata/limits.hpp"
#include "strata/path.hpp"
#include "strata/value.hpp"

namespace strata::deckhand {

/// One violation of a schema.
struct SchemaFailure {
  std::string message;           ///< In the words of Python's jsonschema: `'x' is not of type 'integer'`.
  std::string schema_path;       ///< From the root of the schema, dotted: `.properties.a.type`.
  Path path;                     ///< From the root of the data.
  Value value;                   ///< The value that violates the schema, with its origin.
  bool shows_value = false;      ///< The message contains the value.
  std::optional<Error> cause{};  ///< What the message does not say.
};

/// A checked schema. Rule: draft 4 as jsonschema 4 checks it: `format` (but that of patterns in schemas) and keywords
/// of later drafts are ignored, 1.0 is not an integer, true is not a number, patterns search, and keywords next to
/// `$ref` are ignored. References point into the schema itself or to the meta-schema of draft 4, never to the network.
///
/// Not based on valijson: the version in Debian 12 uses std::regex for patterns, which has other semantics than Python
/// and is not bounded (long texts overflow the stack), and its messages differ.
///
/// Immutable, except for its cache of patterns and references: not thread-safe. The value and its arena must outlive
/// it.
class Schema {
 public:
  /// Checks the schema itself. Error `deckhand.schema`, at the invalid place in it. Keys of `patternProperties` and
  /// references are not looked at: wrong ones are errors where data reach them.
  Schema(const Value& schema, const Sources& sources, const Limits& limits);
  Schema(Schema&&) noexcept;
  ~Schema();

  /// All violations, in the order of the schema's keywords. Errors: `deckhand.schema-reference` (a reference leads to
  /// nothing), `limit.input` (addresses), `limit.depth` (references form a cycle), `limit.steps`, `limit.regex`,
  /// `regex.syntax`. Cost: data times the keywords that apply, bounded by Limits::steps.
  [[nodiscard]] std::vector<SchemaFailure> check(const Value& data) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The meta-schema of draft 4.
[[nodiscard]] const Value& draft4();

}  // namespace strata::deckhand
