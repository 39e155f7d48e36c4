// SPDX-License-Identifier: Apache-2.0
// Parts of reports as data.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "strata/analysis.hpp"

namespace strata::analysis {

/// `[{id, file, before, after, whole}]`.
[[nodiscard]] Value edits_data(Arena& arena, const std::vector<Edit>& edits);
/// `[{subject, item, path, kind, …}]`.
[[nodiscard]] Value changes_data(Arena& arena, const DiffReport& report);

/// The causes of changes, each set once. They must outlive the object.
class CauseSets {
 public:
  /// The number of a set, from 0.
  [[nodiscard]] std::size_t number(const Causes& causes);
  /// `[{kind, edits}]`, by number. `edits`: ids, or null where they are too many to find out.
  [[nodiscard]] Value data(Arena& arena) const;

 private:
  using Content = std::pair<CauseKind, std::optional<std::vector<std::size_t>>>;
  std::unordered_map<const Causes*, std::size_t> by_object_;
  std::map<Content, std::size_t> by_content_;
  std::vector<const Causes*> sets_;
};

/// As impact_data with all names. `sets`: changes have `cause_set`, the number of a set, instead of `causes` and
/// `cause_kind`.
[[nodiscard]] Value impact_data(Arena& arena, const ImpactReport& report, CauseSets* sets);

}  // namespace strata::analysis
