// SPDX-License-Identifier: Apache-2.0
#include "service/buckets/failure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "service/buckets/yaml.hpp"
#include "service/json.hpp"
#include "strata/builder.hpp"

namespace strata::service::buckets {
namespace {

constexpr std::string_view kFailedChecks = "The provided documents failed schema validation";

/// How the reference calls what the dialect finds, by code. What is not here is an error of substitution that the
/// reference has no name for.
struct RenderingError {
  std::string_view code;
  std::string_view type;
  unsigned status;
};
constexpr std::array kRenderingErrors{
    RenderingError{"deckhand.cycle", "SubstitutionDependencyCycle", 400},
    RenderingError{"deckhand.data", "InvalidDocumentFormat", 400},
    RenderingError{"deckhand.duplicate", "DuplicateDocumentExists", 409},
    RenderingError{"deckhand.form", "InvalidDocumentFormat", 400},
    RenderingError{"deckhand.layer", "InvalidDocumentLayer", 400},
    RenderingError{"deckhand.missing", "MissingDocumentKey", 400},
    RenderingError{"deckhand.no-policy", "LayeringPolicyNotFound", 409},
    RenderingError{"deckhand.parent", "InvalidDocumentParent", 400},
    RenderingError{"deckhand.parents", "IndeterminateDocumentParent", 400},
    RenderingError{"deckhand.policy", "InvalidDocumentFormat", 400},
    RenderingError{"deckhand.replacement", "InvalidDocumentReplacement", 400},
    RenderingError{"deckhand.schema", "InvalidDocumentFormat", 400},
    RenderingError{"deckhand.schema-reference", "InvalidDocumentFormat", 400},
    RenderingError{"deckhand.source", "SubstitutionSourceNotFound", 409},
    RenderingError{"deckhand.source-data", "SubstitutionSourceDataNotFound", 400},
};

const RenderingError* rendering_error(std::string_view code) {
  const auto found = std::ranges::lower_bound(kRenderingErrors, code, {}, &RenderingError::code);
  return found != kRenderingErrors.end() && found->code == code ? &*found : nullptr;
}

bool is_check(const deckhand::Finding& finding) {
  const RenderingError* error = rendering_error(finding.diagnostic.code);
  return !finding.check.empty() || (error != nullptr && error->type == "InvalidDocumentFormat");
}

/// The exceptions of the reference's HTTP library.
struct HttpError {
  unsigned status;
  std::string_view type;
  bool has_message = true;
};
constexpr std::array kHttpErrors{
    HttpError{400, "HTTPBadRequest"},
    HttpError{401, "HTTPUnauthorized", false},
    HttpError{403, "HTTPForbidden"},
    HttpError{404, "HTTPRouteNotFound", false},
    HttpError{405, "HTTPMethodNotAllowed", false},
    HttpError{409, "HTTPConflict"},
    HttpError{412, "PreconditionFailed"},
    HttpError{413, "HTTPPayloadTooLarge"},
    HttpError{414, "HTTPUriTooLong"},
    HttpError{415, "HTTPUnsupportedMediaType"},
    HttpError{422, "HTTPUnprocessableEntity"},
    HttpError{429, "HTTPTooManyRequests"},
    HttpError{431, "HTTPRequestHeaderFieldsTooLarge"},
    HttpError{500, "HTTPInternalServerError"},
    HttpError{501, "HTTPNotImplemented"},
    HttpError{503, "HTTPServiceUnavailable"},
    HttpError{504, "HTTPGatewayTimeout"},
    HttpError{507, "HTTPInsufficientStorage"},
};

Value finding_message(Arena& arena, const deckhand::Finding& finding) {
  const auto text = [&arena](std::string_view one) { return arena.text(one); };
  const Value document = json_object(arena, {{"schema", text(finding.document.schema)},
                                             {"name", text(finding.document.name)},
                                             {"layer", text(finding.document.layer)}});
  Value diagnostic = text(finding.diagnostic.hint);
  if (finding.check == "D002") {
    diagnostic = json_object(arena, {{"validation_schema", text(finding.validation_schema)},
                                     {"schema_path", text(finding.schema_path)},
                                     {"error_section", text(finding.error_section)}});
  }
  std::string message = finding.diagnostic.message;
  if (finding.check == "D001") {
    for (const Excerpt& note : finding.diagnostic.notes) message.append("; ").append(note.message);
  }
  return json_object(
      arena, {{"message", text(message)},
              {"error", Value::boolean(true)},
              {"name", text(finding.check.empty() ? std::string_view("D002") : std::string_view(finding.check))},
              {"level", text("Error")},
              {"kind", text("ValidationMessage")},
              {"documents", arena.sequence(std::array{document})},
              {"diagnostic", diagnostic}});
}

/// The version in the path.
std::string_view version_of(const Request& request) {
  return request.segments.size() >= 2 && request.segments[0] == "api" ? std::string_view(request.segments[1])
                                                                      : std::string_view("N/A");
}

Response status_object(const Request& request, const Failure& failure, bool retries) {
  Arena arena;
  SequenceBuilder messages(arena);
  for (const deckhand::Finding& finding : failure.findings()) messages.append(finding_message(arena, finding));
  const Value message = json_string(arena, failure.message());
  if (messages.size() == 0)
    messages.append(json_object(arena, {{"message", message}, {"error", Value::boolean(true)}}));
  const Value details = json_object(arena, {{"errorType", arena.text(failure.type())},
                                            {"errorCount", Value::integer(static_cast<std::int64_t>(messages.size()))},
                                            {"messageList", messages.finish()}});
  return yaml_response(
      json_object(arena, {{"apiVersion", arena.text(version_of(request))},
                          {"code", arena.text(fmt::format("{} {}", failure.status(), reason_phrase(failure.status())))},
                          {"details", details},
                          {"kind", arena.text("Status")},
                          {"message", message},
                          {"metadata", arena.mapping()},
                          {"reason", arena.text(failure.findings().empty() ? "Unspecified" : "Validation")},
                          {"retry", Value::boolean(retries)},
                          {"status", arena.text("Failure")}}),
      failure.status());
}

}  // namespace

Failure::Failure(std::vector<deckhand::Finding> findings)
    : status_(400), type_("InvalidDocumentFormat"), message_(kFailedChecks), findings_(std::move(findings)) {}

Failure bad_request(std::string message) { return {400, "HTTPBadRequest", std::move(message)}; }

Failure bad_parameter(std::string_view name, std::string_view why) {
  return {400, "HTTPInvalidParam", fmt::format("The \"{}\" parameter is invalid. {}", name, why)};
}

Failure no_route() { return {404, "HTTPRouteNotFound", std::nullopt}; }

Failure no_revision(std::string_view revision, std::string type) {
  return {404, std::move(type), fmt::format("The requested revision={} was not found", revision)};
}

Failure cannot_render(const deckhand::Refused& refused) {
  const deckhand::Finding& first = refused.findings().front();
  if (is_check(first)) {
    std::vector<deckhand::Finding> checks;
    std::ranges::copy_if(refused.findings(), std::back_inserter(checks), is_check);
    return Failure(std::move(checks));
  }
  const RenderingError* error = rendering_error(first.diagnostic.code);
  return error == nullptr ? Failure(500, "UnknownSubstitutionError", first.diagnostic.message)
                          : Failure(error->status, std::string(error->type), first.diagnostic.message);
}

Response answer_of(const Request& request, const Failure& failure) { return status_object(request, failure, false); }

Response answer_of(const Request& request, const Refusal& refusal) {
  const auto found = std::ranges::find(kHttpErrors, refusal.status, &HttpError::status);
  const HttpError error = found == kHttpErrors.end() ? HttpError{refusal.status, "HTTPError"} : *found;
  const std::string& message = refusal.message;
  const std::string type = refusal.type.empty() ? std::string(error.type) : refusal.type;
  return status_object(request, {refusal.status, type, error.has_message ? std::optional(message) : std::nullopt},
                       refusal.status == 500);
}

}  // namespace strata::service::buckets
