// SPDX-License-Identifier: Apache-2.0
// The parts of Hiera's settings that come from the host.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "strata/file_bounds.hpp"
#include "strata/hiera.hpp"

namespace strata::cli {

/// Settings with the working directory, environment variables and key files of this process; after close_hiera_host
/// without variables, and with key files of the tree. `bounds`: which key files may be read; null: all.
[[nodiscard]] hiera::Settings host_hiera_settings(const std::shared_ptr<const FileBounds>& bounds);

/// From now on hierarchies get nothing of this process: they are those of others. Called while there is one thread.
void close_hiera_host();

/// Adds `--map FROM=DIR`, whose values `options` collects.
void add_map_option(Arguments& command, std::vector<std::string>& options);
/// The folders that `--map` names. Errors: UsageError.
[[nodiscard]] std::vector<MappedFolder> mapped_folders(const std::vector<std::string>& options);

}  // namespace strata::cli
