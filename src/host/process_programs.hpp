// Programs of this host.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "strata/host.hpp"

namespace strata {

/// Runs programs as children of this process, each in a process group of its own.
[[nodiscard]] std::unique_ptr<Programs> process_programs();

/// What a program wrote to its errors, for a message: the end of it, in one line, without characters that would steer a terminal.
[[nodiscard]] std::string shown_errors(std::string_view errors);

}  // namespace strata
