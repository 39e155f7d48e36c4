// SPDX-License-Identifier: Apache-2.0
#include "puppet/functions/registry.hpp"

#include <algorithm>
#include <vector>

#include "puppet/functions/rooms.hpp"
#include "value/seeded_hash.hpp"

namespace strata::puppet {
namespace {

using Table = TextViewMap<const BuiltinEntry*>;

const Table& table() {
  static const Table all = [] {
    Table out;
    for (const std::span<const BuiltinEntry> room :
         {comparison_functions(), control_functions(), conversion_functions(), data_functions(), format_functions(),
          hash_functions(), iteration_functions(), iterator_functions(), list_functions(), logging_functions(),
          number_functions(), part_functions(), pattern_functions(), range_functions(), set_functions(),
          text_functions()}) {
      for (const BuiltinEntry& entry : room) out.emplace(entry.name, &entry);
    }
    return out;
  }();
  return all;
}

}  // namespace

const BuiltinEntry* find_builtin(std::string_view name) noexcept {
  const auto found = table().find(name);
  return found == table().end() ? nullptr : found->second;
}

std::span<const std::string_view> builtin_names() noexcept {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> out;
    for (const auto& [name, entry] : table()) out.push_back(name);
    std::sort(out.begin(), out.end());
    return out;
  }();
  return names;
}

}  // namespace strata::puppet
