// SPDX-License-Identifier: Apache-2.0
// What a service does that finds no memory now: one request, or one turn of a thread, may fail of it, the process must
// not.
#pragma once

#include <chrono>
#include <new>
#include <thread>

namespace strata::service {

/// Does a piece of work, such as a turn of a thread that goes on for ever. False: there was no memory, and it is left
/// out.
template <class Work>
bool if_memory_allows(Work&& work) {
  try {
    work();
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

/// Does what must be done, again and again while there is no memory for it: others give some back.
template <class Work>
void as_soon_as_memory_allows(Work&& work) {
  constexpr std::chrono::milliseconds kPause{20};
  while (!if_memory_allows(work)) std::this_thread::sleep_for(kPause);
}

}  // namespace strata::service
