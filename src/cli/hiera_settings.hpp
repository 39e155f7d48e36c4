// What Hiera has of the host, whoever asks it.
#pragma once

#include "strata/hiera.hpp"

namespace strata::cli {

/// Settings with the working folder, environment variables and key files of this process.
[[nodiscard]] hiera::Settings host_hiera_settings();

}  // namespace strata::cli
