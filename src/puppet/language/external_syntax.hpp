// SPDX-License-Identifier: Apache-2.0
// Checks heredocs that name a syntax: `@(END:json)`.
#pragma once

#include <string>
#include <string_view>

#include "strata/limits.hpp"

namespace strata::puppet {

/// Why a text violates a syntax. Empty: it does not, or the syntax is unknown. Known are json, yaml, and names that end
/// in `+json` or `+yaml`.
[[nodiscard]] std::string problem_of(std::string_view syntax, std::string_view text, const Limits& limits);

}  // namespace strata::puppet
