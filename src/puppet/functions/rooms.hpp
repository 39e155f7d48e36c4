// SPDX-License-Identifier: Apache-2.0
// The groups of built-in functions; registry.cpp collects them.
#pragma once

#include <span>

#include "puppet/functions/registry.hpp"

namespace strata::puppet {

/// `next`, `break`, `return`.
[[nodiscard]] std::span<const BuiltinEntry> control_functions() noexcept;

[[nodiscard]] std::span<const BuiltinEntry> comparison_functions() noexcept;
[[nodiscard]] std::span<const BuiltinEntry> conversion_functions() noexcept;
[[nodiscard]] std::span<const BuiltinEntry> data_functions() noexcept;
[[nodiscard]] std::span<const BuiltinEntry> format_functions() noexcept;
[[nodiscard]] std::span<const BuiltinEntry> hash_functions() noexcept;
[[nodiscard]] std::span<const BuiltinEntry> iteration_functions() noexcept;
[[nodiscard]] std::span<const BuiltinEntry> iterator_functions() noexcept;
[[nodiscard]] std::span<const BuiltinEntry> list_functions() noexcept;
[[nodiscard]] std::span<const BuiltinEntry> logging_functions() noexcept;
[[nodiscard]] std::span<const BuiltinEntry> number_functions() noexcept;
[[nodiscard]] std::span<const BuiltinEntry> part_functions() noexcept;
[[nodiscard]] std::span<const BuiltinEntry> pattern_functions() noexcept;
[[nodiscard]] std::span<const BuiltinEntry> range_functions() noexcept;
[[nodiscard]] std::span<const BuiltinEntry> set_functions() noexcept;
[[nodiscard]] std::span<const BuiltinEntry> text_functions() noexcept;

}  // namespace strata::puppet
