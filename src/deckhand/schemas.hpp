// SPDX-License-Identifier: Apache-2.0
// The schemas for the data of documents.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/schema.hpp"
#include "strata/error.hpp"
#include "strata/path.hpp"

namespace strata::deckhand {

/// A reported violation.
struct DataFinding {
  std::string message;      ///< For a sensitive document, without its values.
  std::string schema_path;  ///< Dotted: `.properties.a.type`.
  Path path;                ///< The place in the data.
  Origin origin;            ///< Where the invalid value was written.
  Origin schema;            ///< Of the DataSchema. Nowhere for a schema built into strata.
};

/// The schemas of a DataSchema are those of draft 4 as jsonschema 4 checks it.
[[nodiscard]] const json_schema::Rules& schema_rules();

/// The schemas of a set of documents: Deckhand's own for control documents and secrets, and the DataSchemas. Rule:
/// section 12 of the specification. A schema is found by the full name of a document's schema. The first of several is
/// used, an empty one is ignored, and a built-in one replaces all others. An invalid schema is an error when it is
/// used. Difference: any version may be named. Each schema is checked and kept once. Not thread-safe. `sources`,
/// `limits` and the arenas of the schemas must outlive it.
class DataSchemas {
 public:
  DataSchemas(const Sources& sources, const Limits& limits) noexcept : sources_(sources), limits_(limits) {}

  /// Adds a DataSchema document: the name of the schema that it is for, and its data. Ignored if that is not a schema
  /// name.
  void add(std::string_view name, const Value& data);
  /// The problem of an added schema that has not been used yet. No value if there is no such schema or it is valid.
  [[nodiscard]] std::optional<Error> problem_of_unused(std::string_view name);
  /// All violations in a document's data. `sensitive`: the document contains secrets, so messages must not show values.
  /// Errors: `deckhand.schema` (the schema is invalid), and those of Schema::check. Cost without a schema: one lookup.
  [[nodiscard]] std::vector<DataFinding> check(std::string_view schema, const Value& data, bool sensitive);

 private:
  struct Held {
    Value data;
    std::optional<json_schema::Schema> schema;  ///< Set on first use.
  };
  void check_against(Held& held, bool is_own, const Value& data, bool sensitive, std::vector<DataFinding>& findings);

  const Sources& sources_;
  const Limits& limits_;
  std::map<std::string, Held, std::less<>> own_;
  std::map<std::string, Held, std::less<>> given_;
};

/// Whether a text is a schema name: `namespace/Kind/vN`, with letters only in the first two parts.
[[nodiscard]] bool is_schema_name(std::string_view text) noexcept;

/// Whether the schema is that of one of Deckhand's types of secrets.
[[nodiscard]] bool is_secret_type(std::string_view schema);

/// Replaces a value in messages about a document that may contain secrets.
inline constexpr std::string_view kSanitized = "Sanitized to avoid exposing secret.";

}  // namespace strata::deckhand
