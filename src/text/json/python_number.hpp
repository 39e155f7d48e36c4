// Floats as Python's json module writes them.
#pragma once

#include <string>

namespace strata::text {

/// The shortest digits that give the number back: `1.0`, `1e+20`, `1.5e-07`; `NaN`, `Infinity` and `-Infinity` for what is not finite.
[[nodiscard]] std::string python_json_number(double number);

}  // namespace strata::text
