// SPDX-License-Identifier: Apache-2.0
// The launch index of a part: the machine of a group that it is for.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "strata/value.hpp"

namespace strata::cloudinit {

/// The index in a `Launch-Index` header or a `--launch-index` option, as normal decimal digits. No value if it is not
/// an integer.
[[nodiscard]] std::optional<std::string> launch_index(std::string_view text);

/// The index in the body of a cloud-config, under `launch-index`. No value if there is none or it is not a number.
[[nodiscard]] std::optional<std::string> launch_index(const Value& root);

}  // namespace strata::cloudinit
