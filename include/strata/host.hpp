// What a process has beyond files of configuration: inputs that describe the request, and the network. A service has none of it.
#pragma once

#include <string>

namespace strata {

/// Where texts over the network come from.
class Fetcher {
 public:
  virtual ~Fetcher() = default;
  /// The bytes at a URL. Errors: `include.network` where the scheme is not supported, `include.fetch` where they cannot be had, `limit.input`.
  [[nodiscard]] virtual std::string get(const std::string& url) = 0;
};

/// The process around a request. Dialects get it, or parts of it, from the composition root alone.
class Host {
 public:
  virtual ~Host() = default;
  /// The bytes of a file that describes the node or the request; `-` is standard input, which is read once and may be asked for once.
  /// Errors: `host.missing`, `host.stdin-twice`, `tree.unreadable`, `limit.input`.
  [[nodiscard]] virtual std::string read(const std::string& name) = 0;
  /// The network; null where it is not allowed.
  [[nodiscard]] virtual Fetcher* network() = 0;
};

}  // namespace strata
