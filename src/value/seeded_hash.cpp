// SPDX-License-Identifier: Apache-2.0
#include "seeded_hash.hpp"

#include <sys/random.h>

#include <chrono>

namespace strata::detail {
namespace {

HashSeed make_seed() noexcept {
  HashSeed seed{};
  if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) != static_cast<ssize_t>(sizeof seed)) {
    // Before the machine has any: what an attacker cannot see from outside either.
    const auto now = static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
    seed = {.start = now * 0x9E3779B97F4A7C15ULL, .factor = (now << 32U) ^ reinterpret_cast<std::uintptr_t>(&seed)};
  }
  seed.factor |= 1U;
  return seed;
}

}  // namespace

// Static values of other files have keys.
[[gnu::init_priority(101)]] const HashSeed hash_seed = make_seed();

}  // namespace strata::detail
