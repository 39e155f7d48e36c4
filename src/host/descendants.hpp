// SPDX-License-Identifier: Apache-2.0
// All processes that come of a child: also those that have left its process group, or whose parents are gone.
#pragma once

namespace strata {

/// From now on this process is the parent of every descendant whose own parent ends. For processes whose only work is
/// to watch others.
void adopt_descendants() noexcept;

/// Kills all children of this process and, as they are adopted, all that they have started, and reaps them. Gives up
/// after 10 seconds: on processes of other users, and where there is no /proc. Async-signal-safe.
void kill_descendants() noexcept;

}  // namespace strata
