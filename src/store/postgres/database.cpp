// SPDX-License-Identifier: Apache-2.0
#include "database.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <new>
#include <random>
#include <thread>

#include "store/postgres/hints.hpp"
#include "value/shown_url.hpp"

namespace strata::store {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr int kAttempts = 5;             ///< Of a transaction that others are in the way of.
constexpr milliseconds kFirstPause{50};  ///< Between two attempts to connect; doubled up to kLongestPause.
constexpr milliseconds kLongestPause{2000};
constexpr std::string_view kWrite = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE";
constexpr std::string_view kRead = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
constexpr std::string_view kMigration = "SELECT pg_advisory_xact_lock(8319400174550056961)";  // "strata" and 1 as bytes

/// A random time up to `most`, at least half of it: replicas that lost the same server do not return to it at once.
milliseconds jittered(milliseconds most) {
  thread_local std::minstd_rand random{std::random_device{}()};
  const auto half = most.count() / 2;
  return milliseconds(half + std::uniform_int_distribution<std::int64_t>(0, std::max<std::int64_t>(half, 1))(random));
}

void pause(milliseconds most, const Deadline& deadline) {
  Clock::time_point until = Clock::now() + jittered(most);
  if (deadline) until = std::min(until, *deadline);
  std::this_thread::sleep_until(until);
  if (is_over(deadline)) throw deadline_passed();
}

Error unknown_outcome() {
  return Error("store.unknown", "it is not known whether a change was stored: the connection was lost while it was")
      .hint("look whether it is there before you try again");
}

}  // namespace

std::unique_ptr<PostgresConnection> PostgresPool::take(const Deadline& deadline) {
  std::unique_lock lock(mutex_);
  while (idle_.empty() && lent_ >= size_) {
    if (!deadline) {
      returned_.wait(lock);
    } else if (returned_.wait_until(lock, *deadline) == std::cv_status::timeout && idle_.empty() && lent_ >= size_) {
      throw deadline_passed();
    }
  }
  if (!idle_.empty()) {
    auto connection = std::move(idle_.back());
    idle_.pop_back();
    ++lent_;
    return connection;
  }
  if (Clock::now() < not_before_) throw ConnectionLost("it did not a moment ago");
  ++lent_;
  lock.unlock();
  try {
    auto connection = connect();
    lock.lock();
    failures_ = 0;
    return connection;
  } catch (const ConnectionLost&) {
    lock.lock();
    const milliseconds longest = std::min(kLongestPause, kFirstPause * (1U << std::min(failures_, 6U)));
    not_before_ = Clock::now() + jittered(longest);
    ++failures_;
    --lent_;
    returned_.notify_one();
    throw;
  } catch (...) {
    dropped();
    throw;
  }
}

std::unique_ptr<PostgresConnection> PostgresPool::connect() { return std::make_unique<PostgresConnection>(settings_); }

void PostgresPool::give_back(std::unique_ptr<PostgresConnection> connection) noexcept {
  const std::lock_guard lock(mutex_);
  --lent_;
  try {
    idle_.push_back(std::move(connection));
  } catch (const std::bad_alloc&) {  // It is closed instead.
  }
  returned_.notify_one();
}

void PostgresPool::lost() noexcept {
  std::vector<std::unique_ptr<PostgresConnection>> closed;
  const std::lock_guard lock(mutex_);
  --lent_;
  closed.swap(idle_);
  returned_.notify_all();
}

void PostgresPool::dropped() noexcept {
  const std::lock_guard lock(mutex_);
  --lent_;
  returned_.notify_one();
}

PostgresDatabase::PostgresDatabase(const std::string& url, const Options& options)
    : name_(shown_url(url)),
      options_(options),
      settings_(read_postgres_url(url)),
      pool_(settings_, options.connections) {
  pool_.give_back(pool_.take({}));
}

