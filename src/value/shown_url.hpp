// URLs in messages.
#pragma once

#include <string>
#include <string_view>

namespace strata {

/// A URL without user and password, which only the server may know.
[[nodiscard]] std::string shown_url(std::string_view url);

}  // namespace strata
