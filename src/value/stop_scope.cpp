// SPDX-License-Identifier: Apache-2.0
#include "strata/stop_scope.hpp"

namespace strata {
namespace {

thread_local constinit const Stop* current = nullptr;

}  // namespace

StopScope::StopScope(const Stop* stop) noexcept : before_(current) {
  if (stop != nullptr) current = stop;
}
StopScope::~StopScope() { current = before_; }

const Stop* StopScope::stop() noexcept { return current; }

}  // namespace strata
