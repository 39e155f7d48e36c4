// Digests of texts. A state uses them to find changes.
#pragma once

#include <string>
#include <string_view>

namespace strata::heat {

/// SHA-256 as 64 hexadecimal digits.
[[nodiscard]] std::string digest(std::string_view bytes);

}  // namespace strata::heat
