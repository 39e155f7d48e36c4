// SPDX-License-Identifier: Apache-2.0
// Names that are probably the same name, once mistyped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace strata::analysis {

/// How far a qualified name (`a::b`) is from another one, if one could be meant by the other: exactly one segment
/// differs, and in that little enough. No value: they are two names. Rule: docs/analysis/check.md, "Mistyped names".
[[nodiscard]] std::optional<std::size_t> near_distance(std::string_view left, std::string_view right);

/// Finds candidates for `near_distance` among many names without comparing all of them.
class NearIndex {
 public:
  /// `number`: what `find` gives for it.
  void add(std::string_view name, std::uint32_t number);
  /// The numbers of all names that can be near, and of some others; rising, each once.
  [[nodiscard]] std::vector<std::uint32_t> find(std::string_view name) const;

 private:
  std::unordered_map<std::size_t, std::vector<std::uint32_t>> by_key_;
};

}  // namespace strata::analysis
