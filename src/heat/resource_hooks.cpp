// SPDX-License-Identifier: Apache-2.0
#include "heat/resource_hooks.hpp"

#include <array>
#include <span>
#include <vector>

#include "heat/merge_strategies.hpp"
#include "heat/shell_pattern.hpp"
#include "heat/traced_member.hpp"
#include "strata/builder.hpp"
#include "strata/path.hpp"
#include "strata/stop.hpp"
#include "strata/traced.hpp"

namespace strata::heat {
namespace {

constexpr std::array<std::string_view, 2> kSortedActions{"replace", "update"};

merge::Traced member_at(const merge::Traced& container, std::size_t index) {
  return merge::Recorder::member(container, index);
}

}  // namespace

merge::Traced ResourceRules::inside(const merge::Traced& resources, std::string_view outer) const {
  merge::Accumulator joined(arena_, limits_, recorder_);
  joined.start({arena_.mapping(), merge::Slot(merge::kNoLayer)});
  const auto join = [&](const merge::Traced& more) {
    if (more.value.is_mapping()) joined.merge(more, merge::shallow_replace());
  };
  if (!resources.value.is_mapping()) return joined.current();
  const auto entries = resources.value.entries();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    check_stop(limits_.stop);
    if (matches_shell_pattern(key_text(entries[i].key), outer, limits_.stop)) join(member_at(resources, i));
  }
  join(member(resources, outer));
  return joined.current();
}

std::vector<merge::Traced> ResourceRules::said(const merge::Traced& resources, std::string_view name,
                                               std::string_view key) const {
  std::vector<merge::Traced> words;
  if (!resources.value.is_mapping()) return words;
  const auto entries = resources.value.entries();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    check_stop(limits_.stop);
    if (!matches_shell_pattern(key_text(entries[i].key), name, limits_.stop)) continue;
    const merge::Traced value = member(member_at(resources, i), key);
    if (value.value.is_text()) words.push_back(value);
    if (!value.value.is_sequence()) continue;
    for (std::size_t item = 0; item < value.value.size(); ++item) words.push_back(member_at(value, item));
  }
  return words;
}

merge::Traced ResourceRules::find(std::string_view resource, std::string_view key, Words words) const {
  merge::Traced resources = member(registry_, "resources");
  for (std::size_t slash = resource.find('/'); slash != std::string_view::npos; slash = resource.find('/')) {
    resources = inside(resources, resource.substr(0, slash));
    resource.remove_prefix(slash + 1);
  }
  const std::vector<merge::Traced> all = said(resources, resource, key);
  merge::TracedSequence answers(merge::Builder(arena_, recorder_));
  for (const std::string_view word : words) {
    std::vector<merge::Traced> same;
    for (const merge::Traced& one : all) {
      if (one.value.is_text() && one.value.text() == word) same.push_back(one);
    }
    if (same.empty()) continue;
    answers.append(recorder_.keeps() && same.size() > 1 ? recorder_.derive(same.front().value, same) : same.front());
  }
  return answers.finish();
}

merge::Traced ResourceRules::hooks(std::string_view resource) const { return find(resource, "hooks", kHookTypes); }

merge::Traced ResourceRules::restricted_actions(std::string_view resource) const {
  return find(resource, "restricted_actions", kSortedActions);
}

}  // namespace strata::heat
