// SPDX-License-Identifier: Apache-2.0
#include "service/housekeeping.hpp"

#include <chrono>

#include "service/operation/log.hpp"
#include "store/encoding.hpp"
#include "store/records.hpp"
#include "store/store.hpp"
#include "strata/error.hpp"

namespace strata::service {
namespace {

constexpr std::chrono::hours kHousekeepingInterval{1};
constexpr std::chrono::hours kDay{24};

/// A time before now, as the store writes times.
std::int64_t ago(std::chrono::hours time) { return store::now() - std::chrono::microseconds(time).count(); }

}  // namespace

Housekeeping::Housekeeping(store::Store& store, Log& log) : store_(store), log_(log) {
  thread_ = std::thread([this] {
    look_at_keys();
    std::unique_lock lock(mutex_);
    do {
      lock.unlock();
      clean();
      lock.lock();
    } while (!ended_.wait_for(lock, kHousekeepingInterval, [this] { return is_over_; }));
  });
}

Housekeeping::~Housekeeping() {
  {
    const std::scoped_lock lock(mutex_);
    is_over_ = true;
  }
  ended_.notify_all();
  thread_.join();
}

void Housekeeping::look_at_keys() noexcept {
  try {
    for (const auto& [key, count] : store_.missing_keys()) {
      log_.write("warning", "key-missing",
                 {{"key", std::string_view(key)},
                  {"values", count},
                  {"hint", std::string_view("--key names the key that they were sealed under")}});
    }
  } catch (const std::exception& failure) {
    log_.write("warning", "key-missing", {{"message", std::string_view(failure.what())}});
  }
}

void Housekeeping::clean() noexcept {
  try {
    std::int64_t removed = 0;
    store_.database().write([&removed](store::Transaction& transaction) {
      removed = store::remove_requests(transaction, ago(kDay)) + store::remove_changes(transaction, ago(7 * kDay)) +
                store::remove_audit(transaction, ago(400 * kDay));
    });
    if (removed != 0) log_.write("info", "cleaned", {{"rows", removed}});
  } catch (const std::exception& failure) {
    log_.write("warning", "clean.failed", {{"message", std::string_view(failure.what())}});
  }
}

}  // namespace strata::service
