// SPDX-License-Identifier: Apache-2.0
// The files of the caller.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "strata/file_tree.hpp"
#include "strata/host.hpp"
#include "strata/strata.h"

namespace strata::c {

/// A tree over the functions of a caller, as they are at the moment. Error `call.files` where functions are missing.
[[nodiscard]] std::shared_ptr<const FileTree> caller_tree(const strata_files& files);

/// `tree`, whose relative paths count from `folder`, which is absolute.
[[nodiscard]] std::shared_ptr<const FileTree> anchored_tree(std::shared_ptr<const FileTree> tree, std::string folder);

/// What a question may ask of its host, if all that there is are files: nothing but these.
[[nodiscard]] std::unique_ptr<Host> files_host(std::shared_ptr<const FileTree> files);

/// The host of a process, whose relative names count from `folder` wherever the process goes. Standard input is the
/// program's: Error `call.options`.
[[nodiscard]] std::unique_ptr<Host> anchored_host(std::unique_ptr<Host> host, std::string folder,
                                                  std::size_t max_bytes);

}  // namespace strata::c
