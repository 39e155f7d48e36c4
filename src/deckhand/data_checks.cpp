#include "data_checks.hpp"

#include <fmt/format.h>

#include <unordered_set>

#include "deckhand/schemas.hpp"
#include "strata/stop.hpp"
#include "strata/text.hpp"

namespace strata::deckhand {
namespace {

constexpr std::string_view kDataSchema = "deckhand/DataSchema/";

class Checks {
 public:
  Checks(std::span<const Document> documents, const Sources& sources, const Limits& limits, Findings& findings)
      : sources_(sources), findings_(findings), schemas_(sources, limits) {
    for (const Document& document : documents) {
      if (document.schema_name().starts_with(kDataSchema)) schemas_.add(document.name, document.data);
    }
  }

  void check(const Document& document, const Rendered& rendered) {
    // The reference hides values wherever there is a substitution; here it is known which are secret.
    const bool is_sensitive = rendered.is_encrypted || rendered.is_tainted;
    try {
      for (const DataFinding& found : schemas_.check(document.schema_name(), rendered.data.value, is_sensitive)) {
        tell(document, found, rendered.data.value, is_sensitive);
      }
    } catch (const Error& error) {
      if (error.ends_request() || error.limit() == Limit::steps) throw;
      tell_of_schema(document, error);
    }
  }

 private:
  void tell(const Document& document, const DataFinding& found, const Value& data, bool is_sensitive) {
    if (findings_.skips()) return;
    const std::string pointer = found.path.pointer();
    Finding finding{.diagnostic = diagnostic(sources_, "deckhand.data",
                                             fmt::format("{}: its data{}{} do not fit: {}", document.identity().to_string(),
                                                         pointer.empty() ? "" : " at ", pointer, found.message),
                                             found.origin, "", is_sensitive ? Lines::hidden : Lines::shown),
                    .document = document.identity(),
                    .check = "D002",
                    .validation_schema = std::string(document.schema_name()),
                    .schema_path = found.schema_path,
                    .error_section = is_sensitive ? std::string() : section(data, found.path)};
    if (found.schema)
      finding.diagnostic.notes.push_back(note(sources_, found.schema, fmt::format("the schema, which fails at {}", found.schema_path)));
    findings_.add(std::move(finding));
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
    Finding found = finding(sources_, document, error.code(), fmt::format("its schema cannot be used: {}", error.what()), document.origin,
                            error.diagnostic().hint);
    if (has_place) found.diagnostic.where = error.diagnostic().where;
    found.diagnostic.cause = error.diagnostic().cause;
    found.check = "D002";
    findings_.add(std::move(found));
  }

  const Sources& sources_;
  Findings& findings_;
  DataSchemas schemas_;
  std::unordered_set<std::string_view> told_;  ///< Schemas that are wrong.
};

}  // namespace

void check_data(std::span<const Document> documents, std::span<const std::size_t> order, const std::vector<Rendered>& rendered,
                const Sources& sources, const Limits& limits, Findings& findings) {
  Checks checks(documents, sources, limits, findings);
  for (const std::size_t number : order) {
    check_stop(limits.stop);
    const Document& document = documents[number];
    if (document.is_abstract || document.replaced_by != kNone || rendered[number].is_failed) continue;
    checks.check(document, rendered[number]);
  }
}

}  // namespace strata::deckhand
