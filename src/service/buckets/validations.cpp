// SPDX-License-Identifier: Apache-2.0
// Results of validations that others post, and what ValidationPolicies want of them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "python/data.hpp"
#include "service/buckets/failure.hpp"
#include "service/buckets/revision_view.hpp"
#include "service/buckets/routes.hpp"
#include "service/buckets/stored_text.hpp"
#include "service/buckets/yaml.hpp"
#include "strata/builder.hpp"

namespace strata::service::buckets {
namespace {

constexpr std::size_t kLongestValidationName = 64;
constexpr std::size_t kLongestStatus = 8;
constexpr std::string_view kNeverPosted =
    "The result for this validation was never externally registered so its status defaulted to \"failure\".";

/// A ValidationPolicy with the names that it wants.
struct RequiredValidations {
  std::string title;
  std::vector<std::string> names;
};

/// A result as answers show it.
struct Posted {
  Value name;  ///< A text, or null.
  std::string status;
  Value errors;
};

class ValidationResults {
 public:
  /// Reads what is there for a revision. Error (Failure) if there is no such revision.
  ValidationResults(const Call& call, const std::string& type) {
    std::vector<store::Document> policies;
    call.core.read(call, [&](store::Transaction& transaction, const store::Project* project) {
      revision_ = demanded_revision(transaction, project, call[0], type).number;
      posted_ = store::validations(transaction, *project, revision_);
      policies = validation_policies(transaction, *project, revision_);
    });
    for (const store::Document& document : policies) add_policy(document);
  }

  [[nodiscard]] std::int64_t revision() const noexcept { return revision_; }
  [[nodiscard]] Arena& arena() noexcept { return arena_; }

  /// One status a name.
  [[nodiscard]] std::map<std::string, std::string> statuses() const {
    std::map<std::string, std::string> out;
    for (const store::Validation& one : posted_) {
      const auto [found, is_new] = out.emplace(one.name, one.status);
      if (!is_new) found->second = std::min(found->second, one.status);
    }
    if (policies_.empty()) return out;
    for (auto& [name, status] : out) {
      if (!wanted_.contains(name)) status = ignored(status);
    }
    for (const std::string& name : wanted_) out.emplace(name, "failure");
    return out;
  }

  /// All that was posted, or that of one name, and the first that is missing.
  [[nodiscard]] std::vector<Posted> entries(const std::string* name) {
    std::vector<Posted> out;
    std::set<std::string_view> names;
    for (const store::Validation& one : posted_) {
      if (name != nullptr && one.name != *name) continue;
      names.insert(one.name);
      out.push_back(entry(one));
    }
    for (const std::string& wanted : wanted_) {
      if (names.contains(wanted) || (name != nullptr && *name != wanted)) continue;
      out.push_back({.name = name == nullptr ? Value::null() : arena_.text(*name),
                     .status = "failure",
                     .errors = arena_.sequence(std::array{error(std::string(kNeverPosted))})});
      break;
    }
    return out;
  }

 private:
  static std::string ignored(const std::string& status) { return fmt::format("ignored [{}]", status); }
  Value error(const std::string& message) { return json_object(arena_, {{"message", arena_.text(message)}}); }

  void add_policy(const store::Document& document) {
    RequiredValidations policy{.title = fmt::format("[{}, {}] {}", document.head.schema,
                                                    document.head.layer.value_or("None"), document.head.name),
                               .names = {}};
    const Value data = stored_value(arena_, document.data.value_or("null"));
    const Value* list = data.is_mapping() ? data.find("validations") : nullptr;
    if (list != nullptr && list->is_sequence()) {
      for (const Value& item : list->items()) {
        const Value* name = item.is_mapping() ? item.find("name") : nullptr;
        if (name != nullptr && name->is_text()) policy.names.emplace_back(name->text());
      }
    }
    wanted_.insert(policy.names.begin(), policy.names.end());
    policies_.push_back(std::move(policy));
  }

  Posted entry(const store::Validation& posted) {
    const Value body = stored_value(arena_, posted.body);
    const Value* given = body.find("errors");
    SequenceBuilder errors(arena_);
    if (given != nullptr && given->is_sequence()) errors.append(given->items());
    Posted out{.name = arena_.text(posted.name), .status = posted.status, .errors = {}};
    if (!policies_.empty() && !wanted_.contains(posted.name)) {
      out.status = ignored(posted.status);
      for (const RequiredValidations& policy : policies_) {
        errors.append(
            error(fmt::format("The result for this validation was externally registered but has been ignored because "
                              "it is not found in the "
                              "validations for ValidationPolicy {}: {}.",
                              policy.title, fmt::join(policy.names, ", "))));
      }
    }
    out.errors = errors.finish();
    return out;
  }

