// SPDX-License-Identifier: Apache-2.0
// Expressions that would take hours end with the request: by a deadline, and by another thread.
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>

#include "injector_world.hpp"
#include "strata/stop.hpp"

namespace strata::bindings::testing {
namespace {

struct Endless {
  const char* name;
  const char* body;
};

/// 10^10 turns of a lambda, 10^5 searches of milliseconds each, and bindings that each take a while.
const Endless kEndlessBodies[] = {
    {"reduce",
     "bind 'x' to range(1, 100000).reduce(0) |$sum, $i| { range(1, 100000).reduce($sum) |$more, $j| { $more + $j } }"},
    {"pattern", "bind 'x' to range(1, 100000).filter |$i| { \"aaaaaaaaaaaa${i}\" =~ /^(a|a|aa)+$/ }"},
    {"nested",
     "bind 'x' to range(1, 100000).map |$i| { inject('y') }\nbind 'y' to range(1, 100000).map |$i| { range(1, $i) } { "
     "singleton => false }"},
};

class StopTest : public ::testing::TestWithParam<Endless> {
 protected:
  StopTest() { world.body(GetParam().body); }
  std::string code_of(const std::function<void()>& work) {
    try {
      work();
      return "no error";
    } catch (const Error& error) {
      EXPECT_TRUE(error.ends_request());
      return error.code();
    }
  }
  World world{{.limits = {.steps = SIZE_MAX}}};
  Stop& stop = world.session.stop();
};

TEST_P(StopTest, EndsAtTheDeadline) {
  Injector& injector = world.injector();
  stop.end_at(Stop::Clock::now() + std::chrono::milliseconds(50));
  EXPECT_EQ("limit.time", code_of([&] { (void)injector.inject("x"); }));
}

TEST_P(StopTest, EndsWhenAnotherThreadCancels) {
  Injector& injector = world.injector();
  std::thread other([this] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    stop.cancel();
  });
  EXPECT_EQ("session.cancelled", code_of([&] { (void)injector.inject("x"); }));
  other.join();
}

TEST_P(StopTest, ChecksDoNotTakeItForAFinding) {
  Injector& injector = world.injector();
  stop.end_at(Stop::Clock::now() + std::chrono::milliseconds(50));
  EXPECT_EQ("limit.time", code_of([&] { (void)injector.check(); }));
}

INSTANTIATE_TEST_SUITE_P(All, StopTest, ::testing::ValuesIn(kEndlessBodies),
                         [](const auto& made) { return std::string(made.param.name); });

TEST(StopOfCompositionTest, AHugeDocumentIsNotPrepared) {
  World world;
  std::string body;
  for (int i = 0; i < 5000; ++i) body += "bind 'k" + std::to_string(i) + "' to 1\n";
  world.body(body);
  world.session.stop().cancel();
  try {
    (void)world.injector();
    FAIL() << "it was composed";
  } catch (const Error& error) {
    EXPECT_EQ("session.cancelled", error.code());
  }
}

}  // namespace
}  // namespace strata::bindings::testing
