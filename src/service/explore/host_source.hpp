// SPDX-License-Identifier: Apache-2.0
// Projects of folders of this machine, which are watched.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <thread>

#include "service/explore/event_stream.hpp"
#include "service/explore/source.hpp"
#include "service/sites/folder_watch.hpp"
#include "strata/explorer.hpp"

namespace strata::service::explore {

class HostSource final : public Source {
 public:
  /// Errors: as Explorer.
  explicit HostSource(ExplorerSettings settings);
  ~HostSource() override;
  HostSource(const HostSource&) = delete;
  HostSource& operator=(const HostSource&) = delete;

  [[nodiscard]] std::vector<std::string> names(const Call& call) override;
  [[nodiscard]] std::shared_ptr<const View> view(const Call& call, const std::string& name,
                                                 const std::string& revision) override;
  [[nodiscard]] std::string verb_of(const Call& call, const std::string& name) override;
  [[nodiscard]] std::optional<Excerpt> place_of(const Call& call, const std::string& name) override;
  [[nodiscard]] std::int64_t generation(const Call& call) override;
  [[nodiscard]] std::string commit_of(const Call& call, const std::string& name, const std::string& revision) override;
  [[nodiscard]] std::unique_ptr<GitHistory> history(const Call& call, const std::string& name,
                                                    const std::string& revision) override;
  [[nodiscard]] std::vector<std::string> references(const Call& call, const std::string& name) override;
  [[nodiscard]] std::string shown_revision() const override { return settings_.at; }
  [[nodiscard]] bool shows_unused(const Call& /*call*/) const override { return true; }  // They are files of who asks.
  [[nodiscard]] bool is_writable(const Call& call, const std::string& name) override;
  void write(const Call& call, const View& view, const std::string& path, const std::optional<std::string>& before,
             const std::string& text) override;
  [[nodiscard]] Response events(const Call& call) override;

  /// Ends all streams of events.
  void shut_down();

 private:
  struct Projects;
  [[nodiscard]] std::shared_ptr<Projects> projects() const;
  [[nodiscard]] std::map<std::string, std::string> look() const;
  void follow();
  /// What is new of the files. By one thread at a time.
  void look_again();

  ExplorerSettings settings_;
  EventStream events_;
  sites::FolderWatch folders_;
  std::map<std::string, std::string> look_;  ///< Of `looking_`.
  std::mutex looking_;
  std::atomic<bool> is_over_ = false;
  mutable std::mutex mutex_;  ///< Of all below.
  std::shared_ptr<Projects> projects_;
  std::int64_t generation_ = 1;
  std::thread thread_;
};

}  // namespace strata::service::explore
