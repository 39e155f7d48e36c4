// SPDX-License-Identifier: Apache-2.0
// What gave data to environments and modules before hiera.yaml of version 5 did.
#pragma once

#include <string>

#include "strata/error.hpp"

namespace strata::hiera {

/// `environment_data_provider` of an environment.conf, or `data_provider` of a metadata.json.
struct DataProvider {
  std::string name;
  Diagnostic told;  ///< Says which one it is, and where it stands.
};

}  // namespace strata::hiera
