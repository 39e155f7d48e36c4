#include "service/face.hpp"

#include <algorithm>
#include <array>

#include "service/core.hpp"
#include "service/policy.hpp"

namespace strata::service {
namespace {

std::string_view take_part(std::string_view& pattern) {
  pattern.remove_prefix(1);  // The slash.
  const std::string_view part = pattern.substr(0, pattern.find('/'));
  pattern.remove_prefix(part.size());
  return part;
}

bool fits(std::string_view pattern, std::span<const std::string> segments, std::vector<std::string>& captures) {
  captures.clear();
  std::size_t at = 0;
  while (!pattern.empty()) {
    const std::string_view part = take_part(pattern);
    if (at == segments.size()) return false;
    if (part.ends_with("*}")) {
      std::string rest;
      for (; at < segments.size(); ++at) rest.append(rest.empty() ? "" : "/").append(segments[at]);
      captures.push_back(std::move(rest));
      return true;
    }
    if (part.starts_with('{')) {
      captures.push_back(segments[at]);
    } else if (part != segments[at]) {
      return false;
    }
    ++at;
  }
  return at == segments.size();
}

struct Status {
  std::string_view code;
  unsigned status;
};
// By code, sorted; what is not here goes by its category.
constexpr std::array kStatuses{
    Status{"enc.failed", 422},  // A service runs no programs.
    Status{"json.syntax", 400},          Status{"limit.input", 413},       Status{"limit.time", 504},          Status{"request.key-reused", 422},
    Status{"request.type", 415},         Status{"service.behind", 503},    Status{"service.busy", 503},        Status{"service.forbidden", 403},
    Status{"service.unauthorized", 401}, Status{"session.cancelled", 503}, Status{"site.fixed", 409},          Status{"site.generation", 409},
    Status{"store.conflict", 409},       Status{"store.contended", 409},   Status{"store.damaged", 500},       Status{"store.deadline", 504},
    Status{"store.full", 507},           Status{"store.no-key", 503},      Status{"store.sealed-broken", 500}, Status{"store.text", 400},
    Status{"store.unavailable", 503},    Status{"store.unknown", 503},     Status{"token.exists", 409},        Status{"tree.outside", 400},
};

unsigned status_of(const Error& error) {
  const auto found = std::ranges::lower_bound(kStatuses, error.code(), {}, &Status::code);
  if (found != kStatuses.end() && found->code == error.code()) return found->status;
  if (error.code().starts_with("request.")) return 400;
  switch (error.category()) {
    case Category::not_found:
      return 404;
    case Category::cancelled:
      return 503;
    case Category::internal:
      return 500;
    default:
      return 422;
  }
}

Refusal not_allowed(std::string_view action) {
  return {.status = 403,
          .code = "service.forbidden",
          .message = "Policy doesn't allow " + std::string(action) + " to be performed",
          .hint = "",
          .type = "",
          .headers = {}};
}

}  // namespace

bool Call::may(std::string_view action) const {
  return !request.unknown && request.principal.reaches(project) && core.policy()->allows(action, request.principal, project);
}

void Call::demand(std::string_view action) const {
  if (request.unknown) throw Refused(*request.unknown);
  if (!may(action)) throw Refused(not_allowed(action));
}

void Call::demand_everywhere(std::string_view action) const {
  demand(action);
  if (!request.principal.project.empty() && !request.principal.is_everywhere) throw Refused(not_allowed(action));
}

Response Face::other_method(const Request& request, const std::string& allowed) const {
  if (request.method == "OPTIONS") return {.status = 204, .headers = {{"Allow", allowed}}};
  throw Refused({.status = 405,
                 .code = "request.method",
                 .message = "'" + request.path + "' knows " + allowed + ", not " + request.method,
                 .hint = "",
                 .type = "",
                 .headers = {{"Allow", allowed}}});
}

Router::Found Router::find(std::string_view method, std::span<const std::string> segments) const {
  Found out;
  std::vector<std::string> captures;
  for (const Route& route : routes_) {
    if (!fits(route.pattern, segments, captures)) continue;
    // Patterns without captures stand before those with them: the first that fits is meant, with whatever method.
    if (!out.allowed.empty() && out.captures.size() != captures.size()) continue;
    if (out.allowed.empty()) out.captures = captures;
    if (out.allowed.find(route.method) == std::string::npos) out.allowed.append(out.allowed.empty() ? "" : ", ").append(route.method);
    if (route.method == method && out.route == nullptr) {
      out.route = &route;
      out.captures = std::move(captures);
    }
  }
  return out;
}

Refusal refusal_of(const Error& error) {
  Refusal out{.status = status_of(error),
              .code = error.code(),
              .message = error.diagnostic().message,
              .hint = error.diagnostic().hint,
              .type = "",
              .headers = {}};
  if (out.status == 504) out.code = "service.deadline";
  const Diagnostic& what = error.diagnostic();
  if (!what.where.place.file.empty()) out.places.push_back(what.where.place);
  for (const Excerpt& note : what.notes) {
    if (!note.place.file.empty()) out.places.push_back(note.place);
  }
  if (out.status == 503 || out.status == 507) out.headers.add("Retry-After", "1");
  return out;
}

}  // namespace strata::service
