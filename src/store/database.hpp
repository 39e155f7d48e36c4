// SPDX-License-Identifier: Apache-2.0
// The database behind the store: transactions, statements and rows, over SQLite or PostgreSQL.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "store/hints.hpp"
#include "store/rows.hpp"

namespace strata::store {

/// Bytes as a parameter, to tell them from a text.
struct Bytes {
  std::string_view content;
};

/// What stands for `$1`, `$2`, … in a statement. Texts and bytes must live until the call returns.
class Parameter {
 public:
  using Content = std::variant<std::monostate, std::int64_t, std::string_view, Bytes>;

  Parameter(std::nullopt_t /*null*/) noexcept {}
  template <std::integral Number>
  Parameter(Number number) noexcept : content_(static_cast<std::int64_t>(number)) {}
  Parameter(std::string_view text) noexcept : content_(text) {}
  Parameter(const std::string& text) noexcept : content_(std::string_view(text)) {}
  Parameter(const char* text) noexcept : content_(std::string_view(text)) {}
  Parameter(Bytes bytes) noexcept : content_(bytes) {}
  /// No value is NULL.
  template <class Value>
  Parameter(const std::optional<Value>& value) noexcept : content_(value ? Parameter(*value).content_ : Content{}) {}

  [[nodiscard]] const Content& content() const noexcept { return content_; }

 private:
  Content content_;
};
using Parameters = std::span<const Parameter>;

enum class Dialect : std::uint8_t { sqlite, postgres };

/// A moment after which work is given up.
using Deadline = std::optional<std::chrono::steady_clock::time_point>;
[[nodiscard]] inline bool is_over(const Deadline& deadline) {
  return deadline && std::chrono::steady_clock::now() >= *deadline;
}

/// One transaction. Statements are the SQL that both databases know, with `$1`, `$2`, … for parameters and the words of
/// dialect.hpp.
///
/// After an Error the transaction is over: each further call fails, and nothing of it is kept.
/// Errors of statements: `store.deadline`, `store.full`, `store.unavailable`, `store.conflict` (a row that is there
/// already, or one that is missing), `store.text` (a text that is not UTF-8 or has a zero byte), `store.damaged`,
/// `store.contended`, `store.failed`.
class Transaction {
 public:
  Transaction() = default;
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  virtual ~Transaction() = default;

  /// Runs a statement and returns its rows.
  virtual Rows run(std::string_view sql, Parameters parameters) = 0;
  Rows run(std::string_view sql, std::initializer_list<Parameter> parameters = {}) {
    return run(sql, Parameters(parameters.begin(), parameters.size()));
  }
  /// Runs a statement that has no rows, without waiting for it: PostgreSQL gets many in one trip. An error may appear
  /// at a later call, or at the end.
  virtual void send(std::string_view sql, Parameters parameters) = 0;
  void send(std::string_view sql, std::initializer_list<Parameter> parameters = {}) {
    send(sql, Parameters(parameters.begin(), parameters.size()));
  }

  [[nodiscard]] virtual Dialect dialect() const noexcept = 0;
};

/// What a transaction does. It may be called again after its effects were undone, so it must set what it hands out
/// again in each call, and have no other effects. An exception ends the transaction without effect.
using Work = std::function<void(Transaction&)>;

struct WriteOptions {
  Deadline deadline = {};
  /// Whether an earlier call of the work was committed: looks up a row with a unique key that the work inserts. Asked
  /// if the connection is lost while the transaction ends. Empty: that is the error `store.unknown`.
  std::function<bool(Transaction&)> was_done = {};
};

struct ReadOptions {
  Deadline deadline = {};
};

/// A database that is open. Thread-safe. A transaction must not begin another one.
class Database {
 public:
  Database() = default;
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  virtual ~Database() = default;

  /// Runs one transaction that writes. When it returns, the transaction is on the disk; when it throws, nothing of it
  /// is, except with `store.unknown`. Several attempts are made where others are in the way. Errors: those of the work
  /// and of statements; `store.unknown`; `store.unavailable`.
  virtual void write(const Work& work, const WriteOptions& options = {}) = 0;
  /// Runs one transaction that reads one state of the database. Errors: as `write`.
  virtual void read(const Work& work, const ReadOptions& options = {}) = 0;
  /// Runs a write that no other process may do at the same time: a migration.
  virtual void write_alone(const Work& work) = 0;

  /// How the processes over this database speak to each other. Null if there can be one process only.
  [[nodiscard]] virtual std::unique_ptr<Hints> hints() { return nullptr; }

  [[nodiscard]] virtual Dialect dialect() const noexcept = 0;
  /// Where it is, without passwords.
  [[nodiscard]] virtual std::string name() const = 0;
};

}  // namespace strata::store
