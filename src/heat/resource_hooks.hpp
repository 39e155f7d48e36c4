// SPDX-License-Identifier: Apache-2.0
// Looks up hooks and restricted actions of a resource in a combined registry.
#pragma once

#include <array>
#include <string_view>

#include "strata/merge.hpp"
#include "strata/session.hpp"

namespace strata::heat {

inline constexpr std::array<std::string_view, 6> kHookTypes{"pre-create",  "pre-update",  "pre-delete",
                                                            "post-create", "post-update", "post-delete"};

/// Looks up resources in `resources` of a registry as `compose` shows it. A resource in nested stacks is `outer/inner`:
/// the entries of all patterns that match `outer` (the exact name last, overriding the others, one level deep) are
/// searched for `inner`. Nothing else is inherited. Answers are sequences of texts. If a word occurs in several places,
/// its history lists all of them. Cost: linear in the registry, per level of nesting.
class ResourceRules {
 public:
  /// Both must outlive this object.
  ResourceRules(const merge::Traced& registry, Session& session)
      : registry_(registry), arena_(session.arena()), limits_(session.limits()), recorder_(session.recorder()) {}

  /// In the order pre-create, pre-update, pre-delete, post-create, post-update, post-delete.
  [[nodiscard]] merge::Traced hooks(std::string_view resource) const;
  /// In alphabetical order.
  [[nodiscard]] merge::Traced restricted_actions(std::string_view resource) const;

 private:
  using Words = std::span<const std::string_view>;
  [[nodiscard]] merge::Traced find(std::string_view resource, std::string_view key, Words words) const;
  [[nodiscard]] merge::Traced inside(const merge::Traced& resources, std::string_view outer) const;
  [[nodiscard]] std::vector<merge::Traced> said(const merge::Traced& resources, std::string_view name,
                                                std::string_view key) const;

  const merge::Traced& registry_;
  Arena& arena_;
  const Limits& limits_;
  merge::Recorder& recorder_;
};

}  // namespace strata::heat
