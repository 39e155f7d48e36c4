// SPDX-License-Identifier: Apache-2.0
// Checks configurations of cloud-init for strata check.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "strata/analysis.hpp"
#include "strata/cloudinit.hpp"
#include "strata/session.hpp"

namespace strata::cli {

/// Configurations, and what they are checked against.
struct CheckedConfigs {
  std::string schema;  ///< A file; `builtin`: the table of strata; empty: the schema of the installed cloud-init.
  cloudinit::ConfigType type = cloudinit::ConfigType::cloud_config;
  std::vector<Value> documents;  ///< Parts, and the result that is made of them at the end.
};

/// As Outcome::misfits: checks the documents when it is called. Values belong to `session`, which must outlive it. A
/// schema that cannot be used is one of Misfits::failed. Rule: docs/analysis/check.md, "The schema of cloud-init".
[[nodiscard]] std::function<analysis::Misfits(analysis::MisfitContext&)> cloud_config_misfits(CheckedConfigs configs,
                                                                                              Session& session);

}  // namespace strata::cli
