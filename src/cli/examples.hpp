// The end of each command's help.
#pragma once

#include "arguments.hpp"

namespace strata::cli {

/// Adds two examples and the page of the manual to the help of each command. `program` has all commands.
void add_examples(Arguments& program);

}  // namespace strata::cli
