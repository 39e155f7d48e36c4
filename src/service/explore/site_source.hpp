// SPDX-License-Identifier: Apache-2.0
// The sites of a service as projects.
#pragma once

#include <condition_variable>
#include <list>
#include <map>
#include <mutex>
#include <thread>

#include "service/explore/event_stream.hpp"
#include "service/explore/source.hpp"
#include "service/sites/sites.hpp"

namespace strata::service::explore {

class SiteSource final : public Source {
 public:
  /// Before requests come.
  explicit SiteSource(sites::Sites& sites);
  ~SiteSource() override;
  SiteSource(const SiteSource&) = delete;
  SiteSource& operator=(const SiteSource&) = delete;

  [[nodiscard]] std::vector<std::string> names(const Call& call) override;
  [[nodiscard]] std::shared_ptr<const View> view(const Call& call, const std::string& name,
                                                 const std::string& revision) override;
  [[nodiscard]] std::string verb_of(const Call& call, const std::string& name) override;
  [[nodiscard]] std::int64_t generation(const Call& call) override;
  [[nodiscard]] std::string commit_of(const Call& call, const std::string& name, const std::string& revision) override;
  [[nodiscard]] std::unique_ptr<GitHistory> history(const Call& call, const std::string& name,
                                                    const std::string& revision) override;
  [[nodiscard]] std::vector<std::string> references(const Call& call, const std::string& name) override;
  void check_draft(const Call& call, const std::string& name) override;
  [[nodiscard]] bool is_writable(const Call& call, const std::string& name) override;
  void write(const Call& call, const View& view, const std::string& path, const std::optional<std::string>& before,
             const std::string& text) override;
  [[nodiscard]] Response events(const Call& call) override;

  /// Ends all streams of events.
  void shut_down() { events_.close(); }

 private:
  [[nodiscard]] std::shared_ptr<const sites::SiteState> earlier_state(const Call& call, const std::string& name,
                                                                      const std::string& revision);

  using Key = std::pair<const sites::SiteState*, std::string>;  ///< State and revision.
  struct Kept {
    std::string project;
    std::string name;
    std::shared_ptr<const sites::SiteState> state;  ///< Keeps the key's address from being another one's.
    std::shared_ptr<const View> view;
  };

  sites::Sites& sites_;
  EventStream events_;
  std::mutex mutex_;  ///< Of all below.
  std::condition_variable ended_;
  std::int64_t generation_ = 1;
  std::list<std::pair<Key, Kept>> views_;  ///< Last used first.
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace strata::service::explore
