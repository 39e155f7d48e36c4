// Which of YAML's scalar styles a text is written in.
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

  /// The most readable style in which `text` reads back as that text under the profile, in block context.
  ///
  /// It is more careful than the profile asks for: what any of the known profiles takes for something else than text is quoted too, so that other
  /// readers of the output see text as well (`0o7`, `1e3`, `yes`, `y`). `literal` is for texts of several lines, where it is allowed.
  [[nodiscard]] ScalarStyle choose(std::string_view text, bool literal_allowed) const;

 private:
  [[nodiscard]] bool is_text_everywhere(std::string_view text) const noexcept;

  std::array<const Profile*, 4> profiles_;  ///< Those that must read a plain scalar as text; null pointer: no further one.
  std::array<bool, 256> special_{};         ///< First characters of what one of them may take for something else.
};

/// The text between single quotes; it must have neither line breaks nor characters that need escapes.
void append_single_quoted(OutputBuffer& out, std::string_view text);
/// The text between double quotes, in one line; bytes that are not UTF-8 become U+FFFD.
void append_double_quoted(OutputBuffer& out, std::string_view text);

}  // namespace strata::text
