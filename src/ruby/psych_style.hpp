// SPDX-License-Identifier: Apache-2.0
// The style that Psych requests from its emitter.
#pragma once

#include <cstdint>
#include <string_view>

#include "ruby/ruby.hpp"

namespace strata::ruby {

/// The requested style. The emitter uses a stronger one if the text requires it.
enum class PsychStyle : std::uint8_t {
  plain,
  single_quoted,
  double_quoted,
  literal,
  tagged,  ///< Single-quoted, with `!!str`: the text `<<`.
};

/// The style of a UTF-8 text. It is plain if Psych would read the text back, and for most texts that it would not: the
/// emitter then finds that the syntax does not allow plain style. Cost: linear.
[[nodiscard]] PsychStyle psych_style(std::string_view text, Release release) noexcept;

}  // namespace strata::ruby
