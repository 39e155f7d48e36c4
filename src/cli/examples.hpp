// What the help of each command ends with.
#pragma once

#include "arguments.hpp"

namespace strata::cli {

/// Gives the help of each command two examples and its page. `program` has all commands.
void add_examples(Arguments& program);

}  // namespace strata::cli
