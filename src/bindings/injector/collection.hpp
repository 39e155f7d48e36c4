// How contributions meet: strategies of the kernel. Rule: docs/bindings-language.md, "Many contribute to one value".
#pragma once

#include "strata/strategy.hpp"

namespace strata::bindings {

/// Items of an array follow each other.
[[nodiscard]] const merge::Strategy& append_strategy();
/// Of a sequence that an empty one is merged into, each distinct item stays once, the first one.
[[nodiscard]] const merge::Strategy& distinct_strategy();
/// What came first stays.
[[nodiscard]] const merge::Strategy& first_strategy();
/// Hashes from the weakest up: members of the weaker one come first, those of the stronger one win.
[[nodiscard]] const merge::Strategy& hash_strategy();

}  // namespace strata::bindings
