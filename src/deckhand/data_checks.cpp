// SPDX-License-Identifier: Apache-2.0
#include "data_checks.hpp"

#include <fmt/format.h>

#include "deckhand/schemas.hpp"
#include "strata/stop.hpp"
#include "strata/text.hpp"
#include "value/seeded_hash.hpp"

namespace strata::deckhand {
namespace {

constexpr std::string_view kDataSchema = "deckhand/DataSchema/";

class Checks {
 public:
  Checks(std::span<const Document> documents, Session& session, Findings& findings)
      : sources_(session.sources()),
        diagnostics_(session.diagnostics()),
        findings_(findings),
        schemas_(sources_, session.limits()) {
    for (const Document& document : documents) {
      if (!document.schema_name().starts_with(kDataSchema)) continue;
      schemas_.add(document.name, document.data);
      given_.push_back(&document);
    }
  }

  /// A DataSchema is never wrong by itself: what a document was checked against has been told of as its error.
  void warn_of_schemas() {
    for (const Document* schema : given_) {
      if (!schema->data.is_mapping()) {
        warn(*schema, fmt::format("its data are {}, and not a schema", describe(schema->data.kind())));
      } else if (!told_.contains(schema->name)) {
        if (const auto error = schemas_.problem_of_unused(schema->name))
          warn(*schema, fmt::format("its data are not a schema: {}", error->what()));
      }
    }
  }

  void check(const Document& document, const Rendered& rendered) {
    // The reference hides values wherever there is a substitution; here it is known which are secret.
    const bool is_sensitive = rendered.is_encrypted || rendered.is_tainted;
    const Value data = rendered.is_encrypted ? rendered.data.value.with_secret() : rendered.data.value;
    try {
      for (const DataFinding& found : schemas_.check(document.schema_name(), data, is_sensitive)) {
        tell(document, found, data, is_sensitive);
      }
    } catch (const Error& error) {
      if (error.ends_request() || error.limit() == Limit::steps) throw;
      tell_of_schema(document, error);
    }
  }

 private:
  void warn(const Document& schema, const std::string& message) {
    diagnostics_.warn(diagnostic(sources_, "deckhand.data-schema",
                                 fmt::format("{}: {}", schema.identity().to_string(), message), schema.data.origin(),
                                 "a document that is checked against it is refused", schema.lines()));
  }

  void tell(const Document& document, const DataFinding& found, const Value& data, bool is_sensitive) {
    if (findings_.skips()) return;
    const std::string pointer = shown_pointer(found.path);
    Finding finding{
        .diagnostic = diagnostic(sources_, "deckhand.data",
                                 fmt::format("{}: its data{}{} do not fit: {}", document.identity().to_string(),
                                             pointer.empty() ? "" : " at ", pointer, found.message),
                                 found.origin, "", is_sensitive ? Lines::hidden : Lines::shown),
        .document = document.identity(),
        .check = "D002",
        .validation_schema = std::string(document.schema_name()),
        .schema_path = found.schema_path,
        .error_section = is_sensitive ? std::string() : section(data, found.path)};
    if (found.schema)
      finding.diagnostic.notes.push_back(
          note(sources_, found.schema, fmt::format("the schema, which fails at {}", found.schema_path)));
    findings_.add(std::move(finding));
  }

  /// A path without its secret keys. Those that the schema names are not secret.
  static std::string shown_pointer(const Path& path) {
    Arena arena;
    Path out;
    for (const Path::Step& step : path.steps()) {
      const auto* key = std::get_if<Value>(&step);
      if (key == nullptr) {
        out.push(std::get<std::size_t>(step));
      } else {
        out.push(key->is_secret() ? arena.key("******") : *key);
      }
    }
    return out.pointer();
  }

  /// What is around the failure, shortened.
  static std::string section(const Value& data, const Path& path) {
    constexpr std::size_t kLongest = 2000;
    Value around = data;
    for (std::size_t i = 0; i + 1 < path.steps().size(); ++i) {
      const auto* index = std::get_if<std::size_t>(&path.steps()[i]);
      around = index != nullptr ? around.items()[*index] : *around.find(std::get<Value>(path.steps()[i]));
    }
    std::string out;
    try {
      text::append_json(out, around, {.sort_keys = false, .indent = -1});
    } catch (const Error& error) {
      if (error.ends_request()) throw;
      return {};  // Infinity and the like have no JSON.
    }
    if (out.size() > kLongest) {
      std::size_t end = kLongest;
      while (end > 0 && (static_cast<unsigned char>(out[end]) & 0xC0U) == 0x80U) --end;
      out.resize(end);
    }
    return out;
  }

  void tell_of_schema(const Document& document, const Error& error) {
    if (!told_.insert(document.schema_name()).second) return;
    const bool has_place = !error.diagnostic().where.place.file.empty();
    Finding found =
        finding(sources_, document, error.code(), fmt::format("its schema cannot be used: {}", error.what()),
                document.origin, error.diagnostic().hint);
    if (has_place) found.diagnostic.where = error.diagnostic().where;
    found.diagnostic.cause = error.diagnostic().cause;
    found.check = "D002";
    findings_.add(std::move(found));
  }

  const Sources& sources_;
  Diagnostics& diagnostics_;
  Findings& findings_;
  DataSchemas schemas_;
  std::vector<const Document*> given_;  ///< The DataSchemas.
  TextViewSet told_;                    ///< Schemas that are wrong.
};

}  // namespace

void check_data(std::span<const Document> documents, std::span<const std::size_t> order,
                const std::vector<Rendered>& rendered, const Request& request, Session& session, Findings& findings) {
  Checks checks(documents, session, findings);
  for (const std::size_t number : order) {
    session.stop().check();
    const Document& document = documents[number];
    if (document.is_abstract || document.replaced_by != kNone || rendered[number].is_failed) continue;
    if (!request.checks_secrets && (rendered[number].is_encrypted || rendered[number].is_tainted)) continue;
    checks.check(document, rendered[number]);
  }
  checks.warn_of_schemas();
}

}  // namespace strata::deckhand
