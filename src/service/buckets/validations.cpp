// Validations that others post for a revision, beside what its policies want.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "service/buckets/answers.hpp"
#include "service/buckets/body.hpp"
#include "service/buckets/kept.hpp"
#include "service/buckets/listing.hpp"
#include "service/buckets/revisions.hpp"
#include "service/core.hpp"
#include "store/documents.hpp"
#include "strata/builder.hpp"

namespace strata::service::buckets {
namespace {

constexpr std::string_view kPolicySchema = "deckhand/ValidationPolicy/";
constexpr std::size_t kLongestName = 255;
constexpr std::string_view kFailure = "failure";

/// A validation as it is told: posted, or wanted and missing.
struct Told {
  std::string name;
  std::string status;
  Value errors;
  bool is_posted = true;
};

/// The policies of a revision, read.
struct Wanted {
  std::vector<std::string> names = {};  ///< In their order, each once.
  std::string policies = {};            ///< Their titles, with what they want, for messages.
};

Value errors_of(Arena& arena, const std::string& message) {
  MappingBuilder error(arena);
  error.insert("message", arena.text(message));
  SequenceBuilder out(arena);
  out.append(error.finish());
  return out.finish();
}

Wanted wanted_by(Arena& arena, const std::vector<store::Document>& documents, std::int64_t revision) {
  Wanted out;
  for (const store::Document& one : documents) {
    if (one.head.revision != revision || !one.head.schema.starts_with(kPolicySchema) || !one.data) continue;
    const Value data = decoded(arena, *one.data);
    const Value* list = data.is_mapping() ? data.find("validations") : nullptr;
    std::string names;
    for (std::size_t i = 0; list != nullptr && list->is_sequence() && i < list->size(); ++i) {
      const Value& item = list->items()[i];
      const Value* name = item.is_mapping() ? item.find("name") : nullptr;
      if (name == nullptr || !name->is_text()) continue;
      names += fmt::format("{}{}", names.empty() ? "" : ", ", name->text());
      if (std::ranges::find(out.names, name->text()) == out.names.end()) out.names.emplace_back(name->text());
    }
    if (out.policies.empty()) {
      out.policies = fmt::format("[{}, {}] {}: {}", one.head.schema, one.head.layer.value_or("None"), one.head.name, names);
    }
  }
  return out;
}

/// All validations of a revision: those that were posted, in that order; then those that are missing.
std::vector<Told> told_of(const Call& call, Arena& arena) {
  std::vector<store::Validation> posted;
  std::vector<store::Document> documents;
  std::int64_t revision = 0;
  call.core.read(call, [&](store::Transaction& transaction, const store::Project* project) {
    revision = revision_of(transaction, project, call[0]).number;
    posted = store::validations(transaction, *project, revision);
    documents = store::documents_at(transaction, *project, revision);
  });
  const Wanted wanted = wanted_by(arena, documents, revision);
  std::vector<Told> out;
  for (const store::Validation& one : posted) {
    const Value body = decoded(arena, one.body);
    const Value* errors = body.find("errors");
    Told told{
        .name = one.name, .status = one.status, .errors = errors != nullptr && errors->is_sequence() ? *errors : SequenceBuilder(arena).finish()};
    if (!wanted.names.empty() && std::ranges::find(wanted.names, one.name) == wanted.names.end()) {
      told.status = fmt::format("ignored [{}]", one.status);
      told.errors =
          errors_of(arena, fmt::format("The result for this validation was externally registered but has been ignored because it is not found "
                                       "in the validations for ValidationPolicy {}.",
                                       wanted.policies));
    }
    out.push_back(std::move(told));
  }
  for (const std::string& name : wanted.names) {
    if (std::ranges::find(posted, name, &store::Validation::name) != posted.end()) continue;
    out.push_back(
        {.name = name,
         .status = std::string(kFailure),
         .errors = errors_of(arena, "The result for this validation was never externally registered so its status defaulted to \"failure\"."),
         .is_posted = false});
  }
  return out;
}

Value entry_of(Arena& arena, const Told& told, const Value& name) {
  MappingBuilder out(arena);
  out.insert("name", name);
  out.insert("status", arena.text(told.status));
  out.insert("createdAt", Value::null());
  out.insert("expiresAfter", Value::null());
  out.insert("errors", told.errors);
  return out.finish();
}

bool is_there(const Value* value) {
  return value != nullptr && !value->is_null() && !(value->is_text() && value->text().empty()) && !(value->is_container() && value->size() == 0);
}

}  // namespace

Response create_validation(const Call& call) {
  check_content_type(call.request);
  const YamlBody body = read_yaml_body(call);
  const Value& root = body.document.root;
  if (!root || root.is_null()) throw refused(400, "HTTPBadRequest", "The request body must not be empty.");
  const Value* status = root.is_mapping() ? root.find("status") : nullptr;
  const Value* validator = root.is_mapping() ? root.find("validator") : nullptr;
  if (!is_there(status) || !is_there(validator) || !status->is_text()) {
    throw refused(400, "HTTPBadRequest", "Validation payload must contain keys: \"status\", \"validator\".");
  }
  if (call[1].empty() || call[1].size() > kLongestName) throw refused(400, "HTTPBadRequest", "The name of a validation has 1 to 255 bytes.");
  store::Validation validation{.name = call[1], .status = std::string(status->text()), .body = encoded(root)};
  return call.core.write(call, [&](Writing& writing) {
    validation.revision = revision_of(writing.transaction, &writing.project, call[0]).number;
    store::add_validation(writing.transaction, writing.project, validation);
    writing.note("validation", fmt::format("{} {}", validation.revision, validation.name), validation.revision);
    Arena arena;
    MappingBuilder out(arena);
    out.insert("status", *status);
    out.insert("validator", *validator);
    return yaml_response(out.finish(), 201);
  });
}

Response list_validations(const Call& call) {
  Arena arena;
  // With several of one name, that which comes first in the alphabet: a failure.
  std::map<std::string, std::string> statuses;
  for (const Told& one : told_of(call, arena)) {
    const auto [found, is_new] = statuses.emplace(one.name, one.status);
    if (!is_new) found->second = std::min(found->second, one.status);
  }
  std::vector<Value> results;
  for (const auto& [name, status] : statuses) {
    MappingBuilder out(arena);
    out.insert("name", arena.text(name));
    out.insert("status", arena.text(status));
    results.push_back(out.finish());
  }
  return list_response(arena, results);
}

Response list_validation_details(const Call& call) {
  Arena arena;
  std::vector<Value> results;
  for (const Told& one : told_of(call, arena)) {
    MappingBuilder out(arena);
    out.insert("id", Value::integer(static_cast<std::int64_t>(results.size())));
    const Value entry = entry_of(arena, one, one.is_posted ? arena.text(one.name) : Value::null());
    for (const Entry& member : entry.entries()) out.insert(member.key, member.value);
    results.push_back(out.finish());
    // As the reference: only the first that is missing.
    if (!one.is_posted) break;
  }
  return list_response(arena, results);
}

Response list_validation_entries(const Call& call) {
  Arena arena;
  std::vector<Value> results;
  for (const Told& one : told_of(call, arena)) {
    if (one.name != call[1]) continue;
    MappingBuilder out(arena);
    out.insert("id", Value::integer(static_cast<std::int64_t>(results.size())));
    out.insert("status", arena.text(one.status));
    results.push_back(out.finish());
  }
  return list_response(arena, results);
}

Response show_validation_entry(const Call& call) {
  std::size_t wanted = 0;
  const std::string& text = call[2];
  const auto [stopped, error] = std::from_chars(text.data(), text.data() + text.size(), wanted);
  if (error != std::errc() || stopped != text.data() + text.size()) {
    throw refused(400, "HTTPBadRequest", "The {entry_id} parameter must be an integer.");
  }
  Arena arena;
  std::size_t at = 0;
  for (const Told& one : told_of(call, arena)) {
    if (one.name != call[1] || at++ != wanted) continue;
    return yaml_response(entry_of(arena, one, arena.text(one.name)));
  }
  throw refused(404, "ValidationNotFound",
                fmt::format("The requested validation entry {} was not found for validation name {} and revision ID {}", wanted, call[1], call[0]));
}

}  // namespace strata::service::buckets
