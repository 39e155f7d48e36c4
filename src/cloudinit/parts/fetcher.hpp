// Where includes over the network come from.
#pragma once

#include <string>

namespace strata::cloudinit {

class Fetcher {
 public:
  virtual ~Fetcher() = default;
  /// The bytes at a location. Errors: `include.network` where the scheme is not supported, `include.fetch` where they cannot be had, `limit.input`.
  [[nodiscard]] virtual std::string get(const std::string& url) = 0;
};

}  // namespace strata::cloudinit
