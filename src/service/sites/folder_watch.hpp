// SPDX-License-Identifier: Apache-2.0
// Notices at once that files of folders change.
#pragma once

#include <chrono>
#include <map>
#include <set>
#include <string>

namespace strata::service::sites {

/// Listens to the system (inotify) for changes of folders and of what is below them. Hears nothing where the system
/// cannot tell, or of more than 8192 folders: whoever uses it looks from time to time, too. Used by one thread, but for
/// `wake`.
class FolderWatch {
 public:
  FolderWatch();
  ~FolderWatch();
  FolderWatch(const FolderWatch&) = delete;
  FolderWatch& operator=(const FolderWatch&) = delete;

  /// Listens to a folder, and to those below it now. Called again after each change, it listens to those that are new.
  void follow(const std::string& name, const std::string& folder);
  /// Waits until something changed and then nothing for 100 ms (at most a second), or until `time` is over or `wake` is
  /// called. The names of the folders that changed.
  [[nodiscard]] std::set<std::string> wait(std::chrono::milliseconds time);
  /// Whether all changes of the folders are heard of.
  [[nodiscard]] bool hears() const noexcept { return events_ >= 0 && !has_missed_; }
  /// Ends a `wait`, or the next one. By any thread.
  void wake() const noexcept;

 private:
  void read_events(std::set<std::string>& changed);

  int events_ = -1;                             ///< Of inotify.
  int woken_ = -1;                              ///< Readable after `wake`.
  bool has_missed_ = false;                     ///< The system refused to listen to a folder.
  std::map<int, std::set<std::string>> names_;  ///< By watch descriptor.
};

}  // namespace strata::service::sites
