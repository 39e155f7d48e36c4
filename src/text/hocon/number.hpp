// SPDX-License-Identifier: Apache-2.0
// Numbers of HOCON, as the hocon gem parses them with Ruby's Integer() and Float().
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "strata/value.hpp"

namespace strata::text {

enum class HoconNumber : std::uint8_t { none, decimal, octal, floating };

/// The kind of a run of digits, signs, points and `e`: `010` is octal; `08`, `1.` and `1-2` are text.
[[nodiscard]] HoconNumber classify_hocon_number(std::string_view written) noexcept;

/// The value of a number. Floats without fraction become integers of any size. No value for a float beyond the range of
/// double.
[[nodiscard]] std::optional<Value> read_hocon_number(std::string_view written, Arena& arena);

}  // namespace strata::text
