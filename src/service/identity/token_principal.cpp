// SPDX-License-Identifier: Apache-2.0
#include "service/identity/token_principal.hpp"

#include "store/tokens.hpp"

namespace strata::service {
namespace {

constexpr std::int64_t kDayOfTokens = std::int64_t{86'400} * 1'000'000;

}  // namespace

Principal token_principal(const store::Token& token) {
  return {.name = "token:" + token.id,
          .method = "tokens",
          .roles = store::roles_of(token),
          .project = token.project,
          .node = token.node.value_or("")};
}

std::int64_t wall_time(const IdentityClocks& clocks) {
  return std::chrono::duration_cast<std::chrono::microseconds>(clocks.wall().time_since_epoch()).count();
}

std::int64_t day_of(std::int64_t time) noexcept { return time / kDayOfTokens; }

bool ends_soon(const store::Token& token, std::int64_t time) noexcept {
  return token.expires_at && *token.expires_at - time < 7 * kDayOfTokens;
}

}  // namespace strata::service
