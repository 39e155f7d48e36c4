// How a later file's value of a parameter meets the earlier one, as strategies of the kernel.
#pragma once

#include <cstdint>
#include <string_view>

#include "heat/schema.hpp"
#include "strata/strategy.hpp"

namespace strata::heat {

/// The words that a file may give a parameter.
enum class MergeStrategy : std::uint8_t { overwrite, merge, deep_merge };
[[nodiscard]] std::string_view to_string(MergeStrategy kind) noexcept;

/// The strategy of a parameter's type. For `merge` and `deep_merge` new values have been through `checked_value`. Rule: docs/heat/compose.md,
/// "Merge strategies". One case does not show in shapes and fails here: a mapping of nulls that meets what is no mapping changes nothing.
[[nodiscard]] const merge::Strategy& kernel_strategy(ParameterType type, MergeStrategy kind);

/// The sections besides parameters: entries that are not null replace those of the same key.
[[nodiscard]] const merge::Strategy& one_level_strategy();

/// A level of the registry: entries replace those of the same key, null ones remove them.
[[nodiscard]] const merge::Strategy& registry_strategy();

/// Every entry, whatever its value, removes the one of its key.
[[nodiscard]] const merge::Strategy& removal_strategy();

}  // namespace strata::heat
