// What `--version` prints.
#pragma once

#include <string>

namespace strata::cli {

/// The version; `verbose`: also of each dialect, whose behaviour has a version of its own.
[[nodiscard]] std::string version_text(bool verbose);

}  // namespace strata::cli
