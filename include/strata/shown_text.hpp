// SPDX-License-Identifier: Apache-2.0
// Texts with names of others in them, as people may see them.
#pragma once

#include <string>
#include <string_view>

namespace strata {

/// A text with `\n` and `\r` for line breaks: names and messages must not look like lines of their own.
[[nodiscard]] std::string on_one_line(std::string_view text);
/// A text with `\xNN` for control characters; line breaks and tabs stay.
[[nodiscard]] std::string escaped(std::string_view text);

}  // namespace strata
