// SPDX-License-Identifier: Apache-2.0
// Where a command prints and reads that does not run in the program of its own: in a call of the C interface.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "strata/host.hpp"
#include "strata/stop.hpp"

namespace strata::cli {

/// Stands for the standard streams of the process. No terminal: nothing is escaped, coloured, or fitted to a width.
struct Console {
  std::function<void(std::string_view text)> print;  ///< Results. Errors: `output.failed`.
  std::function<void(std::string_view text)> tell;   ///< What is told about them. Throws nothing.
  ReadMore read;                                     ///< Standard input.
  std::string plugin_host = {};                      ///< As ProcessHostOptions::plugin_host.
  const Stop* stop = nullptr;                        ///< Ends the command. Null: nothing does.
  Stop::Clock::time_point start = Stop::Clock::now();
};

/// While it exists, commands of this thread use a console. It must outlive the object.
class OnConsole {
 public:
  explicit OnConsole(const Console& console) noexcept;
  ~OnConsole();
  OnConsole(const OnConsole&) = delete;
  OnConsole& operator=(const OnConsole&) = delete;
  /// That of this thread. Null: the standard streams of the process, which is the program.
  [[nodiscard]] static const Console* current() noexcept;
  /// What ends the commands of this thread. Null: nothing does.
  [[nodiscard]] static const Stop* stop() noexcept;

 private:
  const Console* before_;
};

}  // namespace strata::cli
