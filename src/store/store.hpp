// SPDX-License-Identifier: Apache-2.0
// The store of the service: a database with strata's tables, and the keys for what is sealed in it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/counted.hpp"
#include "store/database.hpp"
#include "store/keys.hpp"
#include "store/projects.hpp"

namespace strata::store {

struct StoreOptions {
  /// `sqlite:PATH` or `postgresql://…`.
  std::string address;
  /// Keys for sealed values; the first seals. Without any, a SQLite store uses `PATH.key`, and makes it when it is
  /// first needed.
  std::vector<Key> keys = {};
  /// Connections to PostgreSQL.
  std::size_t connections = 8;
  /// A store that is not there is not made: Error `store.missing`.
  bool must_exist = false;
  /// Makes, locks and migrates nothing: writes fail, and reads do where there is no store yet. `Store::plan` tells what
  /// would be done.
  bool only_looks = false;
  /// Told of a key file that was made: whoever loses it loses the secrets.
  std::function<void(const std::string& path)> on_new_key = {};
  /// Told when there is no room any more, and when there is again.
  std::function<void(bool is_full)> on_full = {};
};

/// A store that is open, with tables of the version of this program or of a newer one that allows it. Thread-safe.
class Store {
 public:
  /// Opens a store, makes or migrates its tables. Before a file of SQLite is migrated, it is copied to `PATH.vN.bak`.
  /// Errors: `store.url`, `store.in-use`, `store.unavailable`, `store.unsupported`, `store.newer`, `store.foreign`,
  /// `store.damaged`, `store.missing`.
  explicit Store(StoreOptions options);

  /// What a transaction does with a locked project, whose numbers are stored afterwards. As Work, it may be called
  /// again.
  using ProjectWork = std::function<void(Transaction& transaction, Project& project)>;
  /// Runs one transaction that writes to a project, which is made if it is not there. Errors: Database::write.
  void write(std::string_view project, const ProjectWork& work, const WriteOptions& options = {});
  /// Runs one transaction that reads one state. Errors: Database::read.
  void read(const Work& work, const ReadOptions& options = {}) { database_->read(work, options); }
  [[nodiscard]] Database& database() noexcept { return *database_; }
  [[nodiscard]] Usage usage() const { return database_->usage(); }
  /// Whether a write found no room, and none as large has found some since.
  [[nodiscard]] bool is_full() const noexcept { return database_->is_full(); }
  /// CountedDatabase::look_for_room.
  void look_for_room(const WriteOptions& options) { database_->look_for_room(options); }

  /// The keys. For sealing, a key file is made where that is allowed: where nothing is sealed yet. Errors:
  /// `store.no-key` for sealing; `store.key`, `service.key-readable`.
  [[nodiscard]] std::shared_ptr<const Keyring> keys(bool for_sealing);
  /// The keys that sealed values need and that are not there, in hexadecimal digits, with how many need each. Reads all
  /// of them.
  [[nodiscard]] std::map<std::string, std::int64_t> missing_keys();
  /// With `only_looks`: what opening the store would do, for people. Empty: nothing but opening it.
  [[nodiscard]] const std::string& plan() const noexcept { return plan_; }
  /// False with `only_looks` where the store would be made.
  [[nodiscard]] bool has_tables() const noexcept { return has_tables_; }
  /// What all processes over this store sign with: the current key, or without one a random text that the store keeps.
  [[nodiscard]] SecretBytes signing_secret();

 private:
  /// The database of options that only look; sets the plan.
  [[nodiscard]] std::unique_ptr<Database> looked_at();

  /// Error `store.no-key` where values are sealed, and none under the key file: it is not the one that they were sealed
  /// under, or retired.
  void check_key_file();

  StoreOptions options_;
  std::string plan_;
  bool has_tables_ = true;
  std::string key_file_;  ///< Empty: keys are given, or the store is not a file.
  std::unique_ptr<CountedDatabase> database_;
  std::mutex mutex_;  ///< Guards what follows.
  std::shared_ptr<const Keyring> keys_;
  bool is_key_file_checked_ = false;
};

/// Opens the database of an address, without a look at its tables.
[[nodiscard]] std::unique_ptr<Database> open_database(const std::string& address, std::size_t connections = 8);

}  // namespace strata::store
