// SPDX-License-Identifier: Apache-2.0
// A script that never ends ends with the request: by a deadline, and by another thread.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "extensions_world.hpp"
#include "strata/stop.hpp"

namespace strata::bindings::extensions {
namespace {

constexpr const char* kScripts[] = {
    "strata.producer('p', function() while true do end end)\n",
    // What holds errors up cannot hold this one up.
    "strata.producer('p', function() while true do pcall(function() while true do end end) end end)\n",
};

const Limits kEndless{.steps = SIZE_MAX};

std::string code_of(World& world) {
  try {
    return world.produce("p");
  } catch (const Error& error) {
    EXPECT_TRUE(error.ends_request());
    return error.code();
  }
}

TEST(ExtensionsStop, EndsAtTheDeadline) {
  for (const char* script : kScripts) {
    World world(script, kEndless);
    Stop& stop = world.session.stop();
    (void)world.registry();
    stop.end_at(Stop::Clock::now() + std::chrono::milliseconds(50));
    EXPECT_EQ("limit.time", code_of(world)) << script;
  }
}

TEST(ExtensionsStop, EndsWhenAnotherThreadCancels) {
  for (const char* script : kScripts) {
    World world(script, kEndless);
    Stop& stop = world.session.stop();
    (void)world.registry();
    std::thread other([&stop] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      stop.cancel();
    });
    EXPECT_EQ("session.cancelled", code_of(world)) << script;
    other.join();
  }
}

}  // namespace
}  // namespace strata::bindings::extensions
