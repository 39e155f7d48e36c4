// SPDX-License-Identifier: Apache-2.0
// What the tests of trees share.
#pragma once

#include <string>
#include <vector>

namespace strata {

using Names = std::vector<std::string>;

/// The shell function `git`: independent of the user's configuration. It prints the log of a command that fails.
constexpr const char* kGit =
    "git() { HOME=/nonexistent GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a "
    "GIT_COMMITTER_EMAIL=a@b command git "
    "-c init.defaultBranch=main -c protocol.file.allow=always \"$@\" >\"$LOG\" 2>&1 || { cat \"$LOG\"; return 1; }; "
    "}\n";

}  // namespace strata
