// SPDX-License-Identifier: Apache-2.0
// What all faces share: the store, the engine, the policy, and how a request writes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "service/face.hpp"
#include "store/database.hpp"
#include "store/projects.hpp"
#include "store/records.hpp"
#include "strata/limits.hpp"

namespace strata {
class Engine;
}  // namespace strata
namespace strata::store {
class Store;
}  // namespace strata::store

namespace strata::service {

class ChangeFeed;
class Policy;
class Signer;

/// When a request's work with the store must end.
[[nodiscard]] store::Deadline deadline_of(const Stop& stop);

/// A write of a request: its transaction, and its project, which is locked.
struct Writing {
  store::Transaction& transaction;
  store::Project& project;
  bool has_changes = false;
  std::string created = {};  ///< The name that the service gave to what it made: the audit tells it behind the path.

  /// Notes what is changed, so that others hear of it.
  void note(std::string kind, std::string target, std::int64_t generation = 0);
};

class Core {
 public:
  struct Settings {
    Limits limits = {};  ///< Of each request's Session. Without `stop`.
    bool is_whole_process = false;
    std::string version = {};
    bool requires_if_match = false;  ///< Of writes to what is there.
    /// Where promises and the shipped references differ, the faces of Deckhand and Heat answer as these do.
    bool answers_as_shipped = false;
    /// Told of each entry of the audit. May be empty.
    std::function<void(const store::AuditEntry& entry)> on_audit = {};
  };

  /// `policy` gives the one that counts now.
  Core(store::Store& store, std::shared_ptr<Engine> engine, std::function<std::shared_ptr<const Policy>()> policy,
       Settings settings);
  /// Without a store: for faces that need none.
  Core(std::shared_ptr<Engine> engine, std::function<std::shared_ptr<const Policy>()> policy, Settings settings);
  ~Core();
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  [[nodiscard]] bool has_store() const noexcept { return store_ != nullptr; }
  [[nodiscard]] store::Store& store() const noexcept { return *store_; }
  [[nodiscard]] const std::shared_ptr<Engine>& engine() const noexcept { return engine_; }
  [[nodiscard]] std::shared_ptr<const Policy> policy() const { return policy_(); }
  [[nodiscard]] const Settings& settings() const noexcept { return settings_; }
  /// The limits of a call's work.
  [[nodiscard]] Limits limits(const Call& call) const;

  /// Runs one transaction that writes to the call's project: with an audit entry, and with the row by which the answer
  /// is found again if the connection is lost, or if the client repeats its `Idempotency-Key`. `work` may be called
  /// again; a Refused ends it without effect. The answer carries `Strata-At`.
  Response write(const Call& call, const std::function<Response(Writing&)>& work);
  /// The answer to an earlier write with the call's `Idempotency-Key`: for handlers that look at what is stored before
  /// they write. No value: there is none. Errors: as `write`.
  [[nodiscard]] std::optional<Response> replayed(const Call& call);
  /// Runs one transaction that reads one state. `project` is null while nobody has written to the call's project.
  void read(const Call& call, const std::function<void(store::Transaction&, const store::Project* project)>& work);
  /// Tells the audit of something that is not a write. Without a store there is none.
  void audit(const Call& call, std::string_view outcome);

  /// Signs what clients give back.
  [[nodiscard]] const Signer& signer() const noexcept { return *signer_; }

  /// What this process and others over the same store change.
  [[nodiscard]] ChangeFeed& changes() const noexcept { return *changes_; }

 private:
  store::Store* store_;
  std::shared_ptr<Engine> engine_;
  std::function<std::shared_ptr<const Policy>()> policy_;
  Settings settings_;
  std::unique_ptr<const Signer> signer_;
  std::unique_ptr<ChangeFeed> changes_;  ///< Null without a store.
};

}  // namespace strata::service
