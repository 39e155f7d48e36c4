// JSON Schema, draft 4: what DataSchema documents hold.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "strata/error.hpp"
#include "strata/limits.hpp"
#include "strata/path.hpp"
#include "strata/value.hpp"

namespace strata::deckhand {

/// One way in which data do not fit a schema.
struct SchemaFailure {
  std::string message;       ///< In the words of Python's jsonschema: `'x' is not of type 'integer'`.
  std::string schema_path;   ///< From the root of the schema, dotted: `.properties.a.type`.
  Path path;                 ///< From the root of the data.
  Value value;               ///< What does not fit, with its origin.
  bool shows_value = false;  ///< The message spells the value out.
};

/// A schema that is known to be one. Rule: draft 4 as jsonschema 4 checks it: `format` and the keywords of later drafts do not count, 1.0 is no
/// integer, true is no number, patterns search, beside `$ref` nothing else counts. References lead into the schema itself or to the meta-schema of
/// draft 4, never to the network.
///
/// Why it is not valijson's: that of Debian 12 takes std::regex for patterns, which neither means what Python means nor is bounded (long texts
/// overflow its stack), and tells of failures in words of its own.
///
/// Immutable but for what it remembers of patterns and references: not thread-safe. The value and its arena must outlive it.
class Schema {
 public:
  /// Checks the schema itself. Error `deckhand.schema` at the place in it that is wrong.
  Schema(const Value& schema, const Sources& sources, const Limits& limits);
  Schema(Schema&&) noexcept;
  ~Schema();

  /// All failures, in the order of the schema's keywords. Errors: `deckhand.schema-reference` (a reference leads nowhere), `limit.depth` (references
  /// lead back to themselves), `limit.steps`, `limit.regex`, `regex.syntax`. Cost: data times what applies to it, bounded by Limits::steps.
  [[nodiscard]] std::vector<SchemaFailure> check(const Value& data) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The meta-schema of draft 4.
[[nodiscard]] const Value& draft4();

}  // namespace strata::deckhand
