// SPDX-License-Identifier: Apache-2.0
// The sites of a service: folders and repositories of its configuration, and trees that clients upload.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "service/face.hpp"
#include "service/sites/folder_watch.hpp"
#include "service/sites/state.hpp"
#include "service/sites/watched.hpp"
#include "store/projects.hpp"
#include "store/sites.hpp"
#include "strata/error.hpp"
#include "strata/git_place.hpp"

namespace strata::service {
class Log;
}  // namespace strata::service

namespace strata::service::sites {

/// The files of a generation of a site.
struct Tree {
  std::shared_ptr<const FileTree> files;
  std::int64_t generation = 0;  ///< 0: of a commit that no generation was made of here.
  std::string commit = {};
  std::size_t bytes = 0;
};

/// The state of a site. Errors: `site.broken`, `site.empty`.
[[nodiscard]] std::shared_ptr<const SiteState> state_of(const Site& site);

/// Thread-safe.
class Sites {
 public:
  /// Reads the sites of the configuration; requests for broken ones fail. `repositories`: folders in which
  /// clients may name repositories.
  Sites(Core& core, Log& log, SiteState::Ground ground, const std::vector<SiteSettings>& sources,
        std::vector<std::string> repositories = {});
  ~Sites();
  Sites(const Sites&) = delete;
  Sites& operator=(const Sites&) = delete;

  [[nodiscard]] const SiteState::Ground& ground() const noexcept { return ground_; }
  /// All sites of the call's project, by name, without their states where those are not in memory.
  [[nodiscard]] std::vector<Site> list(const Call& call);
  /// A site. Error `site.unknown`.
  [[nodiscard]] Site find(const Call& call, const std::string& name);
  [[nodiscard]] Site find(const std::string& project, const std::string& name, store::Deadline deadline);
  /// An upload as it was. Null: it is not kept any more, or was broken.
  [[nodiscard]] std::shared_ptr<const SiteState> upload_state(const std::string& project, const std::string& name,
                                                              std::int64_t generation, store::Deadline deadline);
  using Listener = std::function<void(const std::string& project, const std::string& site)>;
  /// Notifies `listener` of sites that may have another state, or other nodes, than before. It must not wait. Before
  /// requests come.
  void listen(Listener listener);
  /// A state that is in memory. Null: `find` has to look for it.
  [[nodiscard]] std::shared_ptr<const SiteState> peek(const std::string& project, const std::string& name) const;
  /// The state of a site. Errors: `site.unknown`, `site.broken`, `site.empty`.
  [[nodiscard]] std::shared_ptr<const SiteState> state(const Call& call, const std::string& name);

  /// The files of a generation. `which`: empty for the present one, else the number of one that is kept, or any
  /// revision of the repository that the site is, or whose folder it is. Errors: as `state`; `site.no-generation`.
  [[nodiscard]] Tree tree(const Call& call, const std::string& name, const std::string& which);
  /// What is secret in the files of one of its generations. Errors: as `tree`; `site.project`.
  [[nodiscard]] std::shared_ptr<const analysis::SecretTexts> secret_texts(const Call& call, const std::string& name,
                                                                          const Tree& tree);
  /// How many notifications said that a site may have another state, or other nodes.
  [[nodiscard]] std::uint64_t told(const std::string& project, const std::string& name) const;
  /// Calls `wake` once the number of notifications exceeds `told`, or the service ends; at once, where that is so. It
  /// is not kept: its owner drops it to end the wait. False: the service ends.
  [[nodiscard]] bool when_told(const std::string& project, const std::string& name, std::uint64_t told,
                               const Wake& wake);

  /// The state of a generation, as `tree` names it. Errors: as `tree`; `site.broken`.
  [[nodiscard]] std::shared_ptr<const SiteState> earlier_state(const Call& call, const std::string& name,
                                                               const std::string& which);
  /// What a site would be with changes of its files, also one that is broken. Errors: as `tree`; those of a state;
  /// `request.path`.
  [[nodiscard]] std::shared_ptr<const SiteState> changed_state(const Call& call, const std::string& name,
                                                               const Changes& changes);
  /// Ends all waiting: the service ends.
  void shut_down();

  /// The folder or repository of a site. No value: it is an upload. Error `site.unknown`.
  [[nodiscard]] std::optional<GitPlace> place_of(const Call& call, const std::string& name);

