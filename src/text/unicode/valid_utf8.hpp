// SPDX-License-Identifier: Apache-2.0
// Texts that are not UTF-8, made so.
#pragma once

#include <string>
#include <string_view>

namespace strata::text::unicode {

/// A text in which each byte that is not part of UTF-8 is U+FFFD.
[[nodiscard]] std::string with_replacements(std::string_view text);

}  // namespace strata::text::unicode
