// What a process has beyond files of configuration: inputs that describe the request, and the network. A service has none of it.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "strata/error.hpp"

namespace strata {

class Stop;

/// A program to be run, without a shell.
struct Program {
  std::vector<std::string> words;                 ///< The program (without `/`: found on PATH) and its arguments.
  std::string input;                              ///< What it may read on its standard input.
  unsigned seconds = 30;                          ///< It is ended when it takes longer, with all that it has started.
  std::size_t max_output = std::size_t{1} << 26;  ///< Bytes of its output, and of its errors.
  const Stop* stop = nullptr;                     ///< When it must end at the latest (Limits::stop); null: only after `seconds`.
};

/// What a program that was run came to.
struct ProgramResult {
  int status = 0;     ///< Its exit status; 128 and the signal's number where a signal ended it.
  std::string ended;  ///< How it ended, for a message: `ended with status 1`, `was ended by signal 9 (Killed)`.
  std::string output;
  std::string errors;
  std::string said;  ///< The end of `errors` for a message: one line, without characters that would steer a terminal.
};

/// Runs programs. Thread-safe.
class Programs {
 public:
  virtual ~Programs() = default;
  /// Runs one and waits for its end, and for that of its outputs. Afterwards nothing is left of what it has started, however it ended.
  /// Errors: `program.start`, `program.timeout` and `limit.program-output`, with what it wrote to its errors; as Stop::check of `Program::stop`.
  [[nodiscard]] virtual ProgramResult run(const Program& program) = 0;
};

/// Where texts over the network come from. Thread-safe.
class Fetcher {
 public:
  virtual ~Fetcher() = default;
  /// The bytes at a URL. Errors: `include.network` where the scheme is not supported, `include.fetch` where they cannot be had, `limit.input`;
  /// as Stop::check of `stop` (Limits::stop; null: only its own time ends it).
  [[nodiscard]] virtual std::string get(const std::string& url, const Stop* stop) = 0;
};

/// One question over HTTP.
struct HttpRequest {
  std::string url;
  std::string body;  ///< It is a POST of this.
  std::string content_type = "application/json";
  std::string accept = "application/json";
  // Files of the host with PEM; empty: none. Without `ca` the system's certificates count.
  std::string ca;
  std::string certificate;
  std::string key;
  std::chrono::milliseconds connect_timeout{10'000};
  std::chrono::milliseconds timeout{60'000};      ///< Of all of it.
  std::size_t max_bytes = std::size_t{1} << 30U;  ///< Of the answer.
  const Stop* stop = nullptr;                     ///< When it must end at the latest (Limits::stop); null: only after `timeout`.
};

/// What a server said.
struct HttpAnswer {
  long status = 0;
  std::string body;
};

/// Asks servers. Connections may be kept between requests. Thread-safe: any number of requests may be under way at once.
class HttpClient {
 public:
  virtual ~HttpClient() = default;
  /// http and https; redirects are answers. Errors: `http.failed` where there is no answer (connection, TLS, time, a file of keys),
  /// `http.unavailable` where the library is missing, `limit.input`; each names the URL, without user and password. As Stop::check of
  /// `HttpRequest::stop`.
  [[nodiscard]] virtual HttpAnswer post(const HttpRequest& request) = 0;
};

/// The connection to the process of a plugin, which is killed with all that it has started when the object goes. One thread's at a time.
class PluginConnection {
 public:
  using Clock = std::chrono::steady_clock;

  virtual ~PluginConnection() = default;
  /// Sends all of it. False where the other end is gone, or does not read before `deadline`. Errors: as Stop::check of `stop`, which may be null.
  [[nodiscard]] virtual bool send(std::string_view bytes, Clock::time_point deadline, const Stop* stop) = 0;
  /// Exactly `size` bytes, none where the other end is gone or the time is over. Errors: as of `send`.
  [[nodiscard]] virtual std::optional<std::string> receive(std::size_t size, Clock::time_point deadline, const Stop* stop) = 0;
  /// Kills it, waits, and says how it ended: `it was ended by signal 11 (Segmentation fault)`; `running` where it had to be killed.
  [[nodiscard]] virtual std::string end() = 0;
};

/// Starts the processes of plugins (docs/bindings/extensions.md, "Plugins"). Thread-safe.
class PluginStarter {
 public:
  virtual ~PluginStarter() = default;
  /// A process that loads the library `file` and then speaks the protocol of plugin/wire.hpp. Errors: `extension.process`.
  [[nodiscard]] virtual std::unique_ptr<PluginConnection> start(const std::string& file) = 0;
};

/// The process around a request. Dialects get it, or parts of it, from the composition root alone.
class Host {
 public:
  virtual ~Host() = default;
  /// The bytes of a file that describes the node or the request, none where there is no such file; `-` is standard input, which is read once and may
  /// be asked for once. Errors: `host.stdin-twice`, `tree.unreadable`, `limit.input`.
  [[nodiscard]] virtual std::optional<std::string> find(const std::string& name) = 0;
  /// The same of a file that must be there: error `host.missing`.
  [[nodiscard]] std::string read(const std::string& name) {
    auto bytes = find(name);
    if (!bytes) throw Error("host.missing", "there is no such file").in(name);
    return std::move(*bytes);
  }
  /// Bytes of what was found so far: input of the requests that it describes (Snapshot::add_input).
  [[nodiscard]] virtual std::size_t bytes_read() const noexcept { return 0; }
  /// The network; null where it is not allowed.
  [[nodiscard]] virtual Fetcher* network() = 0;
  /// Servers that configuration names (PuppetDB); null where there are none.
  [[nodiscard]] virtual HttpClient* http() { return nullptr; }
  /// Processes for plugins that configuration names; null where there are none.
  [[nodiscard]] virtual PluginStarter* plugins() { return nullptr; }
  /// Programs of the host; null where none may be run.
  [[nodiscard]] virtual Programs* programs() { return nullptr; }
};

}  // namespace strata