PostgresDatabase::Ended PostgresDatabase::attempt(std::string_view begin, const Work& work, const Deadline& deadline) {
  std::unique_ptr<PostgresConnection> connection = pool_.take(deadline);
  bool is_committing = false;
  try {
    connection->send(begin);
    if (deadline) {
      const auto left = std::chrono::duration_cast<milliseconds>(*deadline - Clock::now()).count();
      if (left <= 0) throw deadline_passed();
      const std::string text = std::to_string(left);
      const std::array<Parameter, 1> parameters{Parameter(text)};
      connection->send("SELECT set_config('statement_timeout', $1, true)", parameters);
    }
    // A process that hangs within a write would keep others from the project as long as it hangs.
    if (begin == kWrite) {
      static const std::string limit =
          fmt::format("SET LOCAL idle_in_transaction_session_timeout = '{}s'", kPatienceWithWriters.count());
      connection->send(limit);
    }
    PostgresTransaction transaction(*connection);
    work(transaction);
    transaction.check();
    connection->send("COMMIT");
    is_committing = true;
    if (connection->finish() != "COMMIT") throw Error("store.failed", "the server did not commit a transaction");
  } catch (const ConnectionLost&) {
    pool_.lost();
    if (is_committing) return Ended::unknown;
    throw;
  } catch (...) {
    if (connection->roll_back()) {
      pool_.give_back(std::move(connection));
    } else {
      pool_.dropped();
    }
    throw;
  }
  pool_.give_back(std::move(connection));
  return Ended::committed;
}

void PostgresDatabase::write(const Work& work, const WriteOptions& options) {
  bool is_unknown = false;  // An earlier attempt may have been committed.
  for (int tries = 1;; ++tries) {
    try {
      if (attempt(kWrite, work, options.deadline) == Ended::committed) return;
      is_unknown = true;
      if (has_happened(options)) return;
    } catch (const ConnectionLost& error) {
      if (is_unknown && has_happened(options)) return;
      if (tries >= 2 && !is_unknown)
        throw;  // Connections that the pool kept are gone after a restart: one more attempt makes a new one.
      if (tries >= kAttempts) throw unknown_outcome().because(error);
    } catch (const Contended&) {
      if (tries >= kAttempts) throw;
    } catch (const Error& error) {
      // The row with the unique key is there: the earlier attempt was committed after all.
      if (is_unknown && error.code() == "store.conflict" && has_happened(options)) return;
      throw;
    }
    pause(milliseconds(10 << tries), options.deadline);
  }
}

bool PostgresDatabase::has_happened(const WriteOptions& options) {
  const Clock::time_point until = options.deadline.value_or(Clock::now() + options_.patience);
  while (options.was_done) {
    try {
      bool is_done = false;
      read([&](Transaction& transaction) { is_done = options.was_done(transaction); }, {.deadline = until});
      return is_done;
    } catch (const ConnectionLost& error) {
      if (Clock::now() + kFirstPause >= until) throw unknown_outcome().because(error);
      std::this_thread::sleep_for(jittered(kFirstPause));
    } catch (const Error& error) {
      throw unknown_outcome().because(error);
    }
  }
  throw unknown_outcome();
}

void PostgresDatabase::read(const Work& work, const ReadOptions& options) {
  for (int tries = 1;; ++tries) {
    try {
      (void)attempt(kRead, work, options.deadline);
      return;
    } catch (const ConnectionLost&) {
      if (tries >= 2) throw;
    } catch (const Contended&) {
      if (tries >= kAttempts) throw;
    }
    pause(milliseconds(10 << tries), options.deadline);
  }
}

void PostgresDatabase::write_alone(const Work& work) {
  write([&](Transaction& transaction) {
    transaction.send(kMigration);
    work(transaction);
  });
}

std::unique_ptr<Hints> PostgresDatabase::hints() { return std::make_unique<PostgresHints>(settings_); }

}  // namespace strata::store
