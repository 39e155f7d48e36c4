// SPDX-License-Identifier: Apache-2.0
// Who may ask the explorer: the cookie of a browser, and what keeps other pages from using it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "service/face.hpp"

namespace strata::service::explore {

/// What a face lets in.
struct Gate {
  /// Whether the service is called so, as `Host` has it: `127.0.0.1:8787`.
  std::function<bool(std::string_view host)> takes_host = {};
  /// Pages, too, are only for those who are known.
  bool closes_pages = false;
  /// Who has a credential. Errors (Refused): as Identity. Empty: nobody can exchange one for a cookie.
  std::function<Principal(const Request&)> recognise = {};
};

/// Puts the credential of the explorer's cookie where others are, if the path is one of the explorer.
void take_cookie(Request& request);
/// The headers that give a browser the cookie, or take it back with an empty credential.
[[nodiscard]] std::string cookie_header(const Request& request, std::string_view credential);
/// Errors (Refused): 421 for a `Host` that is none of the service, 403 for a request of another page.
void check_origin(const Request& request, const Gate& gate);

/// `POST session`: a token for the cookie.
[[nodiscard]] Response open_session(const Call& call, const Gate& gate);
[[nodiscard]] Response close_session(const Call& call);
/// A page whose address has a token: the cookie, and the address without it. Error (Refused, 401).
[[nodiscard]] Response take_token(const Call& call, const Gate& gate, const std::string& token);

/// 128 random bits as base64url. Error `service.random`.
[[nodiscard]] std::string random_token();
/// Whether two texts are equal, in a time that does not tell where they differ.
[[nodiscard]] bool same_secret(std::string_view left, std::string_view right) noexcept;

}  // namespace strata::service::explore
