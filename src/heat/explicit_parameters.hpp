// Parameters that are given outside of any file: `--parameter K=V`.
#pragma once

#include <span>
#include <string>

#include "strata/value.hpp"

namespace strata::heat {

/// The mapping that words `K=V` stand for. One word alone is split at `;` first, several are not. The first `=` splits; K may be empty. Values are
/// texts; a K that comes again makes a sequence of all its values, in order, at its first place. All have the origin `origin`.
/// Error `heat.parameter-word` for a word without `=`. Cost: linear.
[[nodiscard]] Value explicit_parameters(Arena& arena, std::span<const std::string> words, Origin origin);

}  // namespace strata::heat
