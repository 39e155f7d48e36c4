// SPDX-License-Identifier: Apache-2.0
// What `--version` prints.
#pragma once

#include <string>

namespace strata::cli {

/// The version. `verbose`: also the versions of the dialects' behaviour.
[[nodiscard]] std::string version_text(bool verbose);

}  // namespace strata::cli
