// SPDX-License-Identifier: Apache-2.0
#include "pages.hpp"

#include <sys/mman.h>

#include <cstdint>

namespace strata::detail {

void populate(void* memory, std::size_t size) noexcept {
#ifdef MADV_POPULATE_WRITE
  constexpr std::uintptr_t kPage = 4096;
  constexpr std::size_t kLeast = 4 * kPage;  // Measured: below, the call costs what it saves.
  if (size < kLeast) return;
  const auto begin = (reinterpret_cast<std::uintptr_t>(memory) + kPage - 1) & ~(kPage - 1);
  const auto end = (reinterpret_cast<std::uintptr_t>(memory) + size) & ~(kPage - 1);
  // Where it fails (older kernels, larger pages), nothing is lost.
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address inside of `memory`
  (void)madvise(reinterpret_cast<void*>(begin), end - begin, MADV_POPULATE_WRITE);
#endif
}

}  // namespace strata::detail
