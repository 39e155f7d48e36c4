#include "service/identity/identity.hpp"

#include <algorithm>

namespace strata::service {

Principal Identity::recognise(const Request& request) const {
  for (const auto& way : ways_) {
    if (std::optional<Principal> out = way->recognise(request)) return *std::move(out);
  }
  Refusal refusal{
      .status = 401, .code = "service.unauthorized", .message = "the request does not show who asks", .hint = "", .type = "", .headers = {}};
  for (const auto& way : ways_) {
    if (std::string challenge = way->challenge(); !challenge.empty()) refusal.headers.add("WWW-Authenticate", std::move(challenge));
  }
  throw Refused(std::move(refusal));
}

bool Identity::is_brief(const Request& request) const {
  return std::ranges::all_of(ways_, [&request](const auto& way) { return way->is_brief(request); });
}

}  // namespace strata::service
