// SPDX-License-Identifier: Apache-2.0
#include "text/json/python_number.hpp"

#include <cmath>

#include "strata/scalar_text.hpp"

namespace strata::text {

std::string python_json_number(double number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number > 0 ? "Infinity" : "-Infinity";
  std::string out = float_text(number);
  // YAML needs a point before an exponent, Python writes none.
  if (const std::size_t point = out.find(".0e"); point != std::string::npos) out.erase(point, 2);
  return out;
}

}  // namespace strata::text