  Arena arena_;
  std::int64_t revision_ = 0;
  std::vector<store::Validation> posted_;
  std::vector<RequiredValidations> policies_;
  std::set<std::string> wanted_;
};

Response results_response(ValidationResults& results, SequenceBuilder& list) {
  const auto count = static_cast<std::int64_t>(list.size());
  return yaml_response(json_object(results.arena(), {{"count", Value::integer(count)}, {"results", list.finish()}}));
}

}  // namespace

Response create_validation(const Call& call) {
  (void)checked_name(call[1], "validation", kLongestValidationName);
  const JsonBody body = read_yaml_body(call);
  if (body.root().is_null()) throw bad_request("The request body must not be empty.");
  const Value* status = body.root().is_mapping() ? body.root().find("status") : nullptr;
  const Value* validator = body.root().is_mapping() ? body.root().find("validator") : nullptr;
  if (status == nullptr || !status->is_text() || status->text().empty() || validator == nullptr ||
      !python::truth(*validator)) {
    throw bad_request(R"(Validation payload must contain keys: "status", "validator".)");
  }
  if (length_of(status->text()) > kLongestStatus)
    throw bad_request(fmt::format("A status has at most {} characters.", kLongestStatus));
  store::Validation validation{.name = call[1], .status = std::string(status->text())};
  append_stored(validation.body, body.root(), call.core.limits(call));
  return write(call, [&](Writing& writing) {
    validation.revision = demanded_revision(writing.transaction, &writing.project, call[0]).number;
    store::add_validation(writing.transaction, writing.project, validation);
    writing.note("validation", validation.name, validation.revision);
    Arena arena;
    return yaml_response(json_object(arena, {{"status", *status}, {"validator", *validator}}), 201);
  });
}

Response list_validations(const Call& call) {
  ValidationResults results(call, "RevisionNotFound");
  SequenceBuilder list(results.arena());
  for (const auto& [name, status] : results.statuses()) {
    list.append(
        json_object(results.arena(), {{"name", results.arena().text(name)}, {"status", results.arena().text(status)}}));
  }
  return results_response(results, list);
}

Response list_validation_details(const Call& call) {
  ValidationResults results(call, "HTTPNotFound");
  SequenceBuilder list(results.arena());
  for (const Posted& entry : results.entries(nullptr)) {
    list.append(json_object(results.arena(), {{"createdAt", Value::null()},
                                              {"errors", entry.errors},
                                              {"expiresAfter", Value::null()},
                                              {"id", Value::integer(static_cast<std::int64_t>(list.size()))},
                                              {"name", entry.name},
                                              {"status", results.arena().text(entry.status)}}));
  }
  return results_response(results, list);
}

Response list_validation_entries(const Call& call) {
  ValidationResults results(call, "RevisionNotFound");
  SequenceBuilder list(results.arena());
  for (const Posted& entry : results.entries(&call[1])) {
    list.append(json_object(results.arena(), {{"id", Value::integer(static_cast<std::int64_t>(list.size()))},
                                              {"status", results.arena().text(entry.status)}}));
  }
  return results_response(results, list);
}

Response show_validation_entry(const Call& call) {
  const std::string& text = call[2];
  std::int64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || problem == std::errc::invalid_argument || end != text.data() + text.size()) {
    throw bad_request("The {entry_id} parameter must be an integer.");
  }
  ValidationResults results(call, "RevisionNotFound");
  const std::vector<Posted> entries = results.entries(&call[1]);
  if (problem != std::errc() || number < 0 || static_cast<std::size_t>(number) >= entries.size()) {
    throw Failure(
        404, "ValidationNotFound",
        fmt::format("The requested validation entry {} was not found for validation name {} and revision ID {}", text,
                    call[1], results.revision()));
  }
  const Posted& entry = entries[static_cast<std::size_t>(number)];
  return yaml_response(json_object(results.arena(), {{"createdAt", Value::null()},
                                                     {"errors", entry.errors},
                                                     {"expiresAfter", Value::null()},
                                                     {"name", entry.name},
                                                     {"status", results.arena().text(entry.status)}}));
}

}  // namespace strata::service::buckets
