// SPDX-License-Identifier: Apache-2.0
// What takes long to find out: it is found out once, by a thread of its own, while those who asked wait and hear how
// far it is.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "strata/question.hpp"
#include "strata/stop.hpp"

namespace strata::service::explore {

/// How far a piece of work is.
struct Progress {
  std::string project = {};
  std::string revision = {};
  std::string_view work = {};  ///< `coverage`, `findings`, `survey`.
  std::size_t done = 0;        ///< Subjects that were asked.
  std::size_t all = 0;         ///< 0: nobody knows how many it takes.
  bool is_over = false;
};
using TellProgress = std::function<void(const Progress& progress)>;

/// A piece of work. It ends early when nobody has waited for it for a while; whoever asks then begins it anew.
/// Thread-safe.
class Work {
 public:
  /// `tell` may be empty. It is called by the thread that works.
  Work(Progress progress, TellProgress tell) : progress_(std::move(progress)), tell_(std::move(tell)) {}
  ~Work();
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

  using Run = std::function<void(const Stop& stop)>;
  /// Starts the work if nobody has, and waits for its end. `all`: how many subjects it asks, 0 if that is not known.
  /// Errors: those of `run`, and of `stop`.
  void wait(const Stop& stop, std::size_t all, const Run& run);
  /// The same, but waits no longer than `patience`; the work goes on to its end. False: it has not ended yet, or has
  /// failed.
  bool begin(std::chrono::milliseconds patience, std::size_t all, const Run& run);
  [[nodiscard]] bool is_done() const;
  /// Of `run`: one more subject is asked.
  void count();

 private:
  enum class State : std::uint8_t { idle, running, done, failed };
  void start(std::size_t all, const Run& run);
  void work(const Run& run);

  Progress progress_;  ///< `done` and `is_over` are not used.
  TellProgress tell_;
  std::atomic<std::size_t> done_ = 0;
  std::atomic<Stop::Clock::rep> next_look_ = 0;

  mutable std::mutex mutex_;  ///< Of all below.
  std::condition_variable ended_;
  State state_ = State::idle;
  std::exception_ptr failure_;
  std::size_t waiting_ = 0;
  bool is_wanted_ = false;              ///< Even if nobody waits.
  Stop::Clock::time_point left_ = {};   ///< When the last one who waited left.
  std::unique_ptr<Stop> running_ = {};  ///< Of the present run.
  std::thread thread_;
};

/// A value that a Work makes.
template <class T>
class Once {
 public:
  using Make = std::function<T(const Stop& stop)>;
  Once(Progress progress, TellProgress tell) : work_(std::move(progress), std::move(tell)) {}

  const T& get(const Stop& stop, std::size_t all, const Make& make) {
    work_.wait(stop, all, run_of(make));
    return *value_;
  }
  /// Null: it is not there yet.
  const T* get_within(std::chrono::milliseconds patience, std::size_t all, const Make& make) {
    return work_.begin(patience, all, run_of(make)) ? value_.get() : nullptr;
  }
  /// Null: it is not there yet.
  [[nodiscard]] const T* peek() const { return work_.is_done() ? value_.get() : nullptr; }
  [[nodiscard]] Work& work() noexcept { return work_; }

 private:
  Work::Run run_of(const Make& make) {
    return [this, make](const Stop& stop) { value_ = std::make_unique<T>(make(stop)); };
  }
  std::unique_ptr<T> value_;
  Work work_;  ///< Ends before the value does.
};

/// `question`, whose subjects count for `work`. Both must outlive the object.
[[nodiscard]] std::unique_ptr<const analysis::Question> counting(const analysis::Question& question, Work& work);

}  // namespace strata::service::explore
