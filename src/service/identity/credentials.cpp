// SPDX-License-Identifier: Apache-2.0
#include "service/identity/credentials.hpp"

#include <algorithm>

#include "tree/sha256.hpp"

namespace strata::service {

std::string_view bearer_of(const Request& request) noexcept {
  constexpr std::string_view kScheme = "Bearer ";
  std::string_view text = request.headers.get("Authorization");
  if (text.size() <= kScheme.size() || !same_name(text.substr(0, kScheme.size()), kScheme)) return {};
  text.remove_prefix(kScheme.size());
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

std::string credentials_key(std::string_view credentials) {
  const auto digest = sha256(credentials);
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

bool is_token_text(std::string_view text, std::size_t most) noexcept {
  return !text.empty() && text.size() <= most &&
         std::ranges::all_of(text, [](char one) { return one > ' ' && one <= '~'; });
}

Refused wrong_credentials() {
  return Refused({.status = 401,
                  .code = "service.unauthorized",
                  .message = "the credentials are not valid",
                  .hint = "",
                  .type = "",
                  .headers = {}});
}

Refused nobody_can_judge(std::string why) {
  return Refused({.status = 503,
                  .code = "service.identity",
                  .message = std::move(why),
                  .hint = "",
                  .type = "",
                  .headers = {{"Retry-After", "5"}}});
}

}  // namespace strata::service
