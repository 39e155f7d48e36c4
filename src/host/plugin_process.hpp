// SPDX-License-Identifier: Apache-2.0
// Plugins in separate processes.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "strata/host.hpp"

namespace strata {

struct PluginOptions {
  std::string program;  ///< A program that calls `run_plugin_host` if its first argument is kPluginHost.
  std::size_t memory = std::size_t{1} << 30U;  ///< Limit of the data segment of a plugin process, in bytes.
};

/// Starts processes with their own session, no open files but the socket, no core dumps and limited memory. They end
/// with the starting process.
[[nodiscard]] std::unique_ptr<PluginStarter> plugin_starter(PluginOptions options);

}  // namespace strata
