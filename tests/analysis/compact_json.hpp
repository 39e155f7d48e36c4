// SPDX-License-Identifier: Apache-2.0
// Values as JSON in one line, for the tests of reports.
#pragma once

#include <string>

#include "strata/text.hpp"

namespace strata::analysis {

inline std::string json(const Value& value) { return text::write_json(value, {.sort_keys = false, .indent = -1}); }

}  // namespace strata::analysis
