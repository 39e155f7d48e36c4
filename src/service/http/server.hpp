// SPDX-License-Identifier: Apache-2.0
// The listeners of the service: HTTP/1.1 over TCP and Unix sockets.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "strata/service.hpp"

namespace strata::service {

class Identity;
class Log;
class Metrics;
class Service;

/// Where to listen, and for whom.
struct Listener {
  std::string address;  ///< `127.0.0.1:8787`, `[::1]:0`, `unix:PATH`, `fd:NUMBER` for a socket that was inherited.
  std::vector<std::string> faces = {};  ///< Those that are answered here. Empty: all.
  bool tls = false;
  std::optional<unsigned> mode =
      {};  ///< Permissions of a socket at a path. None: as the umask of the process leaves them.
};
/// Reads `ADDR:PORT[,tls][,faces=heat+deckhand]`, `unix:PATH[,mode=0660]`. Error `service.listen`.
[[nodiscard]] Listener read_listener(const std::string& text);
/// Whether only this machine can reach it.
[[nodiscard]] bool is_local(const Listener& listener);

/// The files of TLS.
struct TlsFiles {
  enum class ClientAuth : std::uint8_t { none, request, require };
  std::vector<std::string> certificates = {};  ///< Chains, PEM. The first is for clients that ask for no name.
  std::vector<std::string> keys = {};          ///< In the same order.
  std::string client_ca = {};
  ClientAuth client_auth = ClientAuth::none;
};

struct ServerOptions {
  std::vector<Listener> listeners;
  std::size_t loops = 0;    ///< 0: one a core.
  std::size_t workers = 0;  ///< As above.
  ServerLimits limits = {};
  TlsFiles tls = {};
  std::vector<std::string> trusted_proxies = {};  ///< Networks as `10.0.0.0/8`, addresses, `unix`.
};

/// Reads the files of TLS, and looks whether each address could be listened at, without listening: a line each, for
/// people. One where somebody listens already is told, for it may be the service that this one would follow. Errors:
/// Server.
[[nodiscard]] std::vector<std::string> look_at_listeners(const ServerOptions& options);

/// Closes a socket that was inherited. Returns its address, for people.
std::string close_inherited(int descriptor);

/// Listens from its construction on, until it is drained.
class Server {
 public:
  /// What is given must outlive the object. Errors: `service.listen`, `service.tls`.
  Server(Service& service, std::function<std::shared_ptr<const Identity>()> identity, Metrics& metrics, Log& log,
         ServerOptions options);
  /// Ends what is still in flight.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// The addresses with the ports that were given by the system.
  [[nodiscard]] const std::vector<std::string>& addresses() const noexcept;
  /// Reads the files of TLS anew; connections that are there keep what they have. Errors: `service.tls`.
  void reload();
  /// Whether all loops have turned in the last five seconds.
  [[nodiscard]] bool is_turning() const noexcept;
  /// No new connections and requests; answers end their connections, streams end.
  void drain();
  /// Waits for the connections to end. False: `time` is over.
  [[nodiscard]] bool wait(std::chrono::milliseconds time);

  class Shared;

 private:
  std::unique_ptr<Shared> shared_;
};

}  // namespace strata::service
