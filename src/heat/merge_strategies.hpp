// SPDX-License-Identifier: Apache-2.0
// How a later file's value of a parameter is merged into the earlier one, as strategies of the kernel.
#pragma once

#include <cstdint>
#include <string_view>

#include "heat/schema.hpp"
#include "strata/strategy.hpp"

namespace strata::heat {

/// The strategy names that a file can give a parameter.
enum class MergeStrategy : std::uint8_t { overwrite, merge, deep_merge };
[[nodiscard]] std::string_view to_string(MergeStrategy kind) noexcept;

/// The strategy for a parameter's type. For `merge` and `deep_merge`, new values have been through `checked_value`.
/// Rule: docs/heat/compose.md, "Merge strategies". One case is not visible in shapes and fails here: merging a mapping
/// of nulls into a value that is not a mapping changes nothing.
[[nodiscard]] const merge::Strategy& kernel_strategy(ParameterType type, MergeStrategy kind);

/// For the sections besides parameters: entries that are not null replace those with the same key.
[[nodiscard]] const merge::Strategy& one_level_strategy();

/// For a level of the registry: entries replace those with the same key, null entries remove them.
[[nodiscard]] const merge::Strategy& registry_strategy();

/// Every entry, whatever its value, removes the one with its key.
[[nodiscard]] const merge::Strategy& removal_strategy();

}  // namespace strata::heat
