// Findings as texts and data.
#pragma once

#include <string>

#include "strata/check.hpp"

namespace strata::analysis {

/// Of each finding, in order: what stays the same when unrelated lines change. Sixteen hexadecimal digits; equal ones get `-2`, `-3`.
[[nodiscard]] std::vector<std::string> fingerprints(const CheckReport& report);
[[nodiscard]] std::string check_text(const CheckReport& report);
/// `strata-check/1`.
[[nodiscard]] Value check_data(Arena& arena, const CheckReport& report);

}  // namespace strata::analysis
