// SPDX-License-Identifier: Apache-2.0
// What proxies say of the clients behind them.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "service/request.hpp"

namespace strata::service {

/// The proxies that are believed. Nobody else can say where a request comes from.
class TrustedProxies {
 public:
  TrustedProxies() = default;
  /// `10.0.0.0/8`, `2001:db8::/32`, an address, or `unix`. Error `service.config` for what is none.
  explicit TrustedProxies(const std::vector<std::string>& networks);

  [[nodiscard]] bool trusts(std::string_view address) const;
  /// Replaces the address of a request that came from a trusted proxy by that of the client, and its base by how the
  /// client calls the service: `Forwarded` (RFC 7239), else `X-Forwarded-For`, `-Proto` and `-Host`. Read from the
  /// right, so that what clients send themselves is not believed.
  void apply(Request& request) const;

 private:
  struct Network {
    std::array<unsigned char, 16> bytes{};  ///< IPv4 as mapped into IPv6.
    unsigned bits = 0;
  };
  std::vector<Network> networks_;
  bool trusts_sockets_ = false;
};

/// Whether a text can be a host with its port.
[[nodiscard]] bool is_host(std::string_view text) noexcept;

}  // namespace strata::service