  /// Creates or changes a site: for uploads, or of a repository. Errors: `site.fixed` for one of the configuration;
  /// `site.dialect`, `site.project`, `site.repository`, `git.…` for what could never be read.
  [[nodiscard]] Response put(const Call& call, const SiteSettings& settings);
  /// Replaces the files of an upload, or changes some. `changes`: no text deletes. With If-Match only if no other
  /// client was faster (Refused, 412).
  [[nodiscard]] Response put_files(const Call& call, const std::string& name, Files files, const std::string& message);
  [[nodiscard]] Response change_files(const Call& call, const std::string& name, const Changes& changes,
                                      const std::string& message);
  /// The generation of a site that answers as it was before it broke.
  [[nodiscard]] std::optional<std::int64_t> stale(const std::string& project, const std::string& name) const;
  /// Says that in an answer: `Strata-Stale`.
  void note_stale(const std::string& project, const std::string& name, Response& response) const;
  /// The sites of the configuration that cannot be read now, by name; `with_stale`: also those that answer as they
  /// were.
  [[nodiscard]] std::vector<std::string> broken_sites(bool with_stale) const;
  /// Those of the configuration.
  [[nodiscard]] std::vector<Site> configured() const;
  /// Lines for Prometheus about the sites of the configuration, and about what was asked.
  void append_metrics(std::string& out) const;
  /// Looks at the source of a site now.
  void refresh(const Call& call, const std::string& name);

 private:
  using Key = std::pair<std::string, std::string>;  ///< Project and name.
  using Kept = std::shared_ptr<Watched>;
  struct Upload {
    Site site = {};
    std::uint64_t used = 0;  ///< Grows with each use of any.
  };

  /// Reads the source of a site, unless another thread does; `waits`: if one does, when it is done.
  void look(Watched& watched, bool waits);
  /// One of the configuration, or one of the store that was asked for. Null: it is neither. `mutex_` is held.
  [[nodiscard]] Kept watched(const std::string& project, const std::string& name) const;
  [[nodiscard]] std::vector<Kept> all_watched() const;
  /// A repository of the store, watched from now on.
  [[nodiscard]] Site watch(const std::string& project, const store::Site& site, std::int64_t number);
  void check_repository(const Call& call, const SiteSettings& settings) const;
  [[nodiscard]] bool is_configured(const std::string& project, const std::string& name) const;
  const Site& used(Upload& upload) const;
  void trim(const Key& now);
  [[nodiscard]] Site load(store::Transaction& transaction, const store::Project& project, const store::Site& site);
  [[nodiscard]] Response write_tree(
      const Call& call, const std::string& name, const std::string& message, unsigned status,
      const std::function<std::map<std::string, store::TreeFile>(
          store::Transaction&, const store::Project&, const std::map<std::string, store::TreeFile>&)>& change);
  /// The keys under which files of an upload are to be stored. Without any, `written` gives the files: where they hold
  /// secrets, a key is made, or they are refused. Errors: `store.no-key`, those of secret_texts_of, those of `find`.
  [[nodiscard]] std::shared_ptr<const store::Keyring> keys_for(const Call& call, const std::string& name,
                                                               const std::function<Files()>& written);

  void follow();
  void tell(const std::string& project, const std::string& site);

  Core& core_;
  Log& log_;
  SiteState::Ground ground_;
  std::vector<std::string> repositories_;
  FolderWatch folders_;
  std::atomic<bool> is_over_ = false;
  mutable std::mutex mutex_;  ///< Of all below.
  std::map<Key, Kept> configured_;
  std::map<Key, Kept> stored_;  ///< Repositories of the store.
  mutable std::map<Key, Upload> uploads_;
  mutable std::uint64_t uses_ = 0;
  std::map<Key, std::int64_t> told_;  ///< The last change of an upload that was announced.
  std::vector<Listener> listeners_;
  std::map<Key, std::uint64_t> tellings_;
  bool is_ending_ = false;
  /// Those who wait, by site; some are gone.
  struct Waiting {
    std::vector<std::weak_ptr<const std::function<void()>>> wakes;
    std::size_t cleared_at = 64;  ///< With so many of them, those who are gone are left out.
  };
  std::map<Key, Waiting> waiting_;
  std::thread thread_;
};

}  // namespace strata::service::sites
