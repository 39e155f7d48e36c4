// SPDX-License-Identifier: Apache-2.0
// Lists of names that layers add to and take from.
#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "strata/traced.hpp"

namespace strata::merge {

/// Names with histories, each once, in the order in which they came. Values must be texts, and outlive the list.
class NameList {
 public:
  /// `prefix`: begins a text that removes the name behind it, which may come again.
  explicit NameList(char prefix) noexcept : prefix_(prefix) {}

  void add(const Traced& item) {
    const std::string_view name = item.value.text();
    if (!name.starts_with(prefix_)) {
      if (indexes_.emplace(name, items_.size()).second) items_.push_back(item);
    } else if (const auto found = indexes_.find(name.substr(1)); found != indexes_.end()) {
      items_[found->second] = {};
      indexes_.erase(found);
    }
  }
  void add(const NameList& others) {
    for (const Traced& item : others.items_) {
      if (item.value) add(item);
    }
  }
  [[nodiscard]] Traced list(const Builder& make) const {
    TracedSequence out(make, items_.size());
    for (const Traced& item : items_) {
      if (item.value) out.append(item);
    }
    return out.finish();
  }

 private:
  char prefix_;
  std::vector<Traced> items_;  ///< Absent: removed.
  std::unordered_map<std::string_view, std::size_t> indexes_;
};

}  // namespace strata::merge
