// Plugins in processes of their own.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "strata/host.hpp"

namespace strata {

struct PluginOptions {
  std::string program;                         ///< One that calls `run_plugin_host` where its first argument is kPluginHost.
  std::size_t memory = std::size_t{1} << 30U;  ///< Bytes that a plugin's process may have as data.
};

/// Starts processes with an own session, no open files but the socket, no core dumps and bounded memory; they end with the process that started them.
[[nodiscard]] std::unique_ptr<PluginStarter> plugin_starter(PluginOptions options);

}  // namespace strata
