// SPDX-License-Identifier: Apache-2.0
// Pieces of work on several threads, with their results in order.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <utility>

#include "lent_threads.hpp"
#include "strata/stop_scope.hpp"

namespace strata::detail {

/// Works on jobs ahead of the caller, who takes the results one after the other and works as well. Results, and the
/// first error, are those of one thread. Used by one thread.
template <class Job, class Result>
class InOrder {
 public:
  /// The next job; none at the end. Called by one thread at a time.
  using Source = std::function<std::optional<Job>()>;
  /// Called by several threads.
  using Work = std::function<Result(Job)>;

  /// `executor`, `levels`: as for LentThreads. `ahead`: so many results more than there are threads may wait to be
  /// taken.
  InOrder(std::shared_ptr<Executor> executor, std::size_t levels, Source source, Work work, std::size_t ahead = 2)
      : source_(std::move(source)),
        work_(std::move(work)),
        threads_(std::move(executor), levels, [this] { help(); }),
        window_(2 * threads_.width() + ahead) {}
  /// Jobs that have not begun are dropped.
  ~InOrder() {
    const std::lock_guard lock(mutex_);
    is_over_ = is_abandoned_ = true;
  }
  InOrder(const InOrder&) = delete;
  InOrder& operator=(const InOrder&) = delete;

  /// The result of the next job; none at the end. Throws what the source or the work threw for it; then there is no
  /// further one.
  std::optional<Result> next() {
    for (;;) {
      for (std::size_t i = 0; i < threads_.width(); ++i) threads_.call();
      std::unique_lock lock(mutex_);
      if (is_done(taken_)) {
        auto done = done_.extract(taken_++);
        if (done.mapped().error) std::rethrow_exception(done.mapped().error);
        return std::move(done.mapped().result);
      }
      if (auto begun = begin()) {
        lock.unlock();
        finish(std::move(*begun));
      } else if (is_over_ && taken_ == begun_) {
        return std::nullopt;
      } else {
        // What comes next is another thread's.
        produced_.wait(lock, [this] { return is_done(taken_); });
      }
    }
  }

  /// Whether results are no longer taken: long work may end early.
  [[nodiscard]] bool is_abandoned() {
    const std::lock_guard lock(mutex_);
    return is_abandoned_;
  }

 private:
  struct Begun {
    std::size_t number;
    Job job;
  };
  struct Done {
    std::optional<Result> result = {};
    std::exception_ptr error = {};
    bool is_done = false;
  };

  /// None where there are no more, or no room. The mutex is held.
  std::optional<Begun> begin() {
    if (is_over_ || begun_ >= taken_ + window_) return std::nullopt;
    Done& done = done_[begun_];  // Without memory for it, nothing is begun.
    try {
      if (auto job = source_()) return Begun{begun_++, std::move(*job)};
      done_.erase(begun_);
    } catch (...) {
      done.error = std::current_exception();
      done.is_done = true;
      ++begun_;
      produced_.notify_one();
    }
    is_over_ = true;
    return std::nullopt;
  }

  void finish(Begun begun) {
    std::optional<Result> result;
    std::exception_ptr error;
    try {
      result.emplace(work_(std::move(begun.job)));
    } catch (...) {
      error = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    if (error) is_over_ = true;
    Done& done = done_.at(begun.number);
    done.result = std::move(result);
    done.error = std::move(error);
    done.is_done = true;
    if (begun.number == taken_) produced_.notify_one();
  }

  [[nodiscard]] bool is_done(std::size_t number) const {
    const auto found = done_.find(number);
    return found != done_.end() && found->second.is_done;
  }

  /// What another thread does.
  void help() noexcept try {
    const StopScope work(stop_);
    for (;;) {
      std::unique_lock lock(mutex_);
      auto begun = begin();
      lock.unlock();
      if (!begun) return;
      finish(std::move(*begun));
    }
  } catch (const std::bad_alloc&) {
    // Nothing was begun: the caller's thread works.
  }

  Source source_;
  Work work_;
  std::mutex mutex_;                  ///< Of all below, and of the source.
  std::condition_variable produced_;  ///< The result that is taken next is there.
  std::map<std::size_t, Done> done_;  ///< Begun and not taken yet.
  std::size_t begun_ = 0;
  std::size_t taken_ = 0;
  bool is_over_ = false;  ///< No job is begun any more.
  bool is_abandoned_ = false;
  const Stop* stop_ = StopScope::stop();  ///< Of the caller: the threads work for the same.
  LentThreads threads_;                   ///< Ends before all others.
  std::size_t window_;
};

}  // namespace strata::detail
