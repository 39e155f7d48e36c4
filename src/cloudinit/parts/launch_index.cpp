// SPDX-License-Identifier: Apache-2.0
#include "launch_index.hpp"

#include <cmath>

#include "python_text.hpp"

namespace strata::cloudinit {

std::optional<std::string> launch_index(std::string_view text) { return integer_digits(text); }

std::optional<std::string> launch_index(const Value& root) {
  const Value* index = root.is_mapping() ? root.find("launch-index") : nullptr;
  if (index == nullptr) return std::nullopt;
  switch (index->kind()) {
    case Kind::boolean:
      return index->as_boolean() ? "1" : "0";
    case Kind::integer:
      return std::to_string(index->as_integer());
    case Kind::floating: {
      const double whole = std::trunc(index->as_floating());
      // No group has so many machines; and infinities have no integer.
      if (!(std::abs(whole) < 1e15)) return std::nullopt;
      return std::to_string(static_cast<long long>(whole));
    }
    case Kind::big_integer:
    case Kind::text:
    case Kind::binary:
      return integer_digits(index->text());
    default:
      return std::nullopt;
  }
}

}  // namespace strata::cloudinit
