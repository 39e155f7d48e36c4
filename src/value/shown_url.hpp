// URLs in messages.
#pragma once

#include <string>
#include <string_view>

namespace strata {

/// Whether a name of a file is a URL: a scheme, then `://`. No path of a file in use has that.
[[nodiscard]] bool is_url(std::string_view name) noexcept;
/// A URL without user and password, which only the server may know.
[[nodiscard]] std::string shown_url(std::string_view url);

}  // namespace strata
