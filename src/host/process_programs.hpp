// SPDX-License-Identifier: Apache-2.0
// Programs of this host.
#pragma once

#include <memory>

#include "strata/host.hpp"

namespace strata {

/// Runs programs, each in a process group of its own under a supervisor (supervisor.hpp), which ends with this process.
/// Changes no handler of signals and needs none. Thread-safe.
[[nodiscard]] std::unique_ptr<Programs> process_programs();

}  // namespace strata
