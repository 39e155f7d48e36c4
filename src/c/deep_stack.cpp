// SPDX-License-Identifier: Apache-2.0
#include "deep_stack.hpp"

#include <pthread.h>

#include <exception>

#include "cli/options.hpp"
#include "strata/error.hpp"
#include "strata/stack.hpp"

namespace strata::c {
namespace {

constexpr std::size_t kStack =
    std::size_t{24} << 20U;  ///< Bytes. They hold the most levels that the limit `depth` takes, in every kind of build.

struct Job {
  const std::function<void()>& work;
  std::exception_ptr failure = {};
};

extern "C" void* run_job(void* given) {
  Job& job = *static_cast<Job*>(given);
  try {
    job.work();
  } catch (...) {
    job.failure = std::current_exception();
  }
  return nullptr;
}

/// Somewhat more than is asked for: the work asks again a few calls further down.
bool holds(std::size_t levels) { return deepest_on_stack() >= levels + levels / 16; }

/// Does work on a thread of its own. False: there can be none.
bool done_elsewhere(const std::function<void()>& work) {
  Job job{work};
  pthread_attr_t attributes;
  pthread_t thread{};
  if (pthread_attr_init(&attributes) != 0) throw std::bad_alloc();
  const bool runs =
      pthread_attr_setstacksize(&attributes, kStack) == 0 && pthread_create(&thread, &attributes, run_job, &job) == 0;
  pthread_attr_destroy(&attributes);
  if (!runs) return false;
  pthread_join(thread, nullptr);
  if (job.failure) std::rethrow_exception(job.failure);
  return true;
}

[[noreturn]] void fail() {
  throw Error("limit.stack", "the stack of this thread is small, and there can be no other thread")
      .hint("call strata from a thread with a larger stack");
}

}  // namespace

void on_deep_stack(std::size_t levels, const std::function<void()>& work) {
  if (holds(levels)) return work();
  if (!done_elsewhere(work)) fail();
}

void on_deepest_stack(const std::function<void()>& work) {
  if (holds(cli::SharedOptions::kDeepest)) return work();
  if (done_elsewhere(work)) return;
  // Most options say nothing about it.
  if (!holds(Limits().depth)) fail();
  work();
}

}  // namespace strata::c
