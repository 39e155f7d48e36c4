// SPDX-License-Identifier: Apache-2.0
// How one list becomes another, as difflib of Python finds it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "strata/stop.hpp"

namespace strata::service::buckets {

/// A part of two lists: [from, to) of the first, and of the second. Only `equal` parts have equal items.
struct Opcode {
  std::size_t first_from, first_to, second_from, second_to;
  bool is_equal;
  friend bool operator==(const Opcode&, const Opcode&) = default;
};

/// The parts, in their order. Equal items have equal numbers. Cost: up to the product of both sizes, times the number
/// of parts.
[[nodiscard]] std::vector<Opcode> opcodes(std::span<const std::uint32_t> first, std::span<const std::uint32_t> second,
                                          StopCheck& stop);

}  // namespace strata::service::buckets
