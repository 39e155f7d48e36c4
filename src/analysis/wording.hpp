// SPDX-License-Identifier: Apache-2.0
// How texts about changes put things.
#pragma once

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "strata/analysis.hpp"

namespace strata::analysis {

/// Where the first leaf of a value stands, with its line. Empty: it stands nowhere.
[[nodiscard]] Excerpt excerpt_of(const Outcome& outcome, const Value& value);
[[nodiscard]] Excerpt excerpt_of(const Sources& sources, const Value& value);
/// `1 node`, `2 nodes`.
[[nodiscard]] std::string counted(std::size_t number, std::string_view word);
/// An item and a path in it; `/` if both are empty.
[[nodiscard]] std::string joined_name(const std::string& item, const std::string& path);
/// A value as compact JSON. Long ones are cut: to the beginning, or around the first place that differs from the other
/// side.
[[nodiscard]] std::string shown_value(const Side& side, const Side& other, bool sort_keys, bool is_whole);
/// The places of the edits that cause a change.
[[nodiscard]] std::string causes_text(const Causes& causes, const std::vector<Edit>& edits);
/// The place of an edit: `FILE`, `FILE:LINE`, `FILE:FIRST-LAST`, and ` (removed)` behind lines that only the first
/// state has.
[[nodiscard]] std::string edit_text(const Edit& edit);
/// The changes of all subjects, by subject if the question has several.
[[nodiscard]] std::string changes_text(const DiffReport& report, const Wording& wording, const report::Layout& layout);
/// `4 of 4 nodes change: 2 distinct effects`.
[[nodiscard]] std::string impact_head(const Effects& effects, const Wording& wording);

/// The first ones of so many names, each as `shown` has it.
template <std::invocable<const std::string&> Shown>
[[nodiscard]] std::string name_list(const std::vector<std::string>& first, std::size_t all, const Shown& shown) {
  std::string out;
  for (const std::string& name : first) {
    if (&name != first.data()) out += ", ";
    out += shown(name.empty() ? std::string("(result)") : name);
  }
  if (first.size() < all) out += " and " + std::to_string(all - first.size()) + " more";
  return out;
}
/// `most`: 0 means all.
template <std::invocable<const std::string&> Shown>
[[nodiscard]] std::string name_list(const NameList& names, std::size_t most, const Shown& shown) {
  return name_list(names.first(most == 0 ? names.size() : most), names.size(), shown);
}

}  // namespace strata::analysis
