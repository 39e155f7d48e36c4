// The parts of Hiera's settings that come from the host.
#pragma once

#include "strata/hiera.hpp"

namespace strata::cli {

/// Settings with the working directory, environment variables and key files of this process.
[[nodiscard]] hiera::Settings host_hiera_settings();

}  // namespace strata::cli
