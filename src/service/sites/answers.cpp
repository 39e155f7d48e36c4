// SPDX-License-Identifier: Apache-2.0
#include "service/sites/answers.hpp"

#include <utility>

namespace strata::service::sites {

/// With what the tables take.
std::size_t Answers::Entry::size() const noexcept {
  constexpr std::size_t kAround = 256;
  return kAround + 2 * question.size() + answer.body->size();
}

std::optional<Answers::Kept> Answers::find(std::uint64_t state, const std::string& question) {
  const std::scoped_lock lock(mutex_);
  const auto of_state = by_state_.find(state);
  if (of_state == by_state_.end()) return std::nullopt;
  const auto found = of_state->second.find(question);
  if (found == of_state->second.end()) return std::nullopt;
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->answer;
}

void Answers::keep(std::uint64_t state, const std::string& question, Kept answer) {
  const std::scoped_lock lock(mutex_);
  auto& of_state = by_state_[state];
  if (of_state.contains(question)) return;
  entries_.push_front({.state = state, .question = question, .answer = std::move(answer)});
  of_state.emplace(question, entries_.begin());
  bytes_ += entries_.front().size();
}

void Answers::drop(std::uint64_t state) {
  Entries gone;  // Freed without the lock.
  const std::scoped_lock lock(mutex_);
  const auto of_state = by_state_.find(state);
  if (of_state == by_state_.end()) return;
  for (const auto& [question, entry] : of_state->second) {
    bytes_ -= entry->size();
    gone.splice(gone.end(), entries_, entry);
  }
  by_state_.erase(of_state);
}

void Answers::shrink(std::size_t bytes) {
  Entries gone;
  const std::scoped_lock lock(mutex_);
  while (bytes_ > bytes && !entries_.empty()) {
    const auto last = std::prev(entries_.end());
    bytes_ -= last->size();
    const auto of_state = by_state_.find(last->state);
    of_state->second.erase(last->question);
    if (of_state->second.empty()) by_state_.erase(of_state);
    gone.splice(gone.end(), entries_, last);
  }
}

}  // namespace strata::service::sites
