// SPDX-License-Identifier: Apache-2.0
// The commands that the program has: those whose sources are linked.
#include <algorithm>
#include <string_view>
#include <tuple>

#include "command.hpp"

namespace strata::cli {
namespace {

constinit const Registration* last_registration = nullptr;

}  // namespace

Registration::Registration(const Entry& entry) noexcept : entry_(entry), next_(last_registration) {
  last_registration = this;
}

std::string_view Registration::Entry::heading() const noexcept {
  if (is_hidden) return {};
  return place < 700   ? "Systems"
         : place < 800 ? "Analysis"
         : place < 850 ? "Service"
         : place < 900 ? "Integrations"
                       : "Other";
}

std::vector<const Registration::Entry*> Registration::all() {
  std::vector<const Entry*> entries;
  for (const Registration* at = last_registration; at != nullptr; at = at->next_) entries.push_back(&at->entry_);
  std::ranges::sort(entries, {}, [](const Entry* entry) { return std::tuple(entry->place, entry->name); });
  return entries;
}

}  // namespace strata::cli
