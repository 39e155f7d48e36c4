// SPDX-License-Identifier: Apache-2.0
// Standard output, on which results go, or the console of the thread.
#pragma once

#include <string>
#include <string_view>

namespace strata::cli {

/// Errors of all: `output.failed`.
void print(std::string_view text);
/// Prints what holds names of files and keys: on a terminal, control characters are escaped.
void print_for_people(const std::string& text);
/// What was printed is on its way.
void flush_output();

}  // namespace strata::cli
