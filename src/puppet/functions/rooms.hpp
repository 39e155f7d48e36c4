// The rooms of built-in functions; registry.cpp gathers them.
#pragma once

#include <span>

#include "puppet/functions/registry.hpp"

namespace strata::puppet {

/// `next`, `break`, `return`.
[[nodiscard]] std::span<const BuiltinEntry> control_functions() noexcept;

}  // namespace strata::puppet
