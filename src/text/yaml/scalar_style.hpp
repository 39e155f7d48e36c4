// SPDX-License-Identifier: Apache-2.0
// Chooses YAML's scalar styles for texts.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "strata/text.hpp"
#include "text/output_buffer.hpp"

namespace strata::text {

enum class ScalarStyle : std::uint8_t { plain, single_quoted, double_quoted, literal };

/// Chooses styles for the texts of one output.
class ScalarStyles {
 public:
  explicit ScalarStyles(const Profile& profile) noexcept;

  /// The most readable style in which `text` reads back as the same text with the profile, in block context.
  ///
  /// It quotes more than the profile requires: any text that a known profile reads as something else, so that other
  /// readers of the output see text too (`0o7`, `1e3`, `yes`, `y`). `literal` is for multi-line texts, if allowed.
  [[nodiscard]] ScalarStyle choose(std::string_view text, bool literal_allowed) const;

 private:
  [[nodiscard]] bool is_text_everywhere(std::string_view text) const noexcept;

  std::array<const Profile*, 4> profiles_;  ///< These must read a plain scalar as text. Null: unused.
  std::array<bool, 256> special_{};         ///< First characters of texts that one of them may read as something else.
};

/// The text in single quotes. It must not contain line breaks or characters that need escapes.
void append_single_quoted(OutputBuffer& out, std::string_view text);
/// The text in double quotes, in one line. Bytes that are not UTF-8 become U+FFFD.
void append_double_quoted(OutputBuffer& out, std::string_view text);

}  // namespace strata::text
