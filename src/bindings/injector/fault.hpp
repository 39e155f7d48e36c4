// What an error says of a key, where somebody decides by it.
#pragma once

#include <cstdint>

#include "strata/error.hpp"

namespace strata::bindings {

enum class Fault : std::uint8_t {
  other,
  absent,       ///< Nothing is bound, or a producer gave nothing: `bindings.not-bound`, `bindings.no-value`.
  loop,         ///< A key needs its own value: it depends on where the loop was entered. `bindings.loop`
  composition,  ///< Its statements do not go together, whatever producers give: `bindings.abstract`, `bindings.conflict`.
};

/// Errors are told on and rebuilt on their way: the code is what stays of them.
[[nodiscard]] Fault fault_of(const Error& error) noexcept;

}  // namespace strata::bindings
