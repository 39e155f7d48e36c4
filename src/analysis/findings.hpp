// SPDX-License-Identifier: Apache-2.0
// What the reports of a check have in common.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "strata/check.hpp"

namespace strata::analysis {

struct Counts {
  std::array<std::size_t, 3> told = {};  ///< By severity.
  std::size_t silenced = 0;
};
[[nodiscard]] Counts counts_of(const CheckReport& report);
/// `1 error, 2 warnings, 0 notes; 3 suppressed`, as a line.
[[nodiscard]] std::string summary_of(const CheckReport& report);
/// The name of a file from CheckReport::root.
[[nodiscard]] std::string file_from_root(const CheckReport& report, const std::string& file);
/// What is wrong and what to do, in one text.
[[nodiscard]] std::string message_of(const Finding& finding);
/// The numbers of all findings: errors, warnings, notes, then the silenced ones in the same way.
[[nodiscard]] std::vector<std::size_t> by_severity(const CheckReport& report);

}  // namespace strata::analysis
