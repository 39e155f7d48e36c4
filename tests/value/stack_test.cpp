// SPDX-License-Identifier: Apache-2.0
// How much of a stack is left: in threads of any size, and on stacks that are none of a thread's.
#include "strata/stack.hpp"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <functional>
#include <string>
#include <vector>

#include "strata/error.hpp"
#include "value/sanitized.hpp"

namespace strata {
namespace {

/// Sanitizers need more for each level, and some of the stack for themselves.
constexpr std::size_t kKiB = std::size_t{kIsSanitized ? 16 : 1} << 10U;
/// A stack that does not hold the default depth.
constexpr std::size_t kSmallStack = std::size_t{kIsSanitized ? 2048 : 256} << 10U;

/// Runs `work` in a thread with so large a stack: one of its own, since the C library may give a thread a larger one
/// that is left over.
void on_stack(std::size_t bytes, const std::function<void()>& work) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstack(&attributes, memory, bytes), 0);
  pthread_t thread{};
  const auto run = [](void* argument) -> void* {
    (*static_cast<const std::function<void()>*>(argument))();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, run, const_cast<std::function<void()>*>(&work)),
            0);  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  pthread_attr_destroy(&attributes);
  pthread_join(thread, nullptr);
  munmap(memory, bytes);
}

/// Levels of a recursion until it is ended, at most `most`.
// NOLINTNEXTLINE(misc-no-recursion)
std::size_t depth_of(const Limits& limits, std::size_t most) {
  volatile char taken[200];  // NOLINT(*-avoid-c-arrays)
  taken[0] = 0;
  check_stack(limits);
  const std::size_t below = most == 0 ? 0 : depth_of(limits, most - 1);
  return below + 1 + static_cast<std::size_t>(taken[0]);
}

std::string code_of(const std::function<void()>& work) {
  try {
    work();
    return "none";
  } catch (const Error& error) {
    return error.code();
  }
}

TEST(Stack, IsThatOfTheThread) {
  for (const std::size_t size : {256 * kKiB, 1024 * kKiB, 16384 * kKiB}) {
    on_stack(size, [&] {
      EXPECT_LE(stack_left(), size);
      EXPECT_GE(stack_left(), size / 2);
    });
  }
}

TEST(Stack, ALargerOneHoldsMore) {
  std::size_t before = 0;
  for (const std::size_t size : {256 * kKiB, 1024 * kKiB, 16384 * kKiB}) {
    on_stack(size, [&] {
      EXPECT_GT(deepest_on_stack(), before);
      before = deepest_on_stack();
    });
  }
  EXPECT_GT(before, Limits().depth);
}

TEST(Stack, RecursionEndsBeforeItIsFull) {
  on_stack(256 * kKiB, [] {
    Limits limits;
    limits.depth = 10;
    EXPECT_EQ(code_of([&] { (void)depth_of(limits, 50); }), "none");
    EXPECT_EQ(code_of([&] { (void)depth_of(limits, SIZE_MAX); }), "limit.stack");
    // What values take is left.
    limits.depth = deepest_on_stack();
    EXPECT_EQ(code_of([&] { check_stack(limits); }), "none");
    EXPECT_EQ(code_of([&] { check_stack(2 * limits.depth + 100); }), "limit.stack");
  });
}

TEST(Stack, ATooSmallOneIsRefused) {
  on_stack(kSmallStack, [] {
    Limits limits;
    EXPECT_EQ(code_of([&] { require_stack(limits); }), "limit.stack");
    limits.depth = deepest_on_stack();
    EXPECT_EQ(code_of([&] { require_stack(limits); }), "none");
  });
  EXPECT_EQ(code_of([] { require_stack(Limits()); }), "none");
}

ucontext_t here;
ucontext_t there;
std::size_t left_there = 0;

TEST(Stack, ThatOfACoroutineIsNotKnown) {
  if (kIsSanitized) GTEST_SKIP() << "sanitizers want to be told of other stacks";
  EXPECT_LT(stack_left(), SIZE_MAX);
  std::vector<char> stack(std::size_t{64} << 10U);
  ASSERT_EQ(getcontext(&there), 0);
  there.uc_stack.ss_sp = stack.data();
  there.uc_stack.ss_size = stack.size();
  there.uc_link = &here;
  makecontext(
      &there,
      [] {
        left_there = stack_left();
        check_stack(1'000'000);
      },
      0);
  ASSERT_EQ(swapcontext(&here, &there), 0);
  EXPECT_EQ(left_there, SIZE_MAX);
}

}  // namespace
}  // namespace strata
