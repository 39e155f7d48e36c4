// SPDX-License-Identifier: Apache-2.0
#include "heat/hook_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "strata/path.hpp"
#include "value/problems.hpp"

namespace strata::heat {

void add_hooks(merge::Accumulator& environment, std::span<const HookOption> hooks, Arena& arena, Sources& sources,
               const std::function<merge::Slot(const std::string& option)>& layer) {
  Problems problems;
  const auto add = [&](const HookOption& option) {
    const std::string name = fmt::format("<--{}>", option.hook);
    const Origin origin = sources.add_name(name);
    const merge::Slot slot = layer(name);
    std::vector<Path::Step> path;
    const auto enter = [&](std::string_view key) {
      path.emplace_back(arena.key(key).with_origin(origin));
      const auto there = environment.at(path);
      if (!there || there->value.is_null()) environment.put(path, {arena.mapping().with_origin(origin), slot});
      if (there && !there->value.is_null() && !there->value.is_mapping()) {
        throw Error("bundle.hook", fmt::format("the hook on '{}' has no place: '{}' is {}", option.resource, key,
                                               describe(there->value.kind())))
            .at(sources, there->value.origin());
      }
    };
    enter("resource_registry");
    enter("resources");
    std::string_view rest = option.resource;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('/'), rest.size());
      if (end != 0) enter(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    path.emplace_back(arena.key("hooks").with_origin(origin));
    environment.put(path, {arena.text(option.hook).with_origin(origin), slot});
  };
  for (const HookOption& option : hooks) problems.guard([&] { add(option); });
  problems.raise();
}

}  // namespace strata::heat
