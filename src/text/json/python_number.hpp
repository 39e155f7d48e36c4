// SPDX-License-Identifier: Apache-2.0
// Floats as Python's json module writes them.
#pragma once

#include <string>

namespace strata::text {

/// The shortest digits that read back as the same number: `1.0`, `1e+20`, `1.5e-07`; `NaN`, `Infinity` and `-Infinity`.
[[nodiscard]] std::string python_json_number(double number);

}  // namespace strata::text
