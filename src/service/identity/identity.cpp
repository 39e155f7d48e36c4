// SPDX-License-Identifier: Apache-2.0
#include "service/identity/identity.hpp"

#include <algorithm>

namespace strata::service {
namespace {

bool shows_credentials(const Request& request) {
  return request.headers.find("Authorization") != nullptr || request.headers.find("X-Auth-Token") != nullptr;
}

}  // namespace

Identity::Identity(std::vector<std::unique_ptr<Recogniser>> ways, IdentityClocks clocks, Pages pages)
    : ways_(std::move(ways)),
      clocks_(std::move(clocks)),
      pages_(std::move(pages)),
      attempts_(std::make_unique<FailedAttempts>()) {}

Principal Identity::recognise(const Request& request) const {
  const bool is_attempt = shows_credentials(request);
  const auto wait = is_attempt ? attempts_->wait(request.address, clocks_.steady()) : std::chrono::seconds(0);
  if (wait.count() > 0) {
    // What is known already is no guess. All else is not looked at, so that the answer says nothing.
    try {
      if (is_brief(request)) {
        if (std::optional<Principal> out = ask(request)) return *std::move(out);
      }
    } catch (const Refused&) {
      // As below.
    }
    throw Refused({.status = 429,
                   .code = "service.too-many-failures",
                   .message = "too many requests with wrong credentials came from this address",
                   .hint = "",
                   .type = "",
                   .headers = {{"Retry-After", std::to_string(wait.count())}}});
  }
  try {
    if (std::optional<Principal> out = ask(request)) return *std::move(out);
  } catch (const Refused& refused) {
    if (refused.refusal().status != 401) throw;
  }
  if (is_attempt) attempts_->add(request.address, clocks_.steady());
  Refusal refusal{.status = 401,
                  .code = "service.unauthorized",
                  .message = is_attempt ? "the credentials are not valid" : "the request does not show who asks",
                  .hint = "",
                  .type = "",
                  .headers = {}};
  std::vector<std::string> challenges;
  for (const auto& way : ways_) {
    std::string challenge = way->challenge();
    if (challenge.empty() || std::ranges::find(challenges, challenge) != challenges.end()) continue;
    refusal.headers.add("WWW-Authenticate", challenge);
    challenges.push_back(std::move(challenge));
  }
  throw Refused(std::move(refusal));
}

std::optional<Principal> Identity::ask(const Request& request) const {
  for (const auto& way : ways_) {
    if (std::optional<Principal> out = way->recognise(request)) {
      check_page(request, out->method, pages_);
      return out;
    }
  }
  return std::nullopt;
}

bool Identity::is_brief(const Request& request) const {
  return std::ranges::all_of(ways_, [&request](const auto& way) { return way->is_brief(request); });
}

}  // namespace strata::service
