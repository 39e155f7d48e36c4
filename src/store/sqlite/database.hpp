// SPDX-License-Identifier: Apache-2.0
// A store in one file of SQLite.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

#include "store/sqlite/connection.hpp"
#include "tree/descriptor.hpp"

namespace strata::store {

/// A file of SQLite that no other process uses meanwhile.
///
/// Writes that wait are put into one commit, each in a savepoint of its own, because a commit waits for the disk: the
/// first that waits does the work of all. Readers have connections of their own, and see the last commit.
class SqliteDatabase final : public Database {
 public:
  /// Opens the file, or creates it. `PATH.lock` keeps other processes out. Errors: `store.in-use`, `store.unavailable`,
  /// `store.damaged`.
  explicit SqliteDatabase(std::string path);
  /// To look at a file that another process may use: nothing is made, locked or written. Errors: `store.unavailable`,
  /// `store.damaged` at the first read.
  struct Looking {};
  SqliteDatabase(std::string path, Looking /*tag*/);
  /// Whether another process uses the file now.
  [[nodiscard]] static bool is_in_use(const std::string& path);

  void write(const Work& work, const WriteOptions& options = {}) override;
  void read(const Work& work, const ReadOptions& options = {}) override;
  void write_alone(const Work& work) override { write(work); }

  [[nodiscard]] Dialect dialect() const noexcept override { return Dialect::sqlite; }
  [[nodiscard]] std::string name() const override { return path_; }
  /// Writes a copy of the database. Errors: `store.full`, `store.unavailable`.
  void copy_to(const std::string& path);

 private:
  /// A write that waits for its commit.
  struct Waiting {
    Waiting(const Work& wanted, Deadline until) : work(&wanted), deadline(until) {}

    const Work* work;
    Deadline deadline;
    std::exception_ptr failure = {};
    bool is_taken = false;
    bool is_done = false;
    /// Of its own: a commit must not wake all who wait for later ones.
    std::condition_variable turn = {};
  };
  using Group = std::vector<std::shared_ptr<Waiting>>;

  /// Those that wait, the first among them, out of the queue. With `writing_` locked.
  [[nodiscard]] Group take_group();
  /// Commits the writes of a group, together if they can be.
  void commit(const Group& group);
  /// False if the transaction failed as a whole: none of the group is committed.
  [[nodiscard]] bool commit_together(const Group& group);
  void commit_alone(Waiting& one);
  /// Runs the work of one write within the open transaction. A failure is kept in it. False if the transaction is over.
  [[nodiscard]] bool run_in_savepoint(Waiting& one);

  /// Wakes the write that is next. With `writing_` locked.
  void wake_next();

  [[nodiscard]] std::unique_ptr<SqliteConnection> take_reader();

  std::string path_;
  detail::Descriptor lock_;
  std::unique_ptr<SqliteConnection> writer_;  ///< Null: it is looked at only.
  std::mutex writing_;                        ///< Guards the queue.
  std::condition_variable idle_;              ///< The writer is free.
  std::deque<std::shared_ptr<Waiting>> queue_;
  bool is_busy_ = false;  ///< Somebody uses `writer_`.
  std::mutex reading_;    ///< Guards the connections.
  std::vector<std::unique_ptr<SqliteConnection>> readers_;
};

}  // namespace strata::store
