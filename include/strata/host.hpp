// SPDX-License-Identifier: Apache-2.0
// The process around a request: inputs that describe the request, programs, and the network. A service has no Host.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "strata/error.hpp"

namespace strata {

class FileTree;
class Stop;

/// A program to run, without a shell.
struct Program {
  std::vector<std::string> words;                 ///< The program (without `/`: found on PATH) and its arguments.
  std::string input;                              ///< What it may read on its standard input.
  unsigned seconds = 30;                          ///< It is ended when it takes longer, with all that it has started.
  std::size_t max_output = std::size_t{1} << 26;  ///< Bytes of its output, and of its errors.
  const Stop* stop = nullptr;  ///< When it must end at the latest (Limits::stop); null: only after `seconds`.
};

/// The result of running a program.
struct ProgramResult {
  int status = 0;     ///< Its exit status. If a signal ended it: 128 plus the signal's number.
  std::string ended;  ///< How it ended, for messages: `ended with status 1`, `was ended by signal 9 (Killed)`.
  std::string output;
  std::string errors;
  std::string said;  ///< The end of `errors` for messages: one line without control characters.
};

/// Runs programs. Thread-safe.
class Programs {
 public:
  virtual ~Programs() = default;
  /// Runs one and waits for its end, and for that of its outputs. Afterwards nothing is left of what it has started,
  /// however it ended. Errors: `program.start`, `program.timeout` and `limit.program-output`, with what it wrote to its
  /// errors; as Stop::check of `Program::stop`.
  [[nodiscard]] virtual ProgramResult run(const Program& program) = 0;
};

/// Fetches texts over the network. Thread-safe.
class Fetcher {
 public:
  virtual ~Fetcher() = default;
  /// The bytes at a URL. Errors: `include.network` if the scheme is not supported, `include.fetch` if fetching fails,
  /// `limit.input`; as Stop::check of `stop` (Limits::stop; null: only the fetcher's own timeout applies).
  [[nodiscard]] virtual std::string get(const std::string& url, const Stop* stop) = 0;
};

/// A POST request over HTTP.
struct HttpRequest {
  std::string url;
  std::string body;  ///< The body to send.
  std::string content_type = "application/json";
  std::string accept = "application/json";
  // PEM files of the host. Empty: none. Without `ca`, the certificates of the system apply.
  std::string ca;
  std::string certificate;
  std::string key;
  std::chrono::milliseconds connect_timeout{10'000};
  std::chrono::milliseconds timeout{60'000};      ///< For the whole request.
  std::size_t max_bytes = std::size_t{1} << 30U;  ///< Limit for the answer.
  /// Limits::stop: the request ends with it. Null: only `timeout` applies.
  const Stop* stop = nullptr;
};

/// A server's answer.
struct HttpAnswer {
  long status = 0;
  std::string body;
};

/// Sends HTTP requests. May keep connections open between requests. Thread-safe: any number of requests may run at
/// once.
class HttpClient {
 public:
  virtual ~HttpClient() = default;
  /// Supports http and https. Does not follow redirects: they are answers.
  /// Errors: `http.failed` without a response (connection, TLS, timeout, a key file), `http.unavailable` if the
  /// library is missing, `limit.input`. Each names the URL without user and password. As Stop::check of
  /// `HttpRequest::stop`.
  [[nodiscard]] virtual HttpAnswer post(const HttpRequest& request) = 0;
};

/// The connection to the process of a plugin, which is killed with all that it has started when the object goes. One
/// thread's at a time.
class PluginConnection {
 public:
  using Clock = std::chrono::steady_clock;

  virtual ~PluginConnection() = default;
  /// Sends all bytes. False if the other end has closed, or does not read before `deadline`. Errors: as Stop::check of
  /// `stop`, which may be null.
  [[nodiscard]] virtual bool send(std::string_view bytes, Clock::time_point deadline, const Stop* stop) = 0;
  /// Receives exactly `size` bytes. No value if the other end has closed or `deadline` has passed. Errors: as `send`.
  [[nodiscard]] virtual std::optional<std::string> receive(std::size_t size, Clock::time_point deadline,
                                                           const Stop* stop) = 0;
  /// Kills the process, waits, and reports how it ended: `it was ended by signal 11 (Segmentation fault)`; `running` if
  /// it was still running.
  [[nodiscard]] virtual std::string end() = 0;
};

/// Starts plugin processes (docs/bindings/extensions.md, "Plugins"). Thread-safe.
class PluginStarter {
 public:
  virtual ~PluginStarter() = default;
  /// Starts a process that loads the library `file` and speaks the protocol of plugin/wire.hpp. Errors:
  /// `extension.process`.
  [[nodiscard]] virtual std::unique_ptr<PluginConnection> start(const std::string& file) = 0;
};

/// Files with the keys of encrypted values (eyaml).
struct KeyFiles {
  std::string private_key;
  std::string public_key = {};  ///< A certificate. Empty: none.
  /// Reads one of them. No value: it is not there.
  std::function<std::optional<std::string>(const std::string& path)> read = {};
};

/// Returns the next bytes of a text, any number of them; an empty string at the end.
using ReadMore = std::function<std::string()>;

/// Permissions of files of configuration, which may come from the repository of a stranger.
struct Permissions {
  bool programs = false;  ///< Runs programs that files name: an ENC (`enc_command`), plugins. Lua needs no permission.
  bool network = false;   ///< Contacts servers that files name: PuppetDB, includes and files over http and https.

  [[nodiscard]] friend Permissions operator|(Permissions left, Permissions right) noexcept {
    return {.programs = left.programs || right.programs, .network = left.network || right.network};
  }
};

/// Something that files ask for and that a host does not do.
struct Refusal {
  enum class Kind : std::uint8_t { program, server };
  Kind kind = Kind::program;
  std::string what;    ///< For messages: `the ENC ./enc.sh is not run`, `PuppetDB at http://db is not queried`.
  Excerpt where = {};  ///< Where the files ask for it. Empty: not known.
};

/// The process around a request. Only the composition root passes it, or parts of it, to dialects.
class Host {
 public:
  virtual ~Host() = default;
  /// The bytes of a file that describes the node or the request. No value if the file does not exist. `-` is standard
  /// input, which can be read only once. Errors: `host.stdin-twice`, `tree.unreadable`, `limit.input`.
  [[nodiscard]] virtual std::optional<std::string> find(const std::string& name) = 0;
  /// The same for a file that must exist: Error `host.missing`.
  [[nodiscard]] std::string read(const std::string& name) {
    auto bytes = find(name);
    if (!bytes) throw Error("host.missing", "there is no such file").in(name);
    return std::move(*bytes);
  }
  /// A file that must exist, in pieces: for long lists. Not counted as read. Errors: as `read`, also while it is read.
  [[nodiscard]] virtual ReadMore open(const std::string& name) {
    return [text = std::optional(read(name))]() mutable {
      return std::exchange(text, std::nullopt).value_or(std::string());
    };
  }
  /// The files that describe nodes, for folders of them. Null: there are none.
  [[nodiscard]] virtual const FileTree* files() { return nullptr; }
  /// Bytes read by `find` so far. They are input of the request (Snapshot::add_input).
  [[nodiscard]] virtual std::size_t bytes_read() const noexcept { return 0; }
  /// The keys that open encrypted values, instead of those that configurations name. Null: those that they name.
  [[nodiscard]] virtual const KeyFiles* key_files() const noexcept { return nullptr; }
  /// The network. Null: no network access.
  [[nodiscard]] virtual Fetcher* network() = 0;
  /// For servers that the configuration names (PuppetDB). Null: none may be asked.
  [[nodiscard]] virtual HttpClient* http() { return nullptr; }
  /// For plugins that the configuration names. Null: no plugins.
  [[nodiscard]] virtual PluginStarter* plugins() { return nullptr; }
  /// Programs of the host. Null: none may be run.
  [[nodiscard]] virtual Programs* programs() { return nullptr; }
  /// Files ask for something that needs one of those that are null. True: the request continues without it, and warns
  /// (refusal.hpp). False: that is an error. Thread-safe.
  [[nodiscard]] virtual bool leaves_out(const Refusal& /*refusal*/) { return false; }
  /// A hint: how the user allows what was refused. Empty: the user cannot.
  [[nodiscard]] virtual std::string way_to_allow(Refusal::Kind /*kind*/) const { return {}; }
};

}  // namespace strata
