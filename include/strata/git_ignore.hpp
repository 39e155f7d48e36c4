// SPDX-License-Identifier: Apache-2.0
// What git leaves out of a work tree.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace strata {

/// Which files and folders of the host `.gitignore` and the like leave out, in the repository around `start` (empty:
/// the working directory). Takes absolute paths; those outside the repository are not left out. Null if there is no
/// repository, if git does not trust it, or without libgit2. For each pattern a call costs at most the product of the
/// sizes of the pattern and the path. Errors of a call: those of Stop::check, for the work of the thread. One thread's
/// at a time.
[[nodiscard]] std::function<bool(std::string_view path)> ignored_by_git(const std::string& start = {});

}  // namespace strata
