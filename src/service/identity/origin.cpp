// SPDX-License-Identifier: Apache-2.0
#include "service/identity/origin.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "service/fields.hpp"

namespace strata::service {
namespace {

/// An address that no name server can give out.
bool is_address(std::string_view host) {
  if (host.starts_with('[')) return host.ends_with(']');
  return !host.empty() && std::ranges::all_of(host, [](char one) { return (one >= '0' && one <= '9') || one == '.'; });
}

std::string_view without_scheme(std::string_view base) {
  const std::size_t slashes = base.find("//");
  return slashes == std::string_view::npos ? std::string_view() : base.substr(slashes + 2);
}

}  // namespace

std::pair<std::string_view, std::string_view> host_parts(std::string_view host) {
  const std::size_t bracket = host.rfind(']');
  const std::size_t colon = host.rfind(':');
  if (colon == std::string_view::npos || (bracket != std::string_view::npos && colon < bracket)) return {host, {}};
  return {host.substr(0, colon), host.substr(colon + 1)};
}

std::string_view host_of(const Request& request) { return without_scheme(request.base); }

bool is_own_host(std::string_view host, const std::vector<std::string>& hosts) {
  const std::string_view name = host_parts(host).first;
  if (is_address(name) || same_name(name, "localhost")) return true;
  return std::ranges::any_of(
      hosts, [&](const std::string& one) { return same_name(one, host_parts(one).second.empty() ? name : host); });
}

void check_page(const Request& request, std::string_view method, const Pages& pages) {
  if (method != "none" && method != "headers" && method != "mtls") return;
  const std::string_view host = host_of(request);
  // No page reaches a Unix socket, and a name without a dot is none that a foreign page can have.
  const bool is_public_name = request.address != "local" && host_parts(host).first.find('.') != std::string_view::npos;
  if (method == "none" && !pages.takes_any_host && is_public_name && !is_own_host(host, pages.public_hosts)) {
    throw Refused(refusal(421, "service.host", fmt::format("this service is not '{}'", host),
                          "public_hosts of the configuration names its hosts"));
  }
  if (request.method == "GET" || request.method == "HEAD" || request.method == "OPTIONS") return;
  const std::string* const origin = request.headers.find("Origin");
  if (origin == nullptr) return;
  const std::string_view page = without_scheme(*origin);
  const bool is_own =
      !page.empty() && (same_name(page, host) || std::ranges::any_of(pages.public_hosts, [&](const std::string& one) {
                          return same_name(one, host_parts(one).second.empty() ? host_parts(page).first : page);
                        }));
  if (!is_own)
    throw Refused(refusal(403, "service.origin", "the request comes from another page",
                          "public_hosts of the configuration names its hosts"));
}

}  // namespace strata::service
