#include "store/counted.hpp"

#include <algorithm>

#include "strata/error.hpp"

namespace strata::store {
namespace {

using Clock = std::chrono::steady_clock;

thread_local std::chrono::nanoseconds spent{0};

}  // namespace

std::chrono::nanoseconds time_spent() noexcept { return spent; }
void reset_time_spent() noexcept { spent = std::chrono::nanoseconds(0); }

template <class Run>
void CountedDatabase::counted(Counts& counts, const Work& work, const Run& run) {
  // Counts in whatever way the transaction ends.
  struct Ending {
    CountedDatabase& database;
    Counts& counts;
    Clock::time_point begin = Clock::now();
    std::uint64_t attempts = 0;
    explicit Ending(CountedDatabase& of, Counts& into) : database(of), counts(into) { ++database.in_use_; }
    Ending(const Ending&) = delete;
    Ending& operator=(const Ending&) = delete;
    ~Ending() {
      --database.in_use_;
      const std::chrono::nanoseconds time = Clock::now() - begin;
      spent += time;
      const auto place = std::ranges::lower_bound(Usage::kBounds, std::chrono::duration<double>(time).count()) - Usage::kBounds.begin();
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
  try {
    counted(writes_, work, [&](const Work& one) { inner_->write(one, options); });
    is_full_ = false;
  } catch (const Error& error) {
    if (error.code() == "store.full") is_full_ = true;
    throw;
  }
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
  return {.reads = told(reads_), .writes = told(writes_), .retries = retries_, .errors = errors_, .in_use = in_use_, .is_full = is_full_};
}

}  // namespace strata::store
