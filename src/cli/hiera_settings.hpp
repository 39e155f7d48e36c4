// SPDX-License-Identifier: Apache-2.0
// The parts of Hiera's settings that come from the host.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "strata/file_bounds.hpp"
#include "strata/hiera.hpp"

namespace strata::cli {

/// Whether nothing of this process may be used: after close_hiera_host, and for queries of closed grounds.
[[nodiscard]] bool is_host_closed();
/// An environment variable of this process. No value: it is not set, or the host is closed.
[[nodiscard]] std::optional<std::string> host_variable(const std::string& name);

/// Settings with the working directory, environment variables and key files of this process; after close_hiera_host
/// without variables, and with key files of the tree. `bounds`: which key files may be read; null: all.
[[nodiscard]] hiera::Settings host_hiera_settings(const std::shared_ptr<const FileBounds>& bounds);

/// From now on hierarchies get nothing of this process: they are those of others. Called while there is one thread.
void close_hiera_host();

/// The folders that `--map` names. Errors: UsageError.
[[nodiscard]] std::vector<MappedFolder> mapped_folders(const std::vector<std::string>& options);

}  // namespace strata::cli
