#include "service/changes.hpp"

#include <exception>

#include "store/store.hpp"

namespace strata::service {
namespace {

constexpr std::chrono::milliseconds kInterval{500};
constexpr std::int64_t kMost = 10'000;  ///< Changes that are read at once.
constexpr std::chrono::seconds kPatience{2};

store::ReadOptions in_time() { return {.deadline = std::chrono::steady_clock::now() + kPatience}; }

}  // namespace

ChangeFeed::~ChangeFeed() {
  {
    const std::scoped_lock lock(mutex_);
    is_over_ = true;
  }
  told_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void ChangeFeed::start() {
  std::vector<store::Project> projects;
  store_.read([&projects](store::Transaction& transaction) { projects = store::projects(transaction); });
  {
    const std::scoped_lock lock(mutex_);
    for (const store::Project& one : projects) seen_[one.name] = one.last_change;
  }
  thread_ = std::thread([this] {
    std::unique_lock lock(mutex_);
    while (!told_.wait_for(lock, kInterval, [this] { return is_over_; })) {
      lock.unlock();
      look_at_all();
      lock.lock();
    }
  });
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
      is_new = seen_[one.name] < one.last_change;
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
          if (const auto found = store::find_project(transaction, project)) changes = store::changes_after(transaction, *found, seen, kMost);
        },
        in_time());
    for (const store::Change& change : changes) {
      for (const Listener& listener : listeners_) listener(project, change);
    }
    if (!changes.empty()) {
      const std::scoped_lock lock(mutex_);
      seen_[project] = changes.back().number;
    }
    told_.notify_all();
    if (static_cast<std::int64_t>(changes.size()) < kMost) return;
  }
}

bool ChangeFeed::wait(const std::string& project, std::int64_t number, std::chrono::steady_clock::time_point end) {
  const auto is_told = [&] {
    const auto found = seen_.find(project);
    return found != seen_.end() && found->second >= number;
  };
  {
    const std::scoped_lock lock(mutex_);
    if (is_told()) return true;
  }
  look(project);
  std::unique_lock lock(mutex_);
  return told_.wait_until(lock, end, is_told);
}

}  // namespace strata::service
