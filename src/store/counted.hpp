// SPDX-License-Identifier: Apache-2.0
// A database whose transactions are counted, and that knows whether it is full.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>

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
  bool is_full = false;       ///< A write found no room, and none as large has found some since.
};

/// Thread-safe.
class CountedDatabase final : public Database {
 public:
  /// `on_full` is told when there is no room any more, and when there is again.
  CountedDatabase(std::unique_ptr<Database> inner, std::function<void(bool is_full)> on_full)
      : inner_(std::move(inner)), on_full_(std::move(on_full)) {}

  void write(const Work& work, const WriteOptions& options) override;
  void read(const Work& work, const ReadOptions& options) override;
  void write_alone(const Work& work) override { inner_->write_alone(work); }
  [[nodiscard]] std::unique_ptr<Hints> hints() override { return inner_->hints(); }
  [[nodiscard]] Dialect dialect() const noexcept override { return inner_->dialect(); }
  [[nodiscard]] std::string name() const override { return inner_->name(); }

  [[nodiscard]] Usage usage() const;
  [[nodiscard]] bool is_full() const noexcept { return is_full_; }
  /// Of a full database: writes about as much as found no room, and takes it away again. Then it is full no more.
  /// Errors: `write`.
  void look_for_room(const WriteOptions& options);

 private:
  struct Counts {
    std::array<std::atomic<std::uint64_t>, Usage::kBounds.size() + 1> counts{};
    std::atomic<std::uint64_t> nanoseconds = 0;
  };
  template <class Run>
  void counted(Counts& counts, const Work& work, const Run& run);
  void found_no_room(std::size_t size);
  void found_room(std::size_t size);
  static Usage::Times told(const Counts& counts);

  std::unique_ptr<Database> inner_;
  Counts reads_;
  Counts writes_;
  std::atomic<std::uint64_t> retries_ = 0;
  std::atomic<std::uint64_t> errors_ = 0;
  std::atomic<std::uint64_t> in_use_ = 0;
  std::function<void(bool is_full)> on_full_;
  std::mutex filling_;  ///< Guards the changes of the two below.
  std::atomic<bool> is_full_ = false;
  std::size_t missing_ = 0;  ///< About as many bytes found no room.
};

/// The time that the calling thread has spent in transactions since it was reset.
[[nodiscard]] std::chrono::nanoseconds time_spent() noexcept;
void reset_time_spent() noexcept;

}  // namespace strata::store
