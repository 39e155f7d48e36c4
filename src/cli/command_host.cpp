// SPDX-License-Identifier: Apache-2.0
#include "command_host.hpp"

#include <utility>

#include "console.hpp"
#include "strata/process_host.hpp"

namespace strata::cli {

std::unique_ptr<GatedHost> command_host(const Limits& limits, Permissions permissions,
                                        std::shared_ptr<const FileBounds> bounds, OnRefusal on_refusal) {
  ProcessHostOptions options{.allow_network = permissions.network, .plugin_host = "/proc/self/exe"};
  options.bounds = std::move(bounds);
  if (const Console* console = OnConsole::current()) {
    options.plugin_host = console->plugin_host;
    options.standard_input = console->read;
  }
  return std::make_unique<GatedHost>(process_host(limits, std::move(options)), permissions, on_refusal);
}

}  // namespace strata::cli
