// SPDX-License-Identifier: Apache-2.0
// Repositories of other people, in which nothing may lead to another place.
#pragma once

#include <string>

#include "git_library.hpp"
#include "strata/git_place.hpp"

namespace strata::git {

/// Opens a closed repository. Errors: `git.outside`, `git.no-repository`, `git.unavailable`.
///
/// libgit2 follows links, `gitdir:` and `commondir` files, alternates and includes wherever they lead, and has no
/// option against it. So the repository is looked through before it is opened, without following anything, and once
/// more after that: what was opened is what was looked at, even if it changes meanwhile.
[[nodiscard]] Owned<git_repository> open_closed(const GitPlace& place);

}  // namespace strata::git
