// SPDX-License-Identifier: Apache-2.0
#include "command_host.hpp"

#include "console.hpp"
#include "strata/process_host.hpp"

namespace strata::cli {

std::unique_ptr<Host> command_host(const Limits& limits, bool allows_network) {
  const Console* console = OnConsole::current();
  if (console == nullptr)
    return process_host(limits, {.allow_network = allows_network, .plugin_host = "/proc/self/exe"});
  return process_host(
      limits, {.allow_network = allows_network, .plugin_host = console->plugin_host, .standard_input = console->read});
}

}  // namespace strata::cli
