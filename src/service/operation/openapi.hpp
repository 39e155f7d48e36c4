// SPDX-License-Identifier: Apache-2.0
// The description of strata's own API: docs/api/openapi.yaml, compiled into the program.
#pragma once

#include <string>
#include <string_view>

namespace strata::service {

/// The document as it is written.
[[nodiscard]] std::string_view openapi_yaml() noexcept;
/// The document as JSON. Made once.
[[nodiscard]] const std::string& openapi_json();

}  // namespace strata::service
