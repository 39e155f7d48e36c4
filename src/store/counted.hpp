// A database whose transactions are counted.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>

#include "store/database.hpp"

namespace strata::store {

/// What was done with a database since it was opened.
struct Usage {
  /// Upper bounds of the classes of times, in seconds; the last class is what takes longer.
  static constexpr std::array kBounds{0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 30.0};
  struct Times {
    std::array<std::uint64_t, kBounds.size() + 1> counts{};
    double seconds = 0;
  };
  Times reads = {};
  Times writes = {};
  std::uint64_t retries = 0;  ///< Attempts after the first.
  std::uint64_t errors = 0;   ///< Transactions that failed by the database, not by their work.
  std::uint64_t in_use = 0;   ///< Transactions that run or wait now.
  bool is_full = false;       ///< The last write found no room.
};

/// Thread-safe.
class CountedDatabase final : public Database {
 public:
  explicit CountedDatabase(std::unique_ptr<Database> inner) : inner_(std::move(inner)) {}

  void write(const Work& work, const WriteOptions& options) override;
  void read(const Work& work, const ReadOptions& options) override;
  void write_alone(const Work& work) override { inner_->write_alone(work); }
  [[nodiscard]] std::unique_ptr<Hints> hints() override { return inner_->hints(); }
  [[nodiscard]] Dialect dialect() const noexcept override { return inner_->dialect(); }
  [[nodiscard]] std::string name() const override { return inner_->name(); }

  [[nodiscard]] Usage usage() const;

 private:
  struct Counts {
    std::array<std::atomic<std::uint64_t>, Usage::kBounds.size() + 1> counts{};
    std::atomic<std::uint64_t> nanoseconds = 0;
  };
  template <class Run>
  void counted(Counts& counts, const Work& work, const Run& run);
  static Usage::Times told(const Counts& counts);

  std::unique_ptr<Database> inner_;
  Counts reads_;
  Counts writes_;
  std::atomic<std::uint64_t> retries_ = 0;
  std::atomic<std::uint64_t> errors_ = 0;
  std::atomic<std::uint64_t> in_use_ = 0;
  std::atomic<bool> is_full_ = false;
};

/// The time that the calling thread has spent in transactions since it was reset.
[[nodiscard]] std::chrono::nanoseconds time_spent() noexcept;
void reset_time_spent() noexcept;

}  // namespace strata::store
