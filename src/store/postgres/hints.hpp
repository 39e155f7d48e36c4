// SPDX-License-Identifier: Apache-2.0
// Hints by NOTIFY and LISTEN of PostgreSQL.
#pragma once

#include "store/hints.hpp"
#include "store/postgres/connection.hpp"

namespace strata::store {

/// Apart from the transactions: commits that notify would queue for one lock of the server.
class PostgresHints final : public Hints {
 public:
  /// Connects at the first exchange. Errors: `store.failed` where the system has no more descriptors.
  explicit PostgresHints(PostgresSettings settings);
  ~PostgresHints() override;

  std::vector<std::string> exchange(const std::vector<std::string>& texts, Clock::time_point end) override;
  void wake() noexcept override;

 private:
  /// Whether there is a connection that listens; makes one if none was tried a moment ago.
  [[nodiscard]] bool is_connected() noexcept;
  /// Runs a statement. The connection is gone where it fails.
  void run(const char* sql, const std::vector<const char*>& parameters);
  [[nodiscard]] std::vector<std::string> heard();
  /// Ends writes of other processes that stand still, now and then: they keep others from their project. The server
  /// itself ends those that stand between two statements that it has answered, but waits for the rest of what was sent
  /// in part as long as the connection lives.
  void end_standing();

  const PostgresSettings settings_;
  PostgresHandle connection_;
  Clock::time_point not_before_ = {};  ///< When the next attempt to connect may be made.
  Clock::time_point look_at_ = {};     ///< When to look for writes that stand still.
  int woken_ = -1;                     ///< Readable after `wake`.
};

}  // namespace strata::store
