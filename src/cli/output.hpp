// SPDX-License-Identifier: Apache-2.0
// Standard output, on which results go, or the console of the thread.
#pragma once

#include <string_view>

namespace strata::cli {

// Errors of both: `output.failed`.

/// Prints a text, or a piece of one. On a terminal, control characters and bytes that are not UTF-8 are escaped, so
/// that no value and no name can change what a terminal does. Files, pipes and consoles get all bytes as they are.
void print(std::string_view text);
/// What was printed is on its way.
void flush_output();

}  // namespace strata::cli
