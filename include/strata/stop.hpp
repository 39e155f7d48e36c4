// SPDX-License-Identifier: Apache-2.0
// When a piece of work must end: a deadline, a budget, and cancellation.
#pragma once

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ctime>

#include "strata/origin.hpp"

namespace strata {

class Sources;

/// What a piece of work may use. Each byte of input adds kTimePerByte and kMemoryPerByte: large input may cost more,
/// and the cost of small input is bounded.
struct Budget {
  std::chrono::nanoseconds processor_time =
      std::chrono::nanoseconds::max();  ///< Of the working thread (`limit.processor-time`).
  std::size_t memory = SIZE_MAX;        ///< Bytes (`limit.memory`).
  /// The process does nothing else: its resident memory counts. If false, only Stop::take_memory counts.
  bool is_whole_process = false;
  const std::atomic<std::size_t>* input = nullptr;  ///< Bytes read so far. Must outlive the work. Null: none.
  const Sources* sources =
      nullptr;  ///< Resolves the origins given to Stop::at. Must outlive the work. Null: errors have no place.

  static constexpr std::chrono::nanoseconds kTimePerByte{2000};
  static constexpr std::size_t kMemoryPerByte = 64;
};

/// Ends a piece of work. `Limits::stop` carries it to all code. Loops that input can make long, and all waits for a
/// process or a server, check it. Work ends within 100 ms after the deadline or the cancellation.
///
/// A deadline can only be made earlier. Thread safety: all members may be called from several threads at once.
class Stop {
 public:
  using Clock = std::chrono::steady_clock;
  /// How long a wait may take before it checks again.
  static constexpr std::chrono::milliseconds kSlice{20};

  Stop() = default;
  explicit Stop(Clock::time_point deadline) noexcept { end_at(deadline); }
  /// For a part of a larger piece of work: it ends when that ends. `outer` may be null. It must live as long as the
  /// work; if it has a budget, it must outlive this Stop.
  explicit Stop(const Stop* outer) noexcept : outer_(outer) {}
  ~Stop();
  Stop(const Stop&) = delete;
  Stop& operator=(const Stop&) = delete;

  /// Starts the budget. Called once, by the working thread, before the work begins. The memory of a part counts for the
  /// larger work, but not the processor time of a part that has its own budget.
  void spend(const Budget& budget);
  /// Counts memory that the work takes. A part gives it back when it ends. Errors: `limit.memory`.
  void take_memory(std::size_t bytes) const;
  /// Excludes processor time of the thread that was not used for this work.
  void not_for_this(std::chrono::nanoseconds time) const noexcept {
    parts_.fetch_add(time.count(), std::memory_order_relaxed);
  }
  /// Sets the current position of the work. The error names it if the work must end.
  void at(Origin here) const noexcept { here_.store(here.location, std::memory_order_relaxed); }

  /// Ends the work at its next check.
  void cancel() noexcept { cancelled_.store(true, std::memory_order_relaxed); }
  /// Ends the work at `deadline`, if it does not end earlier.
  void end_at(Clock::time_point deadline) noexcept;

  [[nodiscard]] bool is_cancelled() const noexcept {
    return cancelled_.load(std::memory_order_relaxed) || (outer_ != nullptr && outer_->is_cancelled());
  }
  /// `Clock::time_point::max()` if there is none.
  [[nodiscard]] Clock::time_point deadline() const noexcept {
    const Clock::time_point own(Clock::duration(deadline_.load(std::memory_order_relaxed)));
    return outer_ == nullptr ? own : outer_->earlier(own);
  }
  /// Whether the work must end. If there is a deadline or a budget, it reads the clock.
  [[nodiscard]] bool is_due() const noexcept;
  /// Throws Error `session.cancelled`, `limit.time`, `limit.processor-time` or `limit.memory` if the work must end.
  void check() const {
    if (is_due()) fail();
  }
  /// Whether the budget of this work is exhausted, not that of the larger work.
  [[nodiscard]] bool is_spent() const noexcept { return overspent_.load(std::memory_order_relaxed) != Limited::no; }
  /// The earlier of `wanted` and the deadline. For waits that have their own limit.
  [[nodiscard]] Clock::time_point earlier(Clock::time_point wanted) const noexcept {
    return wanted < deadline() ? wanted : deadline();
  }

 private:
  enum class Limited : std::uint8_t { no, processor_time, memory };

  [[nodiscard]] bool has_budget() const noexcept { return has_budget_ || (outer_ != nullptr && outer_->has_budget()); }
  /// `in_part`: a part with its own budget is running.
  [[nodiscard]] bool is_overspent(Clock::time_point now, bool in_part = false) const noexcept;
  void look(Clock::time_point now, bool in_part) const noexcept;
  [[nodiscard]] std::chrono::nanoseconds processor_time(Clock::time_point now) const noexcept;
  void give_back(std::size_t bytes) const noexcept;
  [[nodiscard]] std::size_t input() const noexcept;
  [[nodiscard]] std::size_t memory_bound() const noexcept;
  [[noreturn]] void fail() const;

  // For the budget. Set before the work begins.
  bool has_budget_ = false;
  clockid_t clock_{};
  pthread_t thread_{};
  bool is_part_ = false;  ///< Of work that has a budget as well.
  bool is_of_outer_thread_ = false;
  Clock::time_point started_{};
  Budget budget_;
  static constexpr std::chrono::nanoseconds::rep kUnknown = std::chrono::nanoseconds::min().count();
  mutable std::atomic<std::chrono::nanoseconds::rep> began_ =
      kUnknown;  ///< By `clock_`. For a part, unknown until its first look.
  mutable std::atomic<std::chrono::nanoseconds::rep> parts_ =
      0;  ///< Processor time that parts of the work spent on this thread.
  mutable std::atomic<Clock::rep> next_look_ = 0;
  mutable std::atomic<std::size_t> memory_ = 0;  ///< Taken.
  mutable std::atomic<Limited> overspent_ = Limited::no;
  mutable std::atomic<std::uint32_t> here_ = 0;

  std::atomic<bool> cancelled_ = false;
  std::atomic<Clock::rep> deadline_ = Clock::duration::max().count();
  const Stop* outer_ = nullptr;
};

/// While it exists, the thread that works for `stop` does other work: its processor time does not count.
class StopPause {
 public:
  explicit StopPause(const Stop& stop) noexcept;
  ~StopPause();
  StopPause(const StopPause&) = delete;
  StopPause& operator=(const StopPause&) = delete;

 private:
  const Stop& stop_;
  std::chrono::nanoseconds began_;
};

/// For loops with long iterations. Errors: as Stop::check; none if `stop` is null.
inline void check_stop(const Stop* stop) {
  if (stop != nullptr) stop->check();
}

/// Counts work and checks a Stop from time to time, so that inner loops can call it in every iteration. Used by one
/// thread.
class StopCheck {
 public:
  explicit StopCheck(const Stop* stop) noexcept : stop_(stop) {}
  /// Errors: as Stop::check.
  void tick(std::uint32_t work = 1) {
    if (stop_ == nullptr || (done_ += work) < kInterval) return;
    done_ = 0;
    stop_->check();
  }
  /// The same, for work at a place. `here` returns the place when it is needed.
  template <std::invocable Here>
  void tick(const Here& here, std::uint32_t work = 1) {
    if (stop_ == nullptr || (done_ += work) < kInterval) return;
    done_ = 0;
    stop_->at(here());
    stop_->check();
  }

 private:
  static constexpr std::uint32_t kInterval = 1024;
  const Stop* stop_;
  std::uint32_t done_ = 0;
};

}  // namespace strata
