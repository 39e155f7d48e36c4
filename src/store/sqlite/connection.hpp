// SPDX-License-Identifier: Apache-2.0
// A connection to a file of SQLite.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "store/database.hpp"
#include "value/seeded_hash.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace strata::store {

/// Makes a file that is not there, so that only its owner can read it: SQLite itself follows the umask. Its other files
/// get the permissions of this one. Error `store.unavailable`.
void create_private(const std::string& path);

/// A connection, used by one thread at a time. Statements are prepared once.
class SqliteConnection {
 public:
  enum class Use { write, read, look };

  /// Opens the file; with `write` it is created, readable by its owner only. With `look` no file is made beside it
  /// where none is in use. Errors: `store.unavailable`, `store.damaged`.
  SqliteConnection(const std::string& path, Use use);
  SqliteConnection(const SqliteConnection&) = delete;
  SqliteConnection& operator=(const SqliteConnection&) = delete;
  ~SqliteConnection();

  /// Runs a statement of this dialect. Errors: Transaction.
  Rows run(std::string_view sql, Parameters parameters = {});
  /// Statements that run longer are interrupted: `store.deadline`.
  void set_deadline(Deadline deadline) noexcept { deadline_ = deadline; }
  /// Whether a transaction is open. SQLite ends it by itself after some errors.
  [[nodiscard]] bool is_in_transaction() const noexcept;
  /// Ends the transaction without effect, if there is one.
  void roll_back() noexcept;

 private:
  struct Close {
    void operator()(sqlite3* connection) const noexcept;
  };
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const noexcept;
  };
  using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

  [[nodiscard]] sqlite3_stmt* prepared(std::string_view sql);
  void bind(sqlite3_stmt* statement, Parameters parameters);
  [[noreturn]] void fail(int code) const;
  /// Whether the deadline is over; SQLite asks it now and then.
  static int is_over(void* self);

  std::string path_;
  std::unique_ptr<sqlite3, Close> connection_;
  TextMap<Statement> statements_;
  Deadline deadline_;
};

/// A transaction, or a savepoint, of a connection.
class SqliteTransaction final : public Transaction {
 public:
  explicit SqliteTransaction(SqliteConnection& connection) noexcept : connection_(connection) {}

  using Transaction::run;
  using Transaction::send;
  Rows run(std::string_view sql, Parameters parameters) override;
  void send(std::string_view sql, Parameters parameters) override { (void)run(sql, parameters); }
  [[nodiscard]] Dialect dialect() const noexcept override { return Dialect::sqlite; }
  /// Fails if a statement has failed: the work must not be committed although it caught the error.
  void check() const;

 private:
  SqliteConnection& connection_;
  bool has_failed_ = false;
};

}  // namespace strata::store
