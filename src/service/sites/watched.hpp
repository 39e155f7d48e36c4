// SPDX-License-Identifier: Apache-2.0
// A folder or a repository of this machine that a site is made of, and how it was when it was last read.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "service/sites/files.hpp"
#include "service/sites/state.hpp"
#include "strata/error.hpp"
#include "strata/file_tree.hpp"
#include "strata/git_place.hpp"
#include "strata/service.hpp"

namespace strata::service::sites {

/// A site at a moment.
struct Site {
  SiteForm form;
  std::string kind;  ///< `path`, `git`, `upload`
  std::int64_t generation = 0;
  std::int64_t number = 0;                      ///< Of an upload: of the last change of its project when it was read.
  std::shared_ptr<const SiteState> state = {};  ///< Null: it is broken, or has no files.
  std::optional<Diagnostic> failure = {};       ///< Why the state is missing, or not newer.
  bool is_stale = false;                        ///< The state is not the present one, which is broken.
  std::string settings_tag = {};                ///< Of a site of the store: what its settings are.

  /// Names what the site is now, for conditions.
  [[nodiscard]] std::string tag() const;
};

/// Reads one source. `read` is for one thread at a time; `is_due` for any.
class Watched {
 public:
  /// `project`: whose site it is. `roots`: of a repository that a client has named, folders that must hold it; none: it
  /// may be anywhere.
  Watched(std::string project, const SiteSettings& source, std::string settings_tag = {},
          std::vector<std::string> roots = {});

  [[nodiscard]] const std::string& project() const noexcept { return project_; }
  [[nodiscard]] const std::string& name() const noexcept { return form_.name; }
  [[nodiscard]] const SiteForm& form() const noexcept { return form_; }
  [[nodiscard]] bool is_git() const noexcept { return !source_.ref.empty(); }
  [[nodiscard]] const std::string& folder() const noexcept { return source_.path; }
  /// Where the repository is. That of a client is closed.
  [[nodiscard]] const GitPlace& place() const noexcept { return place_; }
  [[nodiscard]] const std::string& ref() const noexcept { return source_.ref; }
  [[nodiscard]] bool keeps_last_good() const noexcept { return source_.keep_last_good; }
  /// A site that was not read yet.
  [[nodiscard]] Site unread() const;

  /// What is there now, as `generation`. No value: nothing changed since the last reading. Never an Error: the site is
  /// broken then.
  [[nodiscard]] std::optional<Site> read(std::int64_t generation, const SiteState::Ground& ground);
  std::mutex reading;  ///< Held while `read` runs.

  /// Whether the last look is `interval` ago; true for one of those who ask at once.
  [[nodiscard]] bool is_due(std::chrono::nanoseconds interval) noexcept;
  [[nodiscard]] bool is_fresh(std::chrono::nanoseconds interval) const noexcept {
    return std::chrono::steady_clock::now().time_since_epoch().count() - looked_ < interval.count();
  }
  void looked() noexcept { looked_ = std::chrono::steady_clock::now().time_since_epoch().count(); }

  Site site;  ///< Guarded by the owner of the object.

 private:
  /// The tree of these files, as edits of an earlier one: documents and listings that are the same stay. Null: it is
  /// the same.
  [[nodiscard]] std::shared_ptr<const FileTree> tree_of_next(Files files);

  std::string project_;
  SiteSettings source_;
  GitPlace place_;
  SiteForm form_;
  std::string settings_tag_;
  std::atomic<std::int64_t> looked_ = 0;
  std::string look_ = {};  ///< Of the last reading.
  Files files_ = {};
  std::shared_ptr<const FileTree> base_ = {};
  Edits edits_ = {};  ///< Since `base_`.
};

}  // namespace strata::service::sites
