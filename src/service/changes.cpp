// SPDX-License-Identifier: Apache-2.0
#include "service/changes.hpp"

#include <fmt/format.h>

#include <charconv>
#include <exception>
#include <utility>

#include "service/memory.hpp"
#include "store/store.hpp"

namespace strata::service {
namespace {

constexpr std::chrono::milliseconds kPollInterval{500};
constexpr std::int64_t kMost = 10'000;  ///< Changes that are read at once.
constexpr std::chrono::seconds kReadTimeout{2};

store::ReadOptions in_time() { return {.deadline = std::chrono::steady_clock::now() + kReadTimeout}; }

}  // namespace

ChangeFeed::ChangeFeed(store::Store& store) : store_(store), hints_(store.database().hints()) {}

ChangeFeed::~ChangeFeed() {
  {
    const std::scoped_lock lock(mutex_);
    is_over_ = true;
  }
  ended_.notify_all();
  if (hints_ != nullptr) hints_->wake();
  if (thread_.joinable()) thread_.join();
}

void ChangeFeed::start() {
  std::vector<store::Project> projects;
  store_.read([&projects](store::Transaction& transaction) { projects = store::projects(transaction); });
  {
    const std::scoped_lock lock(mutex_);
    for (const store::Project& one : projects) seen_[one.name] = one.last_change;
  }
  thread_ = std::thread([this] { attend(); });
}

void ChangeFeed::attend() {
  std::chrono::steady_clock::time_point next = std::chrono::steady_clock::now() + kPollInterval;
  bool is_over = false;
  const auto turn = [&] {
    const std::vector<std::string> heard = wait_for_others(next);
    {
      const std::scoped_lock lock(mutex_);
      is_over = is_over_;
    }
    if (is_over) return;
    for (const std::string& one : heard) {
      const std::size_t colon = one.rfind(':');
      if (colon == std::string::npos) continue;
      const std::string project = one.substr(0, colon);
      std::int64_t number = 0;
      std::from_chars(one.data() + colon + 1, one.data() + one.size(), number);
      std::unique_lock lock(mutex_);
      const auto found = seen_.find(project);
      const bool is_new = found == seen_.end() || found->second < number;
      lock.unlock();
      if (is_new) look(project);
    }
    if (std::chrono::steady_clock::now() < next) return;
    look_at_all();
    next = std::chrono::steady_clock::now() + kPollInterval;
  };
  while (!is_over) as_soon_as_memory_allows(turn);
}

std::vector<std::string> ChangeFeed::wait_for_others(std::chrono::steady_clock::time_point end) {
  std::unique_lock lock(mutex_);
  if (hints_ == nullptr) {
    ended_.wait_until(lock, end, [this] { return is_over_; });
    return {};
  }
  std::vector<std::string> texts;
  for (const std::string& project : std::exchange(written_, {}))
    texts.push_back(fmt::format("{}:{}", project, seen_[project]));
  if (is_over_) return {};
  lock.unlock();
  return hints_->exchange(texts, end);
}

void ChangeFeed::wrote(const std::string& project) noexcept {
  look(project);
  if (hints_ == nullptr) return;
  try {
    const std::scoped_lock lock(mutex_);
    written_.insert(project);
  } catch (const std::bad_alloc&) {
    return;  // The others look by themselves.
  }
  hints_->wake();
}

void ChangeFeed::look_at_all() noexcept {
  std::vector<store::Project> projects;
  try {
    store_.read([&projects](store::Transaction& transaction) { projects = store::projects(transaction); }, in_time());
  } catch (const std::exception&) {
    return;
  }
  for (const store::Project& one : projects) {
    bool is_new = false;
    {
      const std::scoped_lock lock(mutex_);
      const auto found = seen_.find(one.name);
      is_new = found == seen_.end() || found->second < one.last_change;
    }
    if (is_new) look(one.name);
  }
}

void ChangeFeed::look(const std::string& project) noexcept {
  try {
    tell(project);
  } catch (const std::exception&) {
    // The store does not answer; see the declaration.
  }
}

void ChangeFeed::tell(const std::string& project) {
  const std::scoped_lock telling(telling_);
  for (;;) {
    std::int64_t seen = 0;
    {
      const std::scoped_lock lock(mutex_);
      seen = seen_[project];
    }
    std::vector<store::Change> changes;
    store_.read(
        [&](store::Transaction& transaction) {
          changes.clear();
          if (const auto found = store::find_project(transaction, project))
            changes = store::changes_after(transaction, *found, seen, kMost);
        },
        in_time());
    for (const store::Change& change : changes) {
      for (const Listener& listener : listeners_) listener(project, change);
    }
    if (!changes.empty()) {
      const std::scoped_lock lock(mutex_);
      seen_[project] = changes.back().number;
    }
    if (static_cast<std::int64_t>(changes.size()) < kMost) return;
  }
}

bool ChangeFeed::reaches(const std::string& project, std::int64_t number) {
  const auto is_told = [&] {
    const std::scoped_lock lock(mutex_);
    const auto found = seen_.find(project);
    return found != seen_.end() && found->second >= number;
  };
  if (is_told()) return true;
  look(project);
  return is_told();
}

}  // namespace strata::service
