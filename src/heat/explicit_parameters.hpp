// SPDX-License-Identifier: Apache-2.0
// Parameters given outside any file: `--parameter K=V`.
#pragma once

#include <span>
#include <string>

#include "strata/value.hpp"

namespace strata::heat {

/// Parses words `K=V` into a mapping. A single word is first split at `;`; several words are not. The first `=`
/// separates K and V; K may be empty. Values are texts. If K occurs several times, its value is the sequence of all its
/// values, at its first position. All have the origin `origin`. Error `heat.parameter-word` for a word without `=`.
/// Cost: linear.
[[nodiscard]] Value explicit_parameters(Arena& arena, std::span<const std::string> words, Origin origin);

}  // namespace strata::heat
