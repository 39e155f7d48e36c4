// SPDX-License-Identifier: Apache-2.0
// Texts with names of others in them, as people may see them.
#pragma once

#include <string>
#include <string_view>

namespace strata {

/// A text with `\n` and `\r` for line breaks: names and messages must not look like lines of their own.
[[nodiscard]] std::string on_one_line(std::string_view text);
/// A text with `\xNN` for control characters (C0, DEL, C1) and for bytes that are not UTF-8; line breaks and tabs stay.
[[nodiscard]] std::string escaped(std::string_view text);

/// As `escaped`, for a text that comes in pieces: a character may be cut by the end of a piece.
class Escaper {
 public:
  /// The pieces so far, without the beginning of a character whose end is missing.
  [[nodiscard]] std::string add(std::string_view piece);
  /// What is left of a text that ends within a character.
  [[nodiscard]] std::string finish();

 private:
  std::string held_;  ///< The beginning of a character.
};

}  // namespace strata
