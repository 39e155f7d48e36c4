// SPDX-License-Identifier: Apache-2.0
#include "strata/reading_for.hpp"

namespace strata {
namespace {

thread_local constinit const Stop* current = nullptr;

}  // namespace

ReadingFor::ReadingFor(const Stop* stop) noexcept : before_(current) {
  if (stop != nullptr) current = stop;
}
ReadingFor::~ReadingFor() { current = before_; }

const Stop* ReadingFor::stop() noexcept { return current; }

}  // namespace strata
