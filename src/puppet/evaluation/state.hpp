// SPDX-License-Identifier: Apache-2.0
// The rarely used state of an Evaluator.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include "puppet/evaluation/evaluator.hpp"
#include "strata/stop.hpp"
#include "text/regex/regex.hpp"
#include "value/seeded_hash.hpp"

namespace strata::puppet {

/// The size of a container, counted as if written out.
struct Weight {
  std::size_t nodes = 1;
  std::size_t depth = 0;
  std::size_t bytes = 0;  ///< Of its texts.
};

struct Evaluator::State {
  explicit State(const Stop* stop) noexcept : stop_check(stop) {}

  StopCheck stop_check;  ///< Checked with each expression.
  TextMap<std::shared_ptr<const text::Regex>> patterns;
  /// For containers that contain others, and for large ones; by the address of their members.
  std::unordered_map<const void*, Weight> weights;
  std::unordered_map<const Expression*, Value> types;  ///< For type names, and for types that are written out.
  TextSet warned;                                      ///< Places and codes.

  /// Throws `limit.depth`, `limit.result`.
  [[nodiscard]] Weight weigh(const Value& value, const Limits& limits);
};

}  // namespace strata::puppet
