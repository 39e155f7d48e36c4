// SPDX-License-Identifier: Apache-2.0
// The patterns of a .gitignore.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace strata {
class StopCheck;
}

namespace strata::detail {

/// The patterns of one file, in git's syntax (gitignore(5)). A stranger may have written them, so a pattern costs
/// at most the product of its size and that of the path: a star goes back to the last star only, as no earlier one can
/// match more than that one. git and libgit2 try all ways, which takes exponential time for `a*a*a*b`.
/// tests/tree/git_ignore_test.cpp compares with git.
class IgnoreRules {
 public:
  IgnoreRules() = default;
  explicit IgnoreRules(std::string_view text);

  /// The verdict of the last pattern that matches `path`, which is relative to the folder of the rules: true if git
  /// ignores it. No value: none matches. Errors: as Stop::check.
  [[nodiscard]] std::optional<bool> find(std::string_view path, bool is_folder, StopCheck& stop) const;

 private:
  struct Pattern {
    bool is_negated = false;
    bool is_for_folders = false;
    bool is_for_names = false;            ///< Without a slash inside: for the last name of a path.
    std::vector<std::string> names = {};  ///< `**`: any number of folders.
  };

  [[nodiscard]] static bool matches(const Pattern& pattern, const std::vector<std::string_view>& names,
                                    StopCheck& stop);

  std::vector<Pattern> patterns_;
};

}  // namespace strata::detail
