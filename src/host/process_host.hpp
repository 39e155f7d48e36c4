// The process as the host of its requests.
#pragma once

#include <memory>

#include "strata/host.hpp"
#include "strata/limits.hpp"

namespace strata {

/// Files and standard input of this process, and the network where `allow_network` says so. `limits` must outlive it.
[[nodiscard]] std::unique_ptr<Host> process_host(const Limits& limits, bool allow_network);

}  // namespace strata
