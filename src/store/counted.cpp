// SPDX-License-Identifier: Apache-2.0
#include "store/counted.hpp"

#include <algorithm>
#include <string>

#include "store/encoding.hpp"
#include "store/seal.hpp"
#include "strata/error.hpp"

namespace strata::store {
namespace {

// What a statement changes besides its texts: a page of a table and one of an index, as SQLite and PostgreSQL have
// them.
constexpr std::size_t kStatement = 8192;
// Of what found no room. More is not looked for: the look would take what others still find, and small writes are
// served.
constexpr std::size_t kMostMissing = std::size_t{256} << 10U;
constexpr std::size_t kLeastLook = std::size_t{64} << 10U;

thread_local std::chrono::nanoseconds spent{0};

/// Counts about how many bytes a transaction writes.
class SizedTransaction final : public Transaction {
 public:
  explicit SizedTransaction(Transaction& inner) : inner_(inner) {}

  using Transaction::run;
  using Transaction::send;
  Rows run(std::string_view sql, Parameters parameters) override {
    count(sql, parameters);
    return inner_.run(sql, parameters);
  }
  void send(std::string_view sql, Parameters parameters) override {
    count(sql, parameters);
    inner_.send(sql, parameters);
  }
  [[nodiscard]] Dialect dialect() const noexcept override { return inner_.dialect(); }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  void count(std::string_view sql, Parameters parameters) noexcept {
    if (sql.starts_with("SELECT") || sql.starts_with("WITH")) return;
    size_ += kStatement;
    for (const Parameter& one : parameters) {
      if (const auto* text = std::get_if<std::string_view>(&one.content())) size_ += text->size();
      if (const auto* bytes = std::get_if<Bytes>(&one.content())) size_ += bytes->content.size();
    }
  }

  Transaction& inner_;
  std::size_t size_ = 0;
};

}  // namespace

std::chrono::nanoseconds time_spent() noexcept { return spent; }
void reset_time_spent() noexcept { spent = std::chrono::nanoseconds(0); }

template <class Run>
void CountedDatabase::counted(Counts& counts, const Work& work, const Run& run) {
  // Counts in whatever way the transaction ends.
  struct Ending {
    CountedDatabase& database;
    Counts& counts;
    std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
    std::uint64_t attempts = 0;
    explicit Ending(CountedDatabase& of, Counts& into) : database(of), counts(into) { ++database.in_use_; }
    Ending(const Ending&) = delete;
    Ending& operator=(const Ending&) = delete;
    ~Ending() {
      --database.in_use_;
      const std::chrono::nanoseconds time = std::chrono::steady_clock::now() - begin;
      spent += time;
      const auto place = std::ranges::lower_bound(Usage::kBounds, std::chrono::duration<double>(time).count()) -
                         Usage::kBounds.begin();
      ++counts.counts.at(static_cast<std::size_t>(place));
      counts.nanoseconds += static_cast<std::uint64_t>(time.count());
      if (attempts > 1) database.retries_ += attempts - 1;
    }
  };
  Ending ending(*this, counts);
  try {
    run([&](Transaction& transaction) {
      ++ending.attempts;
      work(transaction);
    });
  } catch (const Error& error) {
    if (error.code().starts_with("store.")) ++errors_;
    throw;
  }
}

void CountedDatabase::write(const Work& work, const WriteOptions& options) {
  std::size_t size = 0;
  const Work sized = [&](Transaction& transaction) {
    SizedTransaction counting(transaction);
    // In whatever way the attempt ends.
    const auto keep = [&size](const SizedTransaction* used) { size = used->size(); };
    const std::unique_ptr<SizedTransaction, decltype(keep)> kept(&counting, keep);
    work(counting);
  };
  try {
    counted(writes_, sized, [&](const Work& one) { inner_->write(one, options); });
  } catch (const Error& error) {
    if (error.code() == "store.full") found_no_room(size);
    throw;
  }
  if (is_full_) found_room(size);
}

void CountedDatabase::found_no_room(std::size_t size) {
  const std::lock_guard lock(filling_);
  missing_ = std::max(missing_, std::min(size, kMostMissing));
  if (!is_full_.exchange(true) && on_full_) on_full_(true);
}

void CountedDatabase::found_room(std::size_t size) {
  const std::lock_guard lock(filling_);
  // A smaller one may have found the rest of a page, or of a file.
  if (size < missing_ || !is_full_.exchange(false)) return;
  missing_ = 0;
  if (on_full_) on_full_(false);
}

void CountedDatabase::look_for_room(const WriteOptions& options) {
  std::size_t size = kLeastLook;
  {
    const std::lock_guard lock(filling_);
    size = std::max(size, missing_);
  }
  // Of random digits, because a database may pack what it stores.
  const std::string text = ' ' + hex(random_bytes(size).view());
  // To and back: who reads the row in between, reads it as it was. What SQLite takes away it overwrites, so that all of
  // it is written.
  const Work work = [&text](Transaction& transaction) {
    transaction.send("UPDATE strata_schema SET written_by = written_by || $1", {text});
    transaction.send("UPDATE strata_schema SET written_by = replace(written_by, $1, '')", {text});
  };
  write(work, options);
}

void CountedDatabase::read(const Work& work, const ReadOptions& options) {
  counted(reads_, work, [&](const Work& one) { inner_->read(one, options); });
}

Usage::Times CountedDatabase::told(const Counts& counts) {
  Usage::Times out;
  for (std::size_t i = 0; i < out.counts.size(); ++i) out.counts.at(i) = counts.counts.at(i);
  out.seconds = static_cast<double>(counts.nanoseconds) / 1e9;
  return out;
}

Usage CountedDatabase::usage() const {
  return {.reads = told(reads_),
          .writes = told(writes_),
          .retries = retries_,
          .errors = errors_,
          .in_use = in_use_,
          .is_full = is_full_};
}

}  // namespace strata::store
