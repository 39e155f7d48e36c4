// Heredocs that name the syntax of their text: `@(END:json)`.
#pragma once

#include <string>
#include <string_view>

#include "strata/limits.hpp"

namespace strata::puppet {

/// Why a text is not of a syntax; empty: it is, or nothing is known of the syntax. Known are json and yaml, and what ends in `+json` or `+yaml`.
[[nodiscard]] std::string problem_of(std::string_view syntax, std::string_view text, const Limits& limits);

}  // namespace strata::puppet
