// Plugins in processes of their own.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "strata/host.hpp"

namespace strata {

/// The word that makes a program a plugin's process: `PROGRAM plugin-host FILE BYTES`, with a socket as descriptor 3. It is for strata alone.
inline constexpr const char* kPluginHost = "plugin-host";

struct PluginOptions {
  std::string program = "/proc/self/exe";      ///< One that calls `run_plugin_host` where its first argument is kPluginHost.
  std::size_t memory = std::size_t{1} << 30U;  ///< Bytes that a plugin's process may have as data.
};

/// Starts processes with an own session, no open files but the socket, no core dumps and bounded memory; they end with the process that started them.
[[nodiscard]] std::unique_ptr<PluginStarter> plugin_starter(PluginOptions options = {});

/// The other end: loads the library, registers what it offers, and serves calls until the socket is closed. The exit status.
int run_plugin_host(const char* file, const char* memory);

}  // namespace strata
