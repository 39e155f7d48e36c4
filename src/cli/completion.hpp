// SPDX-License-Identifier: Apache-2.0
// What can stand where a command line is being typed.
#pragma once

#include <string>
#include <vector>

#include "command.hpp"

namespace strata::cli {

/// Adds the words that can stand in place of the last one, which may be empty or begun; all of them begin with it.
/// `words`: without the name of the program. The tables of the command line say what is possible; files of the project
/// say which keys, nodes and revisions there are. Reads files only. Throws Error, UsageError: what was added counts.
void complete(const std::vector<std::string>& words, const AddSuggestion& add);

}  // namespace strata::cli
