// SPDX-License-Identifier: Apache-2.0
// The commits of a git repository.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace strata {

class GitPlace;

struct Commit {
  std::string id;       ///< 40 hexadecimal digits.
  std::string date;     ///< When it was written, by its author: ISO 8601, `2026-11-23T09:15:00+01:00`.
  std::string author;   ///< The name. In UTF-8, if the commit says truly what it is written in; as the next.
  std::string subject;  ///< The first line of the message.
  std::vector<std::string> parents;
  bool is_cut = false;  ///< A shallow clone ends here: its parents are unknown, and `parents` is empty.
};

/// The commits that a revision leads to, newest first; a commit comes before its parents. In a shallow clone, those
/// that it has.
class GitHistory {
 public:
  /// `start`: a folder in the repository; empty: the working directory. `since`: commits that this revision leads to
  /// are left out; empty: none are. Errors: `git.no-repository`, `git.owner`, `git.revision`, `git.unavailable`.
  GitHistory(const std::string& revision, const std::string& since, const std::string& start);
  /// The same of a place. Errors also `git.outside`.
  GitHistory(const std::string& revision, const std::string& since, const GitPlace& place);
  ~GitHistory();
  GitHistory(const GitHistory&) = delete;
  GitHistory& operator=(const GitHistory&) = delete;

  /// No value at the end. Error `git.revision` if a commit is missing (a damaged repository).
  [[nodiscard]] std::optional<Commit> next();

 private:
  struct Walk;
  std::unique_ptr<Walk> walk_;
};

/// The names of branches and tags, as revisions, in byte order: `main`, `v1.0`, `origin/main`. `start`: as for
/// GitHistory. Errors: `git.no-repository`, `git.owner`, `git.unavailable`.
[[nodiscard]] std::vector<std::string> git_references(const std::string& start);
[[nodiscard]] std::vector<std::string> git_references(const GitPlace& place);

}  // namespace strata
