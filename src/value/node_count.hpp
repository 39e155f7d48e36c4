// SPDX-License-Identifier: Apache-2.0
// The nodes of several documents together.
#pragma once

#include <cstddef>
#include <string_view>

#include "strata/limits.hpp"

namespace strata {

/// Counts the nodes of the documents of a request for Limits::result: aliases make few bytes many nodes, in one
/// document and in many.
class NodeCount {
 public:
  /// `what` names the documents in the message: `files`. Both must outlive this object.
  NodeCount(const Limits& limits, std::string_view what) noexcept : limits_(limits), what_(what) {}

  /// Error `limit.result` if there are more than the limit allows.
  void add(std::size_t nodes);
  [[nodiscard]] std::size_t total() const noexcept { return total_; }

 private:
  const Limits& limits_;
  std::string_view what_;
  std::size_t total_ = 0;
};

}  // namespace strata
