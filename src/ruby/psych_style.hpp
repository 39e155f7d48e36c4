// Which style Psych 4 asks its emitter for.
#pragma once

#include <cstdint>
#include <string_view>

namespace strata::ruby {

/// What Psych asks for; the emitter takes a stronger one where a text cannot be written so.
enum class PsychStyle : std::uint8_t {
  plain,
  single_quoted,
  double_quoted,
  literal,
  tagged,  ///< Single-quoted, with `!!str`: the text `<<`.
};

/// The style of a text in UTF-8. It is plain where Psych itself would read the text back, and for most texts that it would not: there the emitter
/// sees that the syntax does not allow it. Cost: linear.
[[nodiscard]] PsychStyle psych_style(std::string_view text) noexcept;

}  // namespace strata::ruby
