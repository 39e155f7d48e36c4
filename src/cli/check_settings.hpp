// SPDX-License-Identifier: Apache-2.0
// What a check looks for, by its options and `.strata-check.yaml`.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "strata/check.hpp"
#include "strata/error.hpp"
#include "strata/file_tree.hpp"
#include "strata/limits.hpp"
#include "strata/silencing.hpp"

namespace strata::cli {

/// The codes in lists like `a,check.b`. Throws UsageError for unknown ones.
[[nodiscard]] std::vector<std::string> codes_in(const std::vector<std::string>& lists);

/// The codes that are looked for. `selected`, `ignored`: of the options.
[[nodiscard]] std::set<std::string, std::less<>> wanted_codes(std::vector<std::string> selected,
                                                              const std::vector<std::string>& ignored,
                                                              const analysis::CheckConfig& config);

/// Leaves out the codes that need a fleet. Returns the warning about those that such results can have. No value: there
/// are none.
[[nodiscard]] std::optional<Diagnostic> leave_out_fleet_codes(analysis::CheckSettings& settings,
                                                              const query::Traits& traits);

/// The folder of the `.strata.yaml` that counts for `folder`. Empty: there is none.
[[nodiscard]] std::string project_folder(const FileTree& tree, const std::string& folder);

/// The configuration of checks: `file`, or where that is empty the one beside the `.strata.yaml` that counts for
/// `folder`, or in `folder`. Errors: `check.config`.
[[nodiscard]] analysis::CheckConfig check_configuration(const std::string& file, const std::string& folder,
                                                        const FileTree& tree, const Limits& limits);

/// A file that must be there. Error `code`.
[[nodiscard]] std::string read_needed(const FileTree& tree, const std::string& path, const std::string& code);

}  // namespace strata::cli
