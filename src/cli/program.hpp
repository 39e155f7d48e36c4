// SPDX-License-Identifier: Apache-2.0
// A whole command line: `strata WORD…`, with the commands that are linked.
#pragma once

#include <string>
#include <vector>

namespace strata::cli {

/// Runs it, and returns the exit status. What it prints goes to the console of the thread, or to the standard streams.
/// Throws only what is a bug.
[[nodiscard]] int run_program(const std::vector<std::string>& words);

}  // namespace strata::cli
