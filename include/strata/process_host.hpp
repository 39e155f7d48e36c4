// SPDX-License-Identifier: Apache-2.0
// The process as Host of requests: its files, programs, plugins and network.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "strata/file_bounds.hpp"
#include "strata/host.hpp"
#include "strata/limits.hpp"

namespace strata {

/// What a host may do.
struct ProcessHostOptions {
  bool allow_network = false;  ///< Whether texts may be fetched over the network (Host::network).
  /// The program that becomes the process of a plugin. If its first argument is kPluginHost, it must call
  /// `run_plugin_host` with its second and third argument before it does anything else. Empty: no plugins.
  std::string plugin_host = {};
  std::size_t plugin_memory = std::size_t{1} << 30U;  ///< Limit of the data segment of a plugin process, in bytes.
  ReadMore standard_input = {};                       ///< What `-` is. Empty: the standard input of this process.
  std::shared_ptr<const FileBounds> bounds = {};      ///< Which files may be read. Null: all.
};

/// Files and standard input of this process, programs and plugins as child processes, and the network. `limits` must
/// outlive the host. `Limits::stop` also ends reading from standard input.
///
/// Works in any program: it installs no signal handlers, raises no SIGPIPE and does not need SIGCHLD. Everything that
/// it started ends when this process ends, in any way. If SIGCHLD is ignored, or a handler reaps all children, it
/// cannot report how a crashed plugin ended. Thread-safe, except for standard input.
[[nodiscard]] std::unique_ptr<Host> process_host(const Limits& limits, ProcessHostOptions options = {});

/// The argument that makes a program the process of a plugin: `PROGRAM plugin-host FILE BYTES`, with a socket as
/// descriptor 3. Only strata uses it.
inline constexpr const char* kPluginHost = "plugin-host";

/// Runs the process of a plugin: loads the library `file`, registers what it offers, and serves calls until the socket
/// is closed. `memory` is a number of bytes in decimal digits. Returns the exit status.
int run_plugin_host(const char* file, const char* memory);

}  // namespace strata
