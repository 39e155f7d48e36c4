// SPDX-License-Identifier: Apache-2.0
#include "service/stacks/refusals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "service/json.hpp"

namespace strata::service::stacks {
namespace {

struct TypeOfCode {
  std::string_view code;
  std::string_view type;
};
// Sorted by code. What is not here is a HTTPBadRequest.
constexpr std::array kTypesOfCodes{
    TypeOfCode{"heat.hook", "InvalidBreakPointHook"},
    TypeOfCode{"heat.json-text", "ValueError"},
    TypeOfCode{"heat.parameter-missing", "UserParameterMissing"},
    TypeOfCode{"heat.parameter-schema", "InvalidSchemaError"},
    TypeOfCode{"heat.parameter-unknown", "UnknownUserParameter"},
    TypeOfCode{"heat.parameter-value", "StackValidationFailed"},
    TypeOfCode{"heat.restricted-action", "InvalidRestrictedAction"},
    TypeOfCode{"heat.strategy-conflict", "ConflictingMergeStrategyForParam"},
    TypeOfCode{"heat.template", "InvalidTemplateVersion"},
    TypeOfCode{"heat.template-parameters", "InvalidSchemaError"},
    TypeOfCode{"heat.template-size", "RequestLimitExceeded"},
    TypeOfCode{"heat.template-version", "InvalidTemplateVersion"},
};
static_assert(std::ranges::is_sorted(kTypesOfCodes, {}, &TypeOfCode::code));

struct KnownStatus {
  unsigned status;
  std::string_view type;
  std::string_view explanation;
};
// Sorted by status.
constexpr std::array kKnownStatuses{
    KnownStatus{400, "HTTPBadRequest",
                "The server could not comply with the request since it is either malformed or otherwise incorrect."},
    KnownStatus{401, "HTTPUnauthorized",
                "This server could not verify that you are authorized to access the document you requested."},
    KnownStatus{403, "Forbidden", "Access was denied to this resource."},
    KnownStatus{404, "HTTPNotFound", "The resource could not be found."},
    KnownStatus{405, "HTTPMethodNotAllowed", "The method is not allowed for this resource."},
    KnownStatus{409, "HTTPConflict", "There was a conflict when trying to complete your request."},
    KnownStatus{412, "HTTPPreconditionFailed", "Request precondition failed."},
    KnownStatus{500, "HTTPInternalServerError",
                "The server has either erred or is incapable of performing the requested operation."},
    KnownStatus{501, "NotSupported", "The server does not implement this operation."},
    KnownStatus{503, "HTTPServiceUnavailable",
                "The server is currently unavailable. Please try again at a later time."},
};

const KnownStatus* find_status(unsigned status) {
  const auto found = std::ranges::lower_bound(kKnownStatuses, status, {}, &KnownStatus::status);
  return found != kKnownStatuses.end() && found->status == status ? &*found : nullptr;
}

bool is_environment_code(std::string_view code) {
  return code == "heat.section" || code == "heat.empty-section" || code == "heat.root" || code.starts_with("yaml.");
}

std::string refusal_type(const Error& error) {
  const std::string& file = error.diagnostic().where.place.file;
  const auto found = std::ranges::lower_bound(kTypesOfCodes, error.code(), {}, &TypeOfCode::code);
  if (found != kTypesOfCodes.end() && found->code == error.code()) return std::string(found->type);
  if (is_environment_code(error.code()) && !file.starts_with('<')) return "ValueError";
  return error.category() == Category::limit ? "RequestLimitExceeded" : "HTTPBadRequest";
}

/// The reference's sentence where it has one, else that of strata, with the place.
std::string refusal_message(const Error& error) {
  std::string message = error.diagnostic().message;
  const Place& place = error.diagnostic().where.place;
  if (error.code() == "heat.template") return "The template version is invalid: " + message;
  constexpr std::string_view kParameter = "the parameter (";
  if (message.starts_with(kParameter)) {
    message.replace(0, kParameter.size(), "The Parameter (");
    return message + '.';
  }
  const std::string_view first_word = std::string_view(message).substr(0, message.find(' '));
  if (!message.empty() && first_word.find_first_of("_:") == std::string_view::npos && message.front() >= 'a' &&
      message.front() <= 'z' && !is_environment_code(error.code())) {
    message.front() = static_cast<char>(message.front() - 'a' + 'A');
  }
  if (error.code() == "heat.parameter-value") return message;
  if (is_environment_code(error.code()) && (place.file == kEnvironmentText || place.file == kBodyText))
    message.insert(0, "Environment not in valid format: ");
  if (is_environment_code(error.code()) && place.file == kTemplateText)
    message.insert(0, "Template not in valid format: ");
  if (place.file == kBodyText && error.code() == "json.syntax" && place.line && place.column)
    return fmt::format("{} (line {}, column {})", message, *place.line, *place.column);
  if (place.file.empty() || place.file.starts_with('<') || message.find(place.file) != std::string::npos)
    return message;
  return !place.line ? fmt::format("{} (file '{}')", message, place.file)
                     : fmt::format("{} (file '{}', line {})", message, place.file, *place.line);
}

/// Whether an error is about what the client sent.
bool is_about_request(const Error& error) {
  for (const std::string_view other : {"store.", "service.", "crypto.", "session.", "request."}) {
    if (error.code().starts_with(other)) return false;
  }
  if (error.code() == "limit.time") return false;
  return error.category() != Category::cancelled && error.category() != Category::internal;
}

}  // namespace

void refuse(unsigned status, std::string type, std::string message) {
  throw Refused({.status = status,
                 .code = status == 404 ? "stacks.unknown" : "stacks.refused",
                 .message = std::move(message),
                 .hint = "",
                 .type = std::move(type),
                 .headers = {}});
}

void refuse_request(std::string message) { refuse(400, "HTTPBadRequest", std::move(message)); }

void refuse_unknown_stack(std::string_view name) {
  refuse(404, "EntityNotFound", fmt::format("The Stack ({}) could not be found.", name));
}

void refuse(const Error& error) {
  if (!is_about_request(error)) throw Error(error);
  throw Refused({.status = 400,
                 .code = error.code(),
                 .message = refusal_message(error),
                 .hint = error.diagnostic().hint,
                 .type = refusal_type(error),
                 .headers = {}});
}

Response refusal_response(const Refusal& refusal) {
  // The reference has no 413 and no 422 for bodies.
  const unsigned status =
      refusal.status == 413 || (refusal.status == 422 && refusal.code != "request.key-reused") ? 400 : refusal.status;
  const KnownStatus* known = find_status(status);
  std::string type = refusal.type;
  if (type.empty() && refusal.status == 413) type = "RequestLimitExceeded";
  if (type.empty()) type = known == nullptr ? "HTTPException" : known->type;
  const std::string_view title = reason_phrase(status);
  Arena arena;
  const Value error = json_object(arena, {{"type", arena.text(type)},
                                          {"message", arena.text(refusal.message.empty() ? title : refusal.message)},
                                          {"traceback", Value::null()}});
  return json_response(json_object(arena, {{"code", Value::integer(status)},
                                           {"title", arena.text(title)},
                                           {"explanation", arena.text(known == nullptr ? title : known->explanation)},
                                           {"error", error}}),
                       status);
}

}  // namespace strata::service::stacks
