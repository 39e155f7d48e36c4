// SPDX-License-Identifier: Apache-2.0
#include "strata/stop.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "strata/error.hpp"
#include "value/sanitized.hpp"

namespace strata {
namespace {

// What a sanitizer adds to time and memory is not the input's.
constexpr int kSlowdown = kIsSanitized ? 20 : 1;
/// Between two looks at the processor time.
constexpr std::chrono::milliseconds kEvery{5};

std::chrono::nanoseconds time_of(clockid_t clock) noexcept {
  timespec time{};
  // The clock of a thread that has ended no longer runs: its work is done.
  if (clock_gettime(clock, &time) != 0) return std::chrono::nanoseconds::zero();
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

/// Bytes of the process that are in memory; 0 where the system does not tell.
std::size_t resident_memory() noexcept {
  static const int file = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  static const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  std::array<char, 128> text{};
  const ssize_t length = file < 0 ? 0 : ::pread(file, text.data(), text.size(), 0);
  if (length <= 0) return 0;
  const std::string_view words(text.data(), static_cast<std::size_t>(length));
  const std::size_t space = words.find(' ');
  std::size_t pages = 0;
  if (space != std::string_view::npos) std::from_chars(words.data() + space + 1, words.data() + words.size(), pages);
  return pages * page;
}

/// a + b * c, or the largest number.
std::size_t saturated(std::size_t a, std::size_t b, std::size_t c) noexcept {
  std::size_t product = 0;
  std::size_t sum = 0;
  return __builtin_mul_overflow(b, c, &product) || __builtin_add_overflow(a, product, &sum) ? SIZE_MAX : sum;
}

}  // namespace

void Stop::end_at(Clock::time_point deadline) noexcept {
  const Clock::rep wanted = deadline.time_since_epoch().count();
  Clock::rep known = deadline_.load(std::memory_order_relaxed);
  while (wanted < known && !deadline_.compare_exchange_weak(known, wanted, std::memory_order_relaxed)) {
  }
}

bool Stop::is_due() const noexcept {
  if (is_cancelled()) return true;
  const Clock::time_point end = deadline();
  if (end == Clock::time_point::max() && !has_budget()) return false;
  const Clock::time_point now = Clock::now();
  return now >= end || is_overspent(now);
}

bool Stop::is_overspent(Clock::time_point now, bool in_part) const noexcept {
  if (has_budget_ && now.time_since_epoch().count() >= next_look_.load(std::memory_order_relaxed)) look(now, in_part);
  return is_spent() || (outer_ != nullptr && outer_->is_overspent(now, in_part || has_budget_));
}

void Stop::spend(const Budget& budget) {
  budget_ = budget;
  thread_ = pthread_self();
  if (pthread_getcpuclockid(thread_, &clock_) != 0) clock_ = CLOCK_THREAD_CPUTIME_ID;
  started_ = Clock::now();
  is_part_ = outer_ != nullptr && outer_->has_budget();
  is_of_outer_thread_ = outer_ != nullptr && outer_->has_budget_ && pthread_equal(outer_->thread_, thread_) != 0;
  // The clock of a thread costs a system call, and most parts end before their first look: a node of a fleet takes
  // microseconds.
  if (is_part_) {
    next_look_ = (started_ + kEvery).time_since_epoch().count();
  } else {
    began_ = time_of(clock_).count();
  }
  has_budget_ = true;
}

Stop::~Stop() {
  if (!is_part_) return;
  // What a part took goes with it, and its processor time was its own.
  outer_->give_back(memory_.load(std::memory_order_relaxed));
  if (!is_of_outer_thread_) return;
  const auto began = began_.load(std::memory_order_relaxed);
  outer_->not_for_this(began == kUnknown ? Clock::now() - started_ : time_of(clock_) - std::chrono::nanoseconds(began));
}

/// That was spent since the work began.
std::chrono::nanoseconds Stop::processor_time(Clock::time_point now) const noexcept {
  const std::chrono::nanoseconds time = time_of(clock_);
  auto began = began_.load(std::memory_order_relaxed);
  if (began == kUnknown) {
    // Before its first look a part may have waited or worked: it counts as work until it should have looked.
    const std::chrono::nanoseconds passed = now - started_;
    const std::chrono::nanoseconds counted = std::min<std::chrono::nanoseconds>(passed, kEvery);
    const auto wanted = (time - counted).count();
    if (began_.compare_exchange_strong(began, wanted, std::memory_order_relaxed)) {
      began = wanted;
      if (is_of_outer_thread_) outer_->not_for_this(passed - counted);
    }
  }
  return time - std::chrono::nanoseconds(began);
}

std::size_t Stop::input() const noexcept {
  return budget_.input == nullptr ? 0 : budget_.input->load(std::memory_order_relaxed);
}

std::size_t Stop::memory_bound() const noexcept {
  return saturated(saturated(budget_.memory, input(), Budget::kMemoryPerByte), static_cast<std::size_t>(kSlowdown - 1),
                   budget_.memory);
}

void Stop::look(Clock::time_point now, bool in_part) const noexcept {
  next_look_.store((now + kEvery).time_since_epoch().count(), std::memory_order_relaxed);
  const auto bound = static_cast<std::size_t>(budget_.processor_time.count());
  const std::chrono::nanoseconds spent =
      in_part ? std::chrono::nanoseconds::zero()
              : processor_time(now) - std::chrono::nanoseconds(parts_.load(std::memory_order_relaxed));
  const std::size_t allowed = saturated(bound, input(), static_cast<std::size_t>(Budget::kTimePerByte.count()));
  if (spent.count() > 0 && static_cast<std::size_t>(spent.count()) / static_cast<std::size_t>(kSlowdown) > allowed) {
    overspent_.store(Limited::processor_time, std::memory_order_relaxed);
  } else if (budget_.is_whole_process && resident_memory() > memory_bound()) {
    overspent_.store(Limited::memory, std::memory_order_relaxed);
  }
}

void Stop::take_memory(std::size_t bytes) const {
  if (outer_ != nullptr) outer_->take_memory(bytes);
  if (memory_.fetch_add(bytes, std::memory_order_relaxed) + bytes <= memory_bound() || !has_budget_) return;
  overspent_.store(Limited::memory, std::memory_order_relaxed);
  fail();
}

void Stop::give_back(std::size_t bytes) const noexcept {
  if (outer_ != nullptr) outer_->give_back(bytes);
  memory_.fetch_sub(bytes, std::memory_order_relaxed);
}

void Stop::fail() const {
  const auto located = [this](Error&& error) {
    const Origin here{here_.load(std::memory_order_relaxed)};
    // The line may hold a secret.
    if (here && budget_.sources != nullptr) error.at(*budget_.sources, here).without_lines();
    return std::move(error);
  };
  if (is_cancelled()) throw Error("session.cancelled", "the request was cancelled");
  if (const Limited limited = overspent_.load(std::memory_order_relaxed); limited == Limited::memory) {
    throw located(Error("limit.memory", "the request takes more memory than its limit"))
        .hint("does the input grow without an end? Otherwise raise the limit with --limit memory=BYTES");
  } else if (limited == Limited::processor_time) {
    throw located(Error("limit.processor-time", "the request takes more processor time than its limit"))
        .hint(
            "does the input ask for work without an end? Otherwise raise the limit with --limit "
            "processor-seconds=NUMBER");
  }
  if (outer_ != nullptr && outer_->is_spent()) outer_->fail();
  throw located(Error("limit.time", "the request takes longer than its time limit"))
      .hint("ask for less at once, or raise the limit with --limit seconds=NUMBER");
}

StopPause::StopPause(const Stop& stop) noexcept : stop_(stop), began_(time_of(CLOCK_THREAD_CPUTIME_ID)) {}
StopPause::~StopPause() { stop_.not_for_this(time_of(CLOCK_THREAD_CPUTIME_ID) - began_); }

}  // namespace strata
