// When a piece of work must end: a deadline, and a flag that anybody may raise.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace strata {

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
  /// A part of a larger piece of work: it ends with that as well. `outer` may be null, and outlives this one.
  explicit Stop(const Stop* outer) noexcept : outer_(outer) {}
  Stop(const Stop&) = delete;
  Stop& operator=(const Stop&) = delete;

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
  /// Whether the work must end. Costs a look at the clock where there is a deadline.
  [[nodiscard]] bool is_due() const noexcept {
    if (is_cancelled()) return true;
    const Clock::time_point end = deadline();
    return end != Clock::time_point::max() && Clock::now() >= end;
  }
  /// Throws Error `session.cancelled` or `limit.time` where the work must end.
  void check() const {
    if (is_due()) fail();
  }
  /// The earlier of `wanted` and the deadline: how long a wait that has a limit of its own may take.
  [[nodiscard]] Clock::time_point earlier(Clock::time_point wanted) const noexcept { return wanted < deadline() ? wanted : deadline(); }

 private:
  [[noreturn]] void fail() const;

  std::atomic<bool> cancelled_ = false;
  std::atomic<Clock::rep> deadline_ = Clock::duration::max().count();
  const Stop* outer_ = nullptr;
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

 private:
  static constexpr std::uint32_t kInterval = 1024;
  const Stop* stop_;
  std::uint32_t done_ = 0;
};

}  // namespace strata
