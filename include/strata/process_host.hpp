// This process as the host of requests: its files, programs, plugins and network.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "strata/host.hpp"
#include "strata/limits.hpp"

namespace strata {

/// What a host may do.
struct ProcessHostOptions {
  bool allow_network = false;  ///< Whether texts may be fetched over the network (Host::network).
  /// A program that becomes the process of a plugin: one that calls `run_plugin_host` with its second and third argument where its first is
  /// kPluginHost, before anything else. Empty: there are no plugins here.
  std::string plugin_host = {};
  std::size_t plugin_memory = std::size_t{1} << 30U;  ///< Bytes that the process of a plugin may have as data.
};

/// Files and standard input of this process, programs and plugins as its children, and the network. `limits` must outlive it; `Limits::stop` ends
/// the reading of standard input too.
///
/// It works in any program: it installs no handlers of signals, raises no SIGPIPE, needs no SIGCHLD, and ends what it has started when this process
/// ends, however it does. Where SIGCHLD is ignored, or a handler reaps all children, one thing is not known: how a plugin ended that has crashed.
/// Thread-safe, but for standard input.
[[nodiscard]] std::unique_ptr<Host> process_host(const Limits& limits, ProcessHostOptions options = {});

/// The word that makes a program the process of a plugin: `PROGRAM plugin-host FILE BYTES`, with a socket as descriptor 3. It is for strata alone.
inline constexpr const char* kPluginHost = "plugin-host";

/// The process of a plugin: loads the library `file`, registers what it offers, and serves calls until the socket is closed. `memory`: bytes in
/// decimal digits. Gives the exit status.
int run_plugin_host(const char* file, const char* memory);

}  // namespace strata
