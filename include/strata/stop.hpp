// When a piece of work must end: a deadline, a budget, and a flag that anybody may raise.
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

/// What a piece of work may spend. Each byte of its input adds kTimePerByte and kMemoryPerByte: large input may cost what it is worth, small input is
/// bounded whatever it asks for.
struct Budget {
  std::chrono::nanoseconds processor_time = std::chrono::nanoseconds::max();  ///< Of the thread that works (`limit.processor-time`).
  std::size_t memory = SIZE_MAX;                                              ///< Bytes (`limit.memory`).
  /// The work is all that the process does: its resident memory counts. Otherwise what is taken with Stop::take_memory.
  bool is_whole_process = false;
  const std::atomic<std::size_t>* input = nullptr;  ///< Bytes read so far. Outlives the work; null: none.
  const Sources* sources = nullptr;                 ///< Which name the places that Stop::at is told. Outlives the work; null: no places are named.

  static constexpr std::chrono::nanoseconds kTimePerByte{2000};
  static constexpr std::size_t kMemoryPerByte = 64;
};

/// The end of one piece of work. `Limits::stop` takes it wherever work is charged; loops that input can make long, and every wait for another
/// process or server, look at it. Work ends within 100 ms after the deadline or the cancellation.
///
/// A deadline can only be brought forward. Thread safety: all members may be called from several threads at once.
class Stop {
 public:
  using Clock = std::chrono::steady_clock;
  /// The longest that a wait may take before it looks at the Stop again.
  static constexpr std::chrono::milliseconds kSlice{20};

  Stop() = default;
  explicit Stop(Clock::time_point deadline) noexcept { end_at(deadline); }
  /// A part of a larger piece of work: it ends with that as well. `outer` may be null. It lives as long as the work; if it has a budget, longer than
  /// this Stop.
  explicit Stop(const Stop* outer) noexcept : outer_(outer) {}
  ~Stop();
  Stop(const Stop&) = delete;
  Stop& operator=(const Stop&) = delete;

  /// From now on the work spends of `budget`. Called once, by the thread that works, before it begins. Processor time of a part with a budget of its
  /// own is not that of the larger work; its memory is.
  void spend(const Budget& budget);
  /// The work took so much memory, which a part gives back when it ends. Errors: `limit.memory`.
  void take_memory(std::size_t bytes) const;
  /// This much of the processor time that the thread took was not for this work.
  void not_for_this(std::chrono::nanoseconds time) const noexcept { parts_.fetch_add(time.count(), std::memory_order_relaxed); }
  /// Where the work is: what is named when it must end.
  void at(Origin here) const noexcept { here_.store(here.location, std::memory_order_relaxed); }

  /// Ends the work as soon as it looks here.
  void cancel() noexcept { cancelled_.store(true, std::memory_order_relaxed); }
  /// Ends the work at `deadline`, unless it ends earlier already.
  void end_at(Clock::time_point deadline) noexcept;

  [[nodiscard]] bool is_cancelled() const noexcept {
    return cancelled_.load(std::memory_order_relaxed) || (outer_ != nullptr && outer_->is_cancelled());
  }
  /// `Clock::time_point::max()` where there is none.
  [[nodiscard]] Clock::time_point deadline() const noexcept {
    const Clock::time_point own(Clock::duration(deadline_.load(std::memory_order_relaxed)));
    return outer_ == nullptr ? own : outer_->earlier(own);
  }
  /// Whether the work must end. Costs a look at the clock where there is a deadline or a budget.
  [[nodiscard]] bool is_due() const noexcept {
    if (is_cancelled()) return true;
    const Clock::time_point end = deadline();
    if (end == Clock::time_point::max() && !has_budget()) return false;
    const Clock::time_point now = Clock::now();
    return now >= end || is_overspent(now);
  }
  /// Throws Error `session.cancelled`, `limit.time`, `limit.processor-time` or `limit.memory` where the work must end.
  void check() const {
    if (is_due()) fail();
  }
  /// Whether the work's own budget is spent, not that of a larger piece of work that it is a part of.
  [[nodiscard]] bool is_spent() const noexcept { return overspent_.load(std::memory_order_relaxed) != Limited::no; }
  /// The earlier of `wanted` and the deadline: how long a wait that has a limit of its own may take.
  [[nodiscard]] Clock::time_point earlier(Clock::time_point wanted) const noexcept { return wanted < deadline() ? wanted : deadline(); }

 private:
  enum class Limited : std::uint8_t { no, processor_time, memory };

  [[nodiscard]] bool has_budget() const noexcept { return has_budget_ || (outer_ != nullptr && outer_->has_budget()); }
  /// `in_part`: a part with a budget of its own is under way.
  [[nodiscard]] bool is_overspent(Clock::time_point now, bool in_part = false) const noexcept {
    if (has_budget_ && now.time_since_epoch().count() >= next_look_.load(std::memory_order_relaxed)) look(now, in_part);
    return is_spent() || (outer_ != nullptr && outer_->is_overspent(now, in_part || has_budget_));
  }
  void look(Clock::time_point now, bool in_part) const noexcept;
  void give_back(std::size_t bytes) const noexcept;
  [[nodiscard]] std::size_t input() const noexcept;
  [[nodiscard]] std::size_t memory_bound() const noexcept;
  [[noreturn]] void fail() const;

  // What the budget needs, set before the work begins.
  bool has_budget_ = false;
  clockid_t clock_{};
  pthread_t thread_{};
  bool is_part_ = false;  ///< Of work that has a budget as well.
  bool is_of_outer_thread_ = false;
  std::chrono::nanoseconds began_{};  ///< By `clock_`.
  Budget budget_;
  mutable std::atomic<std::chrono::nanoseconds::rep> parts_ = 0;  ///< Processor time that parts of the work spent on this thread.
  mutable std::atomic<Clock::rep> next_look_ = 0;
  mutable std::atomic<std::size_t> memory_ = 0;  ///< Taken.
  mutable std::atomic<Limited> overspent_ = Limited::no;
  mutable std::atomic<std::uint32_t> here_ = 0;

  std::atomic<bool> cancelled_ = false;
  std::atomic<Clock::rep> deadline_ = Clock::duration::max().count();
  const Stop* outer_ = nullptr;
};

/// While it lives, the thread that works for `stop` works for something else: its processor time does not count there.
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

/// For loops whose turns are long. Errors: as Stop::check; none where `stop` is null.
inline void check_stop(const Stop* stop) {
  if (stop != nullptr) stop->check();
}

/// Counts work, and looks at a Stop once in a while, so that inner loops may ask at every turn. One thread's.
class StopCheck {
 public:
  explicit StopCheck(const Stop* stop) noexcept : stop_(stop) {}
  /// Errors: as Stop::check.
  void tick(std::uint32_t work = 1) {
    if (stop_ == nullptr || (done_ += work) < kInterval) return;
    done_ = 0;
    stop_->check();
  }
  /// The same, for work at a place: `here` gives it where it is wanted.
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
