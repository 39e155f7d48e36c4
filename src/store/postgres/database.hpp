// SPDX-License-Identifier: Apache-2.0
// A store in PostgreSQL.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "store/postgres/connection.hpp"

namespace strata::store {

/// Connections that are kept and lent. While the server does not answer, attempts to connect become rarer, up to one in
/// two seconds; who asks meanwhile fails at once. Thread-safe.
class PostgresPool {
 public:
  PostgresPool(PostgresSettings settings, std::size_t size) : settings_(std::move(settings)), size_(size) {}

  /// A connection, until the deadline. Errors: ConnectionLost, `store.deadline`, and those of PostgresConnection.
  [[nodiscard]] std::unique_ptr<PostgresConnection> take(const Deadline& deadline);
  /// Takes back a connection that works.
  void give_back(std::unique_ptr<PostgresConnection> connection) noexcept;
  /// Says that one is gone. The others probably are too, so that none is lent before it is known that a new one can be
  /// made.
  void lost() noexcept;
  /// Says that one is gone through no fault of the server.
  void dropped() noexcept;

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] std::unique_ptr<PostgresConnection> connect();

  const PostgresSettings settings_;
  const std::size_t size_;
  std::mutex mutex_;
  std::condition_variable returned_;
  std::vector<std::unique_ptr<PostgresConnection>> idle_;
  std::size_t lent_ = 0;
  unsigned failures_ = 0;         ///< Attempts to connect that failed one after the other.
  Clock::time_point not_before_;  ///< When the next attempt may be made.
};

/// A database of a server, which other processes may use too.
class PostgresDatabase final : public Database {
 public:
  struct Options {
    std::size_t connections = 8;
    /// How long the outcome of a COMMIT is looked up after the connection was lost, if the write has no deadline.
    std::chrono::milliseconds patience{5000};
  };

  /// Connects once. Errors: `store.url`, `store.unavailable`, `store.unsupported`.
  PostgresDatabase(const std::string& url, const Options& options);

  void write(const Work& work, const WriteOptions& options = {}) override;
  void read(const Work& work, const ReadOptions& options = {}) override;
  void write_alone(const Work& work) override;
  [[nodiscard]] std::unique_ptr<Hints> hints() override;

  [[nodiscard]] Dialect dialect() const noexcept override { return Dialect::postgres; }
  [[nodiscard]] std::string name() const override { return name_; }

 private:
  /// How an attempt ended: what is lost while it commits may have happened.
  enum class Ended { committed, unknown };

  [[nodiscard]] Ended attempt(std::string_view begin, const Work& work, const Deadline& deadline);
  /// Whether a write whose end is not known has happened. Errors: `store.unknown` if nobody can say.
  [[nodiscard]] bool has_happened(const WriteOptions& options);

  std::string name_;
  Options options_;
  PostgresSettings settings_;
  PostgresPool pool_;
};

}  // namespace strata::store
