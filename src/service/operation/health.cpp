// SPDX-License-Identifier: Apache-2.0
#include "service/operation/health.hpp"

#include <chrono>
#include <exception>

#include "service/memory.hpp"

namespace strata::service {
namespace {

constexpr std::chrono::seconds kHealthInterval{1};

}  // namespace

Health::~Health() {
  {
    const std::scoped_lock lock(mutex_);
    is_over_ = true;
  }
  ended_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Health::start() {
  look();
  thread_ = std::thread([this] {
    std::unique_lock lock(mutex_);
    while (!ended_.wait_for(lock, kHealthInterval, [this] { return is_over_; })) {
      lock.unlock();
      if_memory_allows([this] { look(); });
      lock.lock();
    }
  });
}

void Health::look() {
  std::map<std::string, std::string> wrong;
  for (const Named& one : probes_) {
    std::string text;
    try {
      text = one.probe();
    } catch (const std::exception& failure) {
      text = failure.what();
    }
    if (!text.empty()) wrong.emplace(one.name, std::move(text));
  }
  const std::scoped_lock lock(mutex_);
  wrong_ = std::move(wrong);
}

std::map<std::string, std::string> Health::wrong() const {
  std::map<std::string, std::string> out;
  {
    const std::scoped_lock lock(mutex_);
    out = wrong_;
  }
  for (const Named& one : states_) {
    if (std::string text = one.probe(); !text.empty()) out.emplace(one.name, std::move(text));
  }
  if (is_draining_) out.emplace("service", "the service is stopping");
  return out;
}

}  // namespace strata::service
