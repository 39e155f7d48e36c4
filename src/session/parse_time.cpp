// SPDX-License-Identifier: Apache-2.0
#include "session/parse_time.hpp"

namespace strata {
namespace {

thread_local std::chrono::nanoseconds parse_time_spent{0};
thread_local bool is_parsing = false;

}  // namespace

ParseTimer::ParseTimer() noexcept
    : is_outer_(!is_parsing),
      began_(is_outer_ ? std::chrono::steady_clock::now() : std::chrono::steady_clock::time_point()) {
  is_parsing = true;
}

ParseTimer::~ParseTimer() {
  if (!is_outer_) return;
  is_parsing = false;
  parse_time_spent += std::chrono::steady_clock::now() - began_;
}

std::chrono::nanoseconds ParseTimer::spent() noexcept { return parse_time_spent; }
void ParseTimer::reset() noexcept { parse_time_spent = {}; }

}  // namespace strata
