// What a process has beyond files of configuration: inputs that describe the request, and the network. A service has none of it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace strata {

/// A program to be run, without a shell.
struct Program {
  std::vector<std::string> words;                 ///< The program (without `/`: found on PATH) and its arguments.
  std::string input;                              ///< What it may read on its standard input.
  unsigned seconds = 30;                          ///< It is ended when it takes longer, with all that it started in its process group.
  std::size_t max_output = std::size_t{1} << 26;  ///< Bytes of its output, and of its errors.
};

/// What a program that was run came to.
struct ProgramResult {
  int status = 0;  ///< Its exit status; 128 and the signal's number where a signal ended it.
  std::string output;
  std::string errors;
};

/// Runs programs.
class Programs {
 public:
  virtual ~Programs() = default;
  /// Runs one and waits for its end. Errors: `program.start`, `program.timeout` and `limit.program-output`, with what it wrote to its errors.
  [[nodiscard]] virtual ProgramResult run(const Program& program) = 0;
};

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
  /// Programs of the host; null where none may be run.
  [[nodiscard]] virtual Programs* programs() { return nullptr; }
};

}  // namespace strata
