// SPDX-License-Identifier: Apache-2.0
// A merge ends soon after its request was cancelled, wherever it walks.
#include <gtest/gtest.h>
#include <pthread.h>

#include <ctime>
#include <functional>
#include <semaphore>
#include <thread>

#include "strata/builder.hpp"
#include "strata/stop.hpp"
#include "support/expect_error.hpp"
#include "world.hpp"

namespace strata::merge {
namespace {

constexpr int kSize = 50'000;

std::string word(int i) { return "word number " + std::to_string(i); }

Value texts(Arena& arena, int first) {
  SequenceBuilder list(arena, kSize);
  for (int i = first; i < first + kSize; ++i) list.append(arena.text(word(i)));
  return list.finish();
}

/// Numbers below keys.
Value numbers(Arena& arena, int first) {
  MappingBuilder mapping(arena, KeyEquality::python, kSize);
  for (int i = first; i < first + kSize; ++i) mapping.insert(word(i), Value::integer(i));
  return mapping.finish();
}

/// Small mappings in a list.
Value records(Arena& arena, int first) {
  SequenceBuilder list(arena, kSize);
  for (int i = first; i < first + kSize; ++i) {
    MappingBuilder record(arena, KeyEquality::python, 1);
    record.insert("number", Value::integer(i));
    list.append(record.finish());
  }
  return list.finish();
}

Value below(Arena& arena, const Value& member) {
  MappingBuilder mapping(arena, KeyEquality::python, 1);
  mapping.insert("member", member);
  return mapping.finish();
}

struct Case {
  const char* name;
  Strategy strategy;
  std::function<Value(Arena& arena)> old;
  std::function<Value(Arena& arena)> incoming;
};

std::vector<Case> cases() {
  const auto old_texts = [](Arena& arena) { return texts(arena, 0); };
  const auto new_texts = [](Arena& arena) { return texts(arena, kSize / 2); };
  const auto nothing = [](Arena& arena) { return arena.mapping(); };
  const std::string grown = "absent <- sequence|mapping: self_merge\n";
  return {
      {"Union", rules("sequence <- sequence: union"), old_texts, new_texts},
      {"Deep", deep_replace(), [](Arena& arena) { return numbers(arena, 0); },
       [](Arena& arena) { return numbers(arena, kSize / 2); }},
      {"SelfMerge", rules("mapping <- mapping: recurse\nsequence <- sequence: union", grown), nothing,
       [](Arena& arena) { return below(arena, texts(arena, 0)); }},
      {"SelfMergeOfMappings", rules("mapping <- mapping: recurse", grown), nothing,
       [](Arena& arena) { return below(arena, numbers(arena, 0)); }},
      {"ByIndex", rules("sequence <- sequence: by_index", "", "mapping <- mapping: recurse"),
       [](Arena& arena) { return records(arena, 0); }, [](Arena& arena) { return records(arena, 1); }},
      {"Lists", rules("sequence <- sequence: merge_lists", "", "", "knockout: \"--\"\nsort lists"), old_texts,
       new_texts},
      {"Characters", rules("sequence <- text: characters_as_items\nsequence <- sequence: append"), old_texts,
       [](Arena& arena) { return arena.text(std::string(kSize, 'x')); }},
  };
}

/// Processor time of a thread, which the load of the machine does not change.
double seconds(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

class Stopping : public ::testing::TestWithParam<std::tuple<std::size_t, bool>> {
 protected:
  Stopping() {
    world.limits.stop = &stop;
    old = asked.old(world.arena);
    incoming = asked.incoming(world.arena);
  }
  [[nodiscard]] Recorder& recorder() { return world.recorder(std::get<1>(GetParam())); }
  void merge() {
    Arena arena;
    (void)merge::merge({old, {}}, {incoming, {}}, asked.strategy, arena, world.limits, recorder());
  }

  World world;
  Stop stop;
  const Case asked = cases()[std::get<0>(GetParam())];
  Value old;
  Value incoming;
};

TEST_P(Stopping, EveryWalkLooksAtIt) {
  EXPECT_NO_THROW(merge());
  stop.cancel();
  STRATA_EXPECT_ERROR(merge(), "session.cancelled");
  Accumulator total(world.arena, world.limits, recorder());
  total.start({old, {}});
  STRATA_EXPECT_ERROR(total.merge({incoming, {}}, asked.strategy), "session.cancelled");
}

TEST_P(Stopping, EndsSoonAfterAnotherThreadCancels) {
  clockid_t clock{};
  ASSERT_EQ(pthread_getcpuclockid(pthread_self(), &clock), 0);
  std::binary_semaphore begun(0);
  double cancelled = 0;
  std::thread other([&] {
    begun.acquire();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    cancelled = seconds(clock);
    stop.cancel();
  });
  begun.release();
  bool has_ended = false;
  try {
    while (true) merge();
  } catch (const Error& error) {
    has_ended = error.ends_request();
  }
  const double ended = seconds(clock);
  other.join();
  EXPECT_TRUE(has_ended);
  // Processor time of this thread alone; the bound is 0.1 s in what is shipped, and sanitizers take their share.
  EXPECT_LT(ended - cancelled, 3.0);
}

INSTANTIATE_TEST_SUITE_P(Merges, Stopping,
                         ::testing::Combine(::testing::Range(std::size_t{0}, cases().size()), ::testing::Bool()),
                         [](const auto& which) {
                           return std::string(cases()[std::get<0>(which.param)].name) +
                                  (std::get<1>(which.param) ? "Recorded" : "Plain");
                         });

TEST(Stopping, ManySmallMergesAreStopped) {
  World world;
  Stop stop;
  world.limits.stop = &stop;
  Accumulator total(world.arena, world.limits, world.nothing);
  total.start({world.arena.mapping(), {}});
  stop.cancel();
  const auto fold = [&] {
    for (int i = 0; i < 10'000; ++i) total.merge({below(world.arena, Value::integer(i)), {}}, deep_replace());
  };
  STRATA_EXPECT_ERROR(fold(), "session.cancelled");
}

TEST(Stopping, FlatteningIsStopped) {
  World world;
  Stop stop;
  world.limits.stop = &stop;
  SequenceBuilder nested(world.arena);
  nested.append(texts(world.arena, 0));
  stop.cancel();
  for (const bool keeps : {false, true}) {
    STRATA_EXPECT_ERROR((void)flattened({nested.finish(), {}}, world.arena, world.limits, world.recorder(keeps)),
                        "session.cancelled");
  }
}

}  // namespace
}  // namespace strata::merge
