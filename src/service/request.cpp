// SPDX-License-Identifier: Apache-2.0
#include "service/request.hpp"

#include <algorithm>
#include <array>

namespace strata::service {
namespace {

struct Phrase {
  unsigned status;
  std::string_view text;
};
constexpr std::array kPhrases{
    Phrase{200, "OK"},
    Phrase{201, "Created"},
    Phrase{202, "Accepted"},
    Phrase{204, "No Content"},
    Phrase{302, "Found"},
    Phrase{303, "See Other"},
    Phrase{304, "Not Modified"},
    Phrase{400, "Bad Request"},
    Phrase{401, "Unauthorized"},
    Phrase{403, "Forbidden"},
    Phrase{404, "Not Found"},
    Phrase{405, "Method Not Allowed"},
    Phrase{406, "Not Acceptable"},
    Phrase{408, "Request Timeout"},
    Phrase{409, "Conflict"},
    Phrase{411, "Length Required"},
    Phrase{412, "Precondition Failed"},
    Phrase{413, "Payload Too Large"},
    Phrase{414, "URI Too Long"},
    Phrase{415, "Unsupported Media Type"},
    Phrase{417, "Expectation Failed"},
    Phrase{421, "Misdirected Request"},
    Phrase{422, "Unprocessable Entity"},
    Phrase{428, "Precondition Required"},
    Phrase{429, "Too Many Requests"},
    Phrase{431, "Request Header Fields Too Large"},
    Phrase{500, "Internal Server Error"},
    Phrase{501, "Not Implemented"},
    Phrase{502, "Bad Gateway"},
    Phrase{503, "Service Unavailable"},
    Phrase{504, "Gateway Timeout"},
    Phrase{505, "HTTP Version Not Supported"},
    Phrase{507, "Insufficient Storage"},
};

}  // namespace

Refusal refusal(unsigned status, std::string code, std::string message, std::string hint) {
  Refusal out{.status = status,
              .code = std::move(code),
              .message = std::move(message),
              .hint = std::move(hint),
              .type = "",
              .headers = {}};
  if (status == 503 || status == 429) out.headers.add("Retry-After", "1");
  return out;
}

Refusal no_memory() {
  return {.status = 503,
          .code = "limit.memory",
          .message = "there is not enough memory for this request now",
          .hint = "",
          .type = "",
          .headers = {{"Retry-After", "1"}}};
}

bool Principal::has_role(std::string_view role) const noexcept {
  return std::ranges::any_of(roles, [role](const std::string& one) { return one == role; });
}

std::string_view reason_phrase(unsigned status) noexcept {
  const auto found = std::ranges::lower_bound(kPhrases, status, {}, &Phrase::status);
  return found != kPhrases.end() && found->status == status ? found->text : "Unknown";
}

}  // namespace strata::service
