// SPDX-License-Identifier: Apache-2.0
// Where the projects of the explorer come from: folders of a user, or the sites of a service.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "service/explore/runs.hpp"
#include "service/explore/view.hpp"
#include "service/face.hpp"

namespace strata {
class GitHistory;
}  // namespace strata

namespace strata::service::explore {

/// Thread-safe.
class Source {
 public:
  virtual ~Source() = default;
  /// The names of all projects, in their order.
  [[nodiscard]] virtual std::vector<std::string> names(const Call& call) = 0;
  /// A project at a revision, or as it is now for an empty one. Errors: `explore.project`; why it cannot be read;
  /// `git.…`.
  [[nodiscard]] virtual std::shared_ptr<const View> view(const Call& call, const std::string& name,
                                                         const std::string& revision) = 0;
  /// The verb of a project that cannot be read. Empty: not known.
  [[nodiscard]] virtual std::string verb_of(const Call& call, const std::string& name) = 0;
  /// Where a project is configured, with a message. No value: nowhere.
  [[nodiscard]] virtual std::optional<Excerpt> place_of(const Call& /*call*/, const std::string& /*name*/) {
    return std::nullopt;
  }
  /// Counts up whenever inputs have changed.
  [[nodiscard]] virtual std::int64_t generation(const Call& call) = 0;

  /// The id of the commit that a revision names, or the present one for an empty name. Empty: there is no repository.
  /// Error `git.revision`.
  [[nodiscard]] virtual std::string commit_of(const Call& call, const std::string& name,
                                              const std::string& revision) = 0;
  /// The commits that a revision leads to. Null: there is no repository.
  [[nodiscard]] virtual std::unique_ptr<GitHistory> history(const Call& call, const std::string& name,
                                                            const std::string& revision) = 0;
  /// The names of branches and tags. Empty: there is no repository.
  [[nodiscard]] virtual std::vector<std::string> references(const Call& call, const std::string& name) = 0;
  /// The revision that is shown where a request names none. Empty: the files as they are.
  [[nodiscard]] virtual std::string shown_revision() const { return {}; }
  /// Whether drafts of a project may be looked at. Error (Refused, 403): they could ask for secrets, and who asks may
  /// neither write nor read these.
  virtual void check_draft(const Call& /*call*/, const std::string& /*name*/) {}
  /// Whether the files of a project can be saved.
  [[nodiscard]] virtual bool is_writable(const Call& call, const std::string& name) = 0;
  /// Whether who asks may see values of files that are in no result, so that nobody knows whether they are secret.
  [[nodiscard]] virtual bool shows_unused(const Call& call) const {
    return call.may("strata:tree.write") || call.may("strata:secret.read");
  }
  /// Writes a file, which must be as it was read. Errors: `edit.changed`, `output.edit`.
  virtual void write(const Call& call, const View& view, const std::string& path,
                     const std::optional<std::string>& before, const std::string& text) = 0;

  /// A stream of events (text/event-stream).
  [[nodiscard]] virtual Response events(const Call& call) = 0;

  /// The effects of the last streams.
  [[nodiscard]] Runs& runs() noexcept { return runs_; }

 private:
  Runs runs_;
};

/// Error `explore.project`.
[[nodiscard]] Error unknown_project(const std::vector<std::string>& names, const std::string& name);

}  // namespace strata::service::explore
