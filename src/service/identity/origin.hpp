// SPDX-License-Identifier: Apache-2.0
// Which pages of browsers may ask, and under which names. A browser sends what a foreign page wants, with the address
// of that page.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "service/request.hpp"

namespace strata::service {

/// `HOST:PORT` as it was asked for: its two parts. The port may be empty.
[[nodiscard]] std::pair<std::string_view, std::string_view> host_parts(std::string_view host);
/// The host and the port that a request has asked for.
[[nodiscard]] std::string_view host_of(const Request& request);
/// Whether a `Host` is an address in digits, `localhost`, or one of `hosts`, which are for any port where they have
/// none. No name server can make a foreign page one of the first two.
[[nodiscard]] bool is_own_host(std::string_view host, const std::vector<std::string>& hosts);

/// What a service takes of browsers for credentials that they send by themselves, or that nobody needs.
struct Pages {
  std::vector<std::string> public_hosts = {};  ///< Names of the service beside addresses and `localhost`.
  bool takes_any_host = false;                 ///< Where nobody is asked: by purpose, on other machines.
};
/// Lets no foreign page use a credential that a browser has without the page (`method` of Principal: `none`, `headers`,
/// `mtls`). Errors (Refused): 421 for a foreign host where nobody is asked, 403 for a write of another page.
void check_page(const Request& request, std::string_view method, const Pages& pages);

}  // namespace strata::service
