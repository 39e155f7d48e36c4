// SPDX-License-Identifier: Apache-2.0
// Differences of two values in the form of the Python library DeepDiff 6.2.
#pragma once

#include <string>
#include <string_view>

#include "strata/limits.hpp"
#include "strata/value.hpp"

namespace strata::service::buckets {

/// A mapping of kinds of changes (`values_changed`, `dictionary_item_added`, …) to paths. Empty if nothing differs.
[[nodiscard]] Value deep_diff(const Value& before, const Value& after, const Limits& limits, Arena& arena);

/// The lines of two texts as a unified diff of difflib, without names.
[[nodiscard]] std::string line_diff(std::string_view before, std::string_view after, const Limits& limits);

}  // namespace strata::service::buckets
