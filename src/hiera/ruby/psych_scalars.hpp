// Which style Psych 4 asks its emitter for, and what its reader would take a plain scalar for.
#pragma once

#include <cstdint>
#include <string_view>

namespace strata::hiera::ruby {

/// What Psych asks for; the emitter takes a stronger one where a text cannot be written so.
enum class PsychStyle : std::uint8_t {
  plain,
  single_quoted,
  double_quoted,
  literal,
  tagged,  ///< Single-quoted, with `!!str`: the text `<<`.
};

/// The style of a text. Cost: linear.
[[nodiscard]] PsychStyle psych_style(std::string_view text) noexcept;

/// Whether a plain scalar is text for Psych's reader, rather than a number, a date, a symbol and so on. Dates and times count only where they are
/// possible ones. Rule: spec/hiera.md section 7.
[[nodiscard]] bool reads_as_text(std::string_view text) noexcept;

}  // namespace strata::hiera::ruby
