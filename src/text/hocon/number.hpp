// Numbers of HOCON, as the hocon gem reads them: with Ruby's Integer() and Float().
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "strata/value.hpp"

namespace strata::text {

enum class HoconNumber : std::uint8_t { none, decimal, octal, floating };

/// What a run of digits, signs, points and `e` is: `010` is octal, `08`, `1.` and `1-2` are no numbers but text.
[[nodiscard]] HoconNumber classify_hocon_number(std::string_view written) noexcept;

/// The value of a number: floats without fraction are integers of any size. None for a float beyond all doubles.
[[nodiscard]] std::optional<Value> read_hocon_number(std::string_view written, Arena& arena);

}  // namespace strata::text
