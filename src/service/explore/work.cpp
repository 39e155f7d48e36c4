// SPDX-License-Identifier: Apache-2.0
#include "service/explore/work.hpp"

#include <optional>
#include <utility>

#include "service/memory.hpp"
#include "strata/question_over.hpp"
#include "strata/stop_scope.hpp"

namespace strata::service::explore {
namespace {

/// Who leaves a page often comes to another one that asks for the same.
constexpr std::chrono::seconds kStillWanted{5};
constexpr std::chrono::milliseconds kTold{200};

class CountingAsked final : public analysis::Asked {
 public:
  CountingAsked(std::unique_ptr<analysis::Asked> asked, Work& work) : asked_(std::move(asked)), work_(work) {}
  std::unique_ptr<analysis::Subject> next() override {
    work_.count();
    return asked_->next();
  }
  void restart() override { asked_->restart(); }
  std::unique_ptr<analysis::Subject> subject(const std::shared_ptr<const analysis::Member>& member) override {
    work_.count();
    return asked_->subject(member);
  }
  std::optional<analysis::Touched> touched(const analysis::Basis& basis,
                                           const std::vector<std::string>& files) override {
    return asked_->touched(basis, files);
  }
  [[nodiscard]] std::vector<Diagnostic> warnings() const override { return asked_->warnings(); }
  void tell(const std::vector<Diagnostic>& warnings) override { asked_->tell(warnings); }

 private:
  std::unique_ptr<analysis::Asked> asked_;
  Work& work_;
};

class CountingQuestion final : public analysis::QuestionOver {
 public:
  CountingQuestion(const analysis::Question& question, Work& work) : question_(question), work_(work) {}
  [[nodiscard]] std::unique_ptr<analysis::Asked> in(const analysis::State& state, History history,
                                                    Telling telling) const override {
    return std::make_unique<CountingAsked>(question_.in(state, history, telling), work_);
  }

 private:
  [[nodiscard]] const analysis::Question& under() const noexcept override { return question_; }

  const analysis::Question& question_;
  Work& work_;
};

}  // namespace

Work::~Work() {
  {
    const std::scoped_lock lock(mutex_);
    if (running_) running_->cancel();
  }
  if (thread_.joinable()) thread_.join();
}

bool Work::is_done() const {
  const std::scoped_lock lock(mutex_);
  return state_ == State::done;
}

/// With the lock.
void Work::start(std::size_t all, const Run& run) {
  if (state_ == State::running || state_ == State::done) return;
  if (thread_.joinable()) thread_.join();  // It has told its end already.
  state_ = State::running;
  failure_ = nullptr;
  done_ = 0;
  next_look_ = (Stop::Clock::now() + kTold).time_since_epoch().count();
  progress_.all = all;
  running_ = std::make_unique<Stop>();
  thread_ = std::thread([this, run] { work(run); });
}

void Work::work(const Run& run) {
  std::exception_ptr failure;
  try {
    const StopScope scope(running_.get());
    run(*running_);
  } catch (...) {
    failure = std::current_exception();
  }
  if (tell_)
    if_memory_allows([&] {
      Progress over = progress_;
      over.done = done_;
      over.is_over = true;
      tell_(over);
    });
  const std::scoped_lock lock(mutex_);
  state_ = failure ? State::failed : State::done;
  failure_ = failure;
  ended_.notify_all();
}

void Work::count() {
  const std::size_t done = ++done_;
  const auto now = Stop::Clock::now();
  auto look = next_look_.load(std::memory_order_relaxed);
  if (now.time_since_epoch().count() < look) return;
  // One thread looks, of those that count at once.
  if (!next_look_.compare_exchange_strong(look, (now + kTold).time_since_epoch().count())) return;
  {
    const std::scoped_lock lock(mutex_);
    if (waiting_ == 0 && !is_wanted_ && now > left_ + kStillWanted) running_->cancel();
  }
  if (!tell_) return;
  Progress told = progress_;
  told.done = done;
  tell_(told);
}

void Work::wait(const Stop& stop, std::size_t all, const Run& run) {
  std::unique_lock lock(mutex_);
  if (state_ == State::done) return;
  ++waiting_;
  try {
    for (bool has_begun = false;;) {
      // A run that was cancelled ended without a result.
      const bool was_given_up = state_ == State::failed && running_->is_cancelled();
      if (state_ == State::idle || was_given_up || (state_ == State::failed && !has_begun)) {
        start(all, run);
      }
      if (state_ == State::done) break;
      if (state_ == State::failed) std::rethrow_exception(failure_);
      has_begun = true;
      ended_.wait_for(lock, Stop::kSlice);
      stop.check();
    }
  } catch (...) {
    --waiting_;
    left_ = Stop::Clock::now();
    throw;
  }
  --waiting_;
  left_ = Stop::Clock::now();
}

bool Work::begin(std::chrono::milliseconds patience, std::size_t all, const Run& run) {
  std::unique_lock lock(mutex_);
  is_wanted_ = true;
  if (state_ == State::idle) start(all, run);
  ended_.wait_for(lock, patience, [this] { return state_ != State::running; });
  return state_ == State::done;
}

std::unique_ptr<const analysis::Question> counting(const analysis::Question& question, Work& work) {
  return std::make_unique<const CountingQuestion>(question, work);
}

}  // namespace strata::service::explore
