// SPDX-License-Identifier: Apache-2.0
// Effects of the last what-ifs and comparisons, for those who want all of one.
#pragma once

#include <cstddef>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace strata::service::explore {

/// Thread-safe.
class Runs {
 public:
  struct Run {
    std::string id;
    std::string project;               ///< Whose they are: only who may see it is told.
    std::vector<std::string> effects;  ///< As JSON, with all names.
  };
  /// Keeps a run. The last ones stay.
  void add(Run run);
  /// An effect, from 1, of a run, or of the last one of the project for an empty id. No value: it is not kept, or there
  /// are not so many.
  [[nodiscard]] std::optional<std::string> find(const std::string& project, const std::string& id,
                                                std::size_t number) const;

 private:
  mutable std::mutex mutex_;  ///< Of all below.
  std::list<Run> runs_;       ///< The last one first.
};

}  // namespace strata::service::explore
