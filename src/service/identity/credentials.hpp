// SPDX-License-Identifier: Apache-2.0
// Credentials in requests, and how requests with wrong ones are refused.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "service/request.hpp"

namespace strata::service {

/// What stands after `Bearer` in `Authorization`. Empty: nothing.
[[nodiscard]] std::string_view bearer_of(const Request& request) noexcept;
/// By what caches know credentials: their SHA-256, never themselves.
[[nodiscard]] std::string credentials_key(std::string_view credentials);
/// Whether a text can stand in a header as a token: printable ASCII without blanks, at most `most` bytes, not empty.
[[nodiscard]] bool is_token_text(std::string_view text, std::size_t most) noexcept;

/// 401: the same for whatever is wrong with credentials.
[[nodiscard]] Refused wrong_credentials();
/// 503 `service.identity`: nobody can judge the credentials now.
[[nodiscard]] Refused nobody_can_judge(std::string why);

/// The clocks of a recogniser. `steady` is for what is kept, `wall` for what credentials say.
struct IdentityClocks {
  std::function<std::chrono::steady_clock::time_point()> steady = [] { return std::chrono::steady_clock::now(); };
  std::function<std::chrono::system_clock::time_point()> wall = [] { return std::chrono::system_clock::now(); };
};

/// Tells the log of something that is not the business of one request: `reload.failed`, why. Thread-safe.
using IdentityEvents = std::function<void(std::string_view event, const std::string& why)>;

}  // namespace strata::service
