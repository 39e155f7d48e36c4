// SPDX-License-Identifier: Apache-2.0
// URLs in messages.
#pragma once

#include <string>
#include <string_view>

namespace strata {

/// Whether a name of a file is a URL: a scheme, then `://`. No path of a file in use has that.
[[nodiscard]] bool is_url(std::string_view name) noexcept;
/// A URL without user and passwords, which only the server may know; a `password=` among its members has no value.
/// Other texts lose the latter, too.
[[nodiscard]] std::string shown_url(std::string_view url);

}  // namespace strata
