// Programs of this host.
#pragma once

#include <memory>

#include "strata/host.hpp"

namespace strata {

/// Runs programs as children of this process, each in a process group of its own.
[[nodiscard]] std::unique_ptr<Programs> process_programs();

}  // namespace strata
