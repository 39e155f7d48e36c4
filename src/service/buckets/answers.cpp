#include "service/buckets/answers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "strata/builder.hpp"
#include "strata/text.hpp"

namespace strata::service::buckets {
namespace {

constexpr text::YamlStyle kStyle{.profile = nullptr, .sort_keys = true, .indent = 2};

struct Kind {
  std::string_view code;  ///< Of strata.
  std::string_view type;  ///< Of Deckhand.
  unsigned status;
};
// By code. What is not here is wrong with the texts themselves, or is an error of the reference's own making.
constexpr std::array kKinds{
    Kind{"deckhand.cycle", "SubstitutionDependencyCycle", 400},
    Kind{"deckhand.data", "InvalidDocumentFormat", 400},
    Kind{"deckhand.destination", "UnknownSubstitutionError", 500},
    Kind{"deckhand.destination-pattern", "MissingDocumentPattern", 400},
    Kind{"deckhand.duplicate", "DuplicateDocumentExists", 409},
    Kind{"deckhand.form", "InvalidDocumentFormat", 400},
    Kind{"deckhand.layer", "InvalidDocumentLayer", 400},
    Kind{"deckhand.missing", "MissingDocumentKey", 400},
    Kind{"deckhand.no-policy", "LayeringPolicyNotFound", 409},
    Kind{"deckhand.parent", "InvalidDocumentParent", 400},
    Kind{"deckhand.parents", "IndeterminateDocumentParent", 400},
    Kind{"deckhand.policy", "InvalidDocumentFormat", 400},
    Kind{"deckhand.replacement", "InvalidDocumentReplacement", 400},
    Kind{"deckhand.root", "UnknownSubstitutionError", 500},
    Kind{"deckhand.schema", "InvalidDocumentFormat", 400},
    Kind{"deckhand.schema-reference", "InvalidDocumentFormat", 400},
    Kind{"deckhand.source", "SubstitutionSourceNotFound", 409},
    Kind{"deckhand.source-data", "SubstitutionSourceDataNotFound", 400},
    Kind{"deckhand.source-pattern", "UnknownSubstitutionError", 500},
    Kind{"deckhand.substitution", "InvalidDocumentFormat", 400},
    Kind{"deckhand.template", "UnknownSubstitutionError", 500},
};
constexpr Kind kOther{"", "UnknownSubstitutionError", 500};

const Kind& kind_of(std::string_view code) {
  const auto* const found = std::ranges::lower_bound(kKinds, code, {}, &Kind::code);
  return found != kKinds.end() && found->code == code ? *found : kOther;
}

Value text_or_null(Arena& arena, std::string_view text) { return text.empty() ? Value::null() : arena.text(text); }

/// A finding, as validations of documents are told.
Value message_of(Arena& arena, const deckhand::Finding& finding) {
  MappingBuilder out(arena);
  out.insert("message", arena.text(finding.diagnostic.message));
  out.insert("error", Value::boolean(true));
  if (finding.check.empty()) return out.finish();
  out.insert("name", arena.text(finding.check));
  out.insert("level", arena.text("Error"));
  out.insert("kind", arena.text("ValidationMessage"));
  MappingBuilder document(arena);
  document.insert("schema", arena.text(finding.document.schema));
  document.insert("name", arena.text(finding.document.name));
  document.insert("layer", arena.text(finding.document.layer));
  SequenceBuilder documents(arena);
  documents.append(document.finish());
  out.insert("documents", documents.finish());
  if (finding.validation_schema.empty()) {
    out.insert("diagnostic", arena.text(finding.diagnostic.hint));
  } else {
    MappingBuilder diagnostic(arena);
    diagnostic.insert("validation_schema", arena.text(finding.validation_schema));
    diagnostic.insert("schema_path", arena.text(finding.schema_path));
    diagnostic.insert("error_section", arena.text(finding.error_section));
    out.insert("diagnostic", diagnostic.finish());
  }
  return out.finish();
}

std::string_view api_version(const Request& request) {
  constexpr std::string_view kNone = "N/A";
  return request.segments.size() > 1 && request.segments[0] == "api" ? std::string_view(request.segments[1]) : kNone;
}

}  // namespace

Response yaml_response(const Value& value, unsigned status) { return yaml_response(std::span(&value, 1), status); }

Response yaml_response(std::span<const Value> documents, unsigned status) {
  Response out{.status = status, .headers = {{"Content-Type", std::string(kYaml)}}};
  bool is_first = true;
  for (const Value& one : documents) {
    if (!is_first) out.body += "---\n";
    is_first = false;
    text::write_yaml(one, kStyle, [&out](std::string_view piece) { out.body += piece; });
  }
  return out;
}

Response failure_response(const Request& request, const Failure& failure) {
  Arena arena;
  SequenceBuilder messages(arena);
  for (const deckhand::Finding& one : failure.findings) messages.append(message_of(arena, one));
  if (failure.findings.empty()) {
    MappingBuilder message(arena);
    message.insert("error", Value::boolean(true));
    message.insert("message", text_or_null(arena, failure.message));
    messages.append(message.finish());
  }
  MappingBuilder details(arena);
  details.insert("errorCount", Value::integer(static_cast<std::int64_t>(messages.size())));
  details.insert("errorType", arena.text(failure.type));
  details.insert("messageList", messages.finish());
  MappingBuilder out(arena);
  out.insert("kind", arena.text("Status"));
  out.insert("apiVersion", arena.text(api_version(request)));
  out.insert("metadata", MappingBuilder(arena).finish());
  out.insert("status", arena.text("Failure"));
  out.insert("message", text_or_null(arena, failure.message));
  out.insert("reason", arena.text(failure.is_validation ? "Validation" : "Unspecified"));
  out.insert("details", details.finish());
  out.insert("code", arena.text(fmt::format("{} {}", failure.status, reason_phrase(failure.status))));
  out.insert("retry", Value::boolean(failure.status == 500 || failure.status == 503));
  return yaml_response(out.finish(), failure.status);
}

Response refused_response(const Request& request, const deckhand::Refused& refused) {
  const deckhand::Finding& first = refused.findings().front();
  const Kind& kind = kind_of(first.diagnostic.code);
  if (kind.type == "InvalidDocumentFormat") {
    return failure_response(request, {.status = kind.status,
                                      .type = std::string(kind.type),
                                      .message = "The provided documents failed schema validation",
                                      .is_validation = true,
                                      .findings = refused.findings()});
  }
  return failure_response(request, {.status = kind.status, .type = std::string(kind.type), .message = first.diagnostic.message});
}

Refused refused(unsigned status, std::string type, std::string message) {
  return Refused({.status = status, .code = "", .message = std::move(message), .hint = "", .type = std::move(type), .headers = {}});
}

Refused no_revision(std::string_view number, bool in_listing) {
  return refused(404, in_listing ? "HTTPNotFound" : "RevisionNotFound", fmt::format("The requested revision={} was not found", number));
}

}  // namespace strata::service::buckets
