// SPDX-License-Identifier: Apache-2.0
#include "service/channel.hpp"

#include <utility>

namespace strata::service {
namespace {

void tell(const std::function<void()>& told) {
  if (told) told();
}

}  // namespace

bool Channel::push(std::string_view piece) {
  std::function<void()> ready;
  {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [this] { return is_left_ || is_over_ || waiting_.size() < most_; });
    if (is_left_ || is_over_) return false;
    if (waiting_.empty()) ready = ready_;
    waiting_ += piece;
  }
  tell(ready);
  return true;
}

bool Channel::offer(std::string_view piece) {
  std::function<void()> ready;
  bool is_taken = false;
  {
    const std::scoped_lock lock(mutex_);
    if (is_left_ || is_over_) return false;
    is_taken = waiting_.size() + piece.size() <= most_;
    if (waiting_.empty() || !is_taken) ready = ready_;
    if (is_taken) {
      waiting_ += piece;
    } else {
      is_over_ = true;
    }
  }
  tell(ready);
  return is_taken;
}

void Channel::close() {
  std::function<void()> ready;
  {
    const std::scoped_lock lock(mutex_);
    if (std::exchange(is_over_, true)) return;
    ready = ready_;
  }
  room_.notify_all();
  tell(ready);
}

void Channel::on_gone(const std::function<void()>& told) {
  {
    const std::scoped_lock lock(mutex_);
    if (!is_left_) {
      gone_ = told;
      return;
    }
  }
  told();
}

void Channel::on_ready(const std::function<void()>& told) {
  bool is_ready = false;
  {
    const std::scoped_lock lock(mutex_);
    ready_ = told;
    is_ready = is_over_ || !waiting_.empty();
  }
  if (is_ready) told();
}

Channel::Taken Channel::take() {
  Taken out;
  {
    const std::scoped_lock lock(mutex_);
    out.bytes = std::exchange(waiting_, {});
    out.is_over = is_over_;
  }
  room_.notify_all();
  return out;
}

void Channel::leave() {
  std::function<void()> gone;
  {
    const std::scoped_lock lock(mutex_);
    if (std::exchange(is_left_, true)) return;
    waiting_ = {};
    ready_ = nullptr;
    gone = std::exchange(gone_, nullptr);
  }
  room_.notify_all();
  tell(gone);
}

}  // namespace strata::service
