// SPDX-License-Identifier: Apache-2.0
// Levels: what layers with files of one entry of a hierarchy are together. Other layers are levels by themselves.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

namespace strata::service::explore {

/// The name of a level: of `ENTRY/PATH`, where the file's path ends in PATH, ENTRY. A layer that is named as its file
/// is its own.
[[nodiscard]] std::string level_of(std::string_view layer, std::string_view file);

/// Levels by their names. Where a result has two of one name, as it has from the hierarchies of an environment and of a
/// module, the folders of their data tell them apart.
class LevelNames {
 public:
  /// What tells a level from all others.
  [[nodiscard]] static std::string key(std::string_view layer, std::string_view file);
  /// The levels of one result, by their keys.
  void add(const std::set<std::string>& keys);
  /// What people call the level with a key.
  [[nodiscard]] std::string name(std::string_view key) const;

 private:
  std::set<std::string, std::less<>> shared_;  ///< Names of several levels.
};

/// The colour of the level with a key: the same on all pages, in all results, below the number of colours that the
/// style sheet has.
[[nodiscard]] std::size_t level_colour(std::string_view key) noexcept;

}  // namespace strata::service::explore
