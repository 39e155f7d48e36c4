// SPDX-License-Identifier: Apache-2.0
// A connection to a server of PostgreSQL.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "store/database.hpp"
#include "store/failures.hpp"
#include "store/postgres/library.hpp"

namespace strata::store {

/// How long a process may stand still within a write.
inline constexpr std::chrono::seconds kPatienceWithWriters{15};

/// The settings of a connection, as libpq names them.
struct PostgresSettings {
  std::vector<std::string> keywords;
  std::vector<std::string> values;
};
/// Reads `postgresql://…`. Error `store.url`, also for a URL with a password: others would see it in the list of
/// processes.
[[nodiscard]] PostgresSettings read_postgres_url(const std::string& url);

/// Ends a connection of libpq.
struct PostgresClose {
  void operator()(PGconn* connection) const noexcept { Pq::loaded().finish(connection); }
};
using PostgresHandle = std::unique_ptr<PGconn, PostgresClose>;
/// Connects. Errors: `store.unavailable` (also as ConnectionLost).
[[nodiscard]] PostgresHandle connect(const PostgresSettings& settings);

/// A connection in pipeline mode, used by one thread at a time. Statements are prepared once.
class PostgresConnection {
 public:
  /// Errors: `store.unavailable` (also as ConnectionLost), `store.unsupported` for a server older than 13 or of another
  /// encoding than UTF-8.
  explicit PostgresConnection(const PostgresSettings& settings);

  /// Sends a statement, and forgets its rows.
  void send(std::string_view sql, Parameters parameters = {});
  /// Sends a statement, and waits for it and all before it. Errors: Transaction; ConnectionLost; Contended. Those of
  /// earlier statements too.
  Rows run(std::string_view sql, Parameters parameters = {});
  /// Waits for all statements. The command tag of the last one: `COMMIT`, or `ROLLBACK` where a COMMIT found a failed
  /// transaction.
  std::string finish();
  /// Ends the transaction without effect. False if the connection is of no more use.
  [[nodiscard]] bool roll_back() noexcept;

 private:
  struct Clear {
    const Pq* pq;
    void operator()(PGresult* result) const noexcept { pq->clear(result); }
  };
  using Result = std::unique_ptr<PGresult, Clear>;

  /// What was sent and has not been answered.
  struct Expected {
    std::string prepares;  ///< A statement, if it is this that was sent.
    std::size_t size;      ///< Bytes.
  };

  /// The name of a prepared statement. It is sent to the server if it is new.
  const std::string& prepared(std::string_view sql);
  void start(std::string_view sql, Parameters parameters);
  /// Reads the answers to all that was sent. Returns the last.
  Result answers();
  [[nodiscard]] Result next();
  void note(const Expected& expected, const PGresult* result);
  [[nodiscard]] std::exception_ptr failure_of(const PGresult* result) const;
  [[noreturn]] void lose() const;
  [[nodiscard]] Rows rows_of(const PGresult* result) const;

  const Pq& pq_;
  PostgresHandle connection_;
  std::unordered_map<std::string, std::string> statements_;  ///< Text to name.
  std::unordered_map<std::string, std::string> sent_;  ///< The same for those that are not known to be prepared yet.
  std::size_t made_ = 0;
  std::vector<Expected> expected_;
  std::size_t unanswered_ = 0;  ///< Bytes.
};

/// A transaction of a connection.
class PostgresTransaction final : public Transaction {
 public:
  explicit PostgresTransaction(PostgresConnection& connection) noexcept : connection_(connection) {}

  using Transaction::run;
  using Transaction::send;
  Rows run(std::string_view sql, Parameters parameters) override;
  void send(std::string_view sql, Parameters parameters) override;
  [[nodiscard]] Dialect dialect() const noexcept override { return Dialect::postgres; }
  /// Waits for all statements, and fails if one has failed.
  void check();

 private:
  template <class Call>
  auto guarded(const Call& call);

  PostgresConnection& connection_;
  bool has_failed_ = false;
};

}  // namespace strata::store
