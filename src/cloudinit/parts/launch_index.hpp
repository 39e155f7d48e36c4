// The launch index of a part: for which machine of a group it is meant.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "strata/value.hpp"

namespace strata::cloudinit {

/// The index that a `Launch-Index` header or a `--launch-index` option gives, as normal decimal digits; none where it is no integer.
[[nodiscard]] std::optional<std::string> launch_index(std::string_view text);

/// The index that the body of a cloud-config gives under `launch-index`; none where there is none or it is no number.
[[nodiscard]] std::optional<std::string> launch_index(const Value& root);

}  // namespace strata::cloudinit
