// SPDX-License-Identifier: Apache-2.0
// SHA-256.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace strata {

/// The digest of bytes. Errors: `crypto.unavailable`.
[[nodiscard]] std::array<unsigned char, 32> sha256(std::string_view bytes);
/// The same as 64 hexadecimal digits.
[[nodiscard]] std::string sha256_text(std::string_view bytes);

}  // namespace strata
