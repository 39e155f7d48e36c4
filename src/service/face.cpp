// SPDX-License-Identifier: Apache-2.0
#include "service/face.hpp"

#include <algorithm>
#include <array>

#include "service/core.hpp"
#include "service/policy.hpp"

namespace strata::service {
namespace {

struct Status {
  std::string_view code;
  unsigned status;
};
// By code, sorted; what is not here goes by its category.
constexpr std::array kStatuses{
    Status{"json.syntax", 400},         Status{"limit.input", 413},       Status{"limit.time", 504},
    Status{"request.key-reused", 422},  Status{"request.type", 415},      Status{"service.behind", 503},
    Status{"service.busy", 503},        Status{"service.forbidden", 403}, Status{"service.unauthorized", 401},
    Status{"session.cancelled", 503},   Status{"site.fixed", 409},        Status{"site.generation", 409},
    Status{"store.conflict", 409},      Status{"store.contended", 409},   Status{"store.damaged", 500},
    Status{"store.deadline", 504},      Status{"store.full", 507},        Status{"store.no-key", 503},
    Status{"store.sealed-broken", 500}, Status{"store.text", 400},        Status{"store.unavailable", 503},
    Status{"store.unknown", 503},       Status{"token.exists", 409},      Status{"tree.outside", 400},
};

/// Whether the machine or the service has failed, whatever the request: a library or the disk. Other errors of
/// programs, networks and files are those of configuration that asks for what a service does not have.
bool is_of_service(std::string_view code) {
  return std::ranges::any_of(
      std::array<std::string_view, 6>{"crypto.", "git.owner", "git.unavailable", "output.", "service.", "store."},
      [code](std::string_view one) { return code.starts_with(one); });
}

unsigned error_status(const Error& error) {
  const auto found = std::ranges::lower_bound(kStatuses, error.code(), {}, &Status::code);
  if (found != kStatuses.end() && found->code == error.code()) return found->status;
  if (error.code().starts_with("request.")) return 400;
  switch (error.category()) {
    case Category::not_found:
      return 404;
    case Category::cancelled:
      return 503;
    case Category::internal:
      return is_of_service(error.code()) ? 500 : 422;
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
  return !request.unknown && request.principal.reaches(project) &&
         core.policy()->allows(action, request.principal, project);
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
  // What each path knows besides the methods of its routes.
  std::string all = allowed;
  if (const std::size_t get = all.find("GET"); get != std::string::npos && knows_head()) all.insert(get + 3, ", HEAD");
  all += ", OPTIONS";
  if (request.method == "OPTIONS") return {.status = 204, .headers = {{"Allow", all}}};
  refuse_method(request, all);
}

void Face::refuse_method(const Request& request, const std::string& allowed) {
  throw Refused({.status = 405,
                 .code = "request.method",
                 .message = "'" + request.path + "' knows " + allowed + ", not " + request.method,
                 .hint = "",
                 .type = "",
                 .headers = {{"Allow", allowed}}});
}

Router::Router(std::span<const Route> routes) {
  patterns_.reserve(routes.size());
  for (const Route& route : routes) {
    Pattern pattern{.route = &route};
    for (std::string_view rest = route.pattern; !rest.empty();) {
      rest.remove_prefix(1);  // The slash.
      const std::string_view part = rest.substr(0, rest.find('/'));
      rest.remove_prefix(part.size());
      pattern.takes_rest = part.ends_with("*}");
      if (part.starts_with('{')) ++pattern.captures;
      pattern.parts.push_back(part);
    }
    patterns_.push_back(std::move(pattern));
  }
}

bool Router::Pattern::fits(std::span<const std::string> segments) const noexcept {
  if (takes_rest ? segments.size() < parts.size() : segments.size() != parts.size()) return false;
  return std::equal(
      parts.begin(), parts.end(), segments.begin(), [](std::string_view part, const std::string& segment) {
        if (!part.starts_with('{')) return part == segment;
        return !segment.empty() || part.ends_with("*}");  // Nothing is named so; a path may end with a slash.
      });
}

std::vector<std::string> Router::Pattern::captured(std::span<const std::string> segments) const {
  std::vector<std::string> out;
  out.reserve(captures);
  for (std::size_t at = 0; at < parts.size(); ++at) {
    if (parts[at].starts_with('{')) out.push_back(segments[at]);
  }
  if (takes_rest) {
    for (const std::string& segment : segments.subspan(parts.size())) out.back().append("/").append(segment);
  }
  return out;
}

Router::Found Router::find(std::string_view method, std::span<const std::string> segments) const {
  Found out;
  const Pattern* first = nullptr;
  const Pattern* found = nullptr;
  for (const Pattern& one : patterns_) {
    if (!one.fits(segments)) continue;
    // Patterns without captures stand before those with them: the first that fits is meant, with whatever method.
    if (first != nullptr && one.captures != first->captures) continue;
    if (first == nullptr) first = &one;
    const std::string_view other = one.route->method;
    if (out.allowed.find(other) == std::string::npos) out.allowed.append(out.allowed.empty() ? "" : ", ").append(other);
    if (other == method && found == nullptr) found = &one;
  }
  if (first == nullptr) return out;
  out.captures = (found == nullptr ? first : found)->captured(segments);
  if (found != nullptr) out.route = found->route;
  return out;
}

Refusal refusal_of(const Error& error) {
  Refusal out{.status = error_status(error),
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
