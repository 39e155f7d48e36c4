// Hooks and restricted actions of a resource, looked up in a combined registry.
#pragma once

#include <string_view>

#include "strata/merge.hpp"
#include "strata/session.hpp"

namespace strata::heat {

/// Looks resources up in `resources` of a registry as `compose` shows it. A resource in nested stacks is `outer/inner`: what is said of `outer`, by
/// all patterns that match it (the exact name last, over the others, one level deep), is what is asked for `inner`. Nothing is inherited otherwise.
/// Answers are sequences of texts; where a word stands in several places, its history tells of all. Cost: linear in the registry, a level of nesting.
class ResourceRules {
 public:
  /// Both must outlive this.
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
  [[nodiscard]] std::vector<merge::Traced> said(const merge::Traced& resources, std::string_view name, std::string_view key) const;

  const merge::Traced& registry_;
  Arena& arena_;
  const Limits& limits_;
  merge::Recorder& recorder_;
};

}  // namespace strata::heat
