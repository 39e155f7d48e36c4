// SPDX-License-Identifier: Apache-2.0
#include "command_host.hpp"

#include <utility>

#include "console.hpp"
#include "strata/process_host.hpp"

namespace strata::cli {

std::unique_ptr<Host> command_host(const Limits& limits, bool allows_network,
                                   std::shared_ptr<const FileBounds> bounds) {
  ProcessHostOptions options{.allow_network = allows_network, .plugin_host = "/proc/self/exe"};
  options.bounds = std::move(bounds);
  if (const Console* console = OnConsole::current()) {
    options.plugin_host = console->plugin_host;
    options.standard_input = console->read;
  }
  return process_host(limits, std::move(options));
}

}  // namespace strata::cli
