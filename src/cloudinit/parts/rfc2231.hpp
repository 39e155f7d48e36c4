// SPDX-License-Identifier: Apache-2.0
// Parameters of structured header values (`attachment; filename="a"; x*=utf-8''b`), as Python's email package reads
// them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace strata::cloudinit {

/// The value of the first parameter with this name (lower case) in a header value: unquoted, RFC 2231 continuations
/// joined and decoded to UTF-8. No value if there is none. The beginning of the header value (`attachment`) counts as a
/// parameter too. Cost: linear.
[[nodiscard]] std::optional<std::string> header_parameter(std::string_view header_value, std::string_view name);

/// `name="value"`; `name*=utf-8''value` if the value is not ASCII; the bare name if it is empty.
[[nodiscard]] std::string format_parameter(std::string_view name, std::string_view value);

}  // namespace strata::cloudinit
