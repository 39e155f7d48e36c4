// Which schemas the data of a document have to fit.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "deckhand/schema/schema.hpp"
#include "strata/error.hpp"

namespace strata::deckhand {

/// A failure, as it is told.
struct DataFinding {
  std::string message;      ///< Of a sensitive document without its values.
  std::string schema_path;  ///< Dotted: `.properties.a.type`.
  Path path;                ///< Of the place in the data.
  Origin origin;            ///< Where what does not fit was written.
  Origin schema;            ///< Of the DataSchema; nowhere for a schema that strata brings.
};

/// The schemas of a set of documents: those that Deckhand brings for control documents and secrets, and the DataSchemas. Rule: section 12 of the
/// specification: a schema is found by the full name of a document's own schema, the first of several counts, an empty one counts for nothing, one
/// that Deckhand brings counts alone, and a wrong one is an error when it is used. Differs: any version may be named. Each schema is checked and
/// remembered once. Not thread-safe. `sources`, `limits` and the arenas of the schemas must outlive it.
class DataSchemas {
 public:
  DataSchemas(const Sources& sources, const Limits& limits) noexcept : sources_(sources), limits_(limits) {}

  /// Adds a DataSchema document: the name of what it checks, and its data. What is no name of a schema is ignored.
  void add(std::string_view name, const Value& data);
  /// What is wrong with a schema that was added and that nothing was checked against so far; none where there is no such, or it is right.
  [[nodiscard]] std::optional<Error> problem_of_unused(std::string_view name);
  /// All failures of a document's data. `sensitive`: the document holds secrets, so that no message may show a value.
  /// Errors: `deckhand.schema` (the schema is wrong), and those of Schema::check. Cost: without a schema, one look-up.
  [[nodiscard]] std::vector<DataFinding> check(std::string_view schema, const Value& data, bool sensitive);

 private:
  struct Held {
    Value data;
    std::optional<Schema> schema;  ///< None until it is used.
  };
  void check_against(Held& held, bool is_own, const Value& data, bool sensitive, std::vector<DataFinding>& findings);

  const Sources& sources_;
  const Limits& limits_;
  std::map<std::string, Held, std::less<>> own_;
  std::map<std::string, Held, std::less<>> given_;
};

/// Whether a text is the name of a schema: `namespace/Kind/vN`, letters only in the first two parts.
[[nodiscard]] bool is_schema_name(std::string_view text) noexcept;

/// What is said of a value in a document that may hold secrets.
inline constexpr std::string_view kSanitized = "Sanitized to avoid exposing secret.";

}  // namespace strata::deckhand
