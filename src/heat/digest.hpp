// Digests of texts, by which a state tells what has changed.
#pragma once

#include <string>
#include <string_view>

namespace strata::heat {

/// SHA-256 as 64 hexadecimal digits.
[[nodiscard]] std::string digest(std::string_view bytes);

}  // namespace strata::heat
