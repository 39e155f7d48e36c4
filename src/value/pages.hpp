// SPDX-License-Identifier: Apache-2.0
// Asks the kernel for pages at once, instead of one at a time when they are first written.
#pragma once

#include <cstddef>

namespace strata::detail {

/// Says that all of this memory, which may be uninitialised, will be written soon. Its contents stay. Does nothing
/// where there is little to gain, and where the kernel cannot do it (before Linux 5.14).
void populate(void* memory, std::size_t size) noexcept;

}  // namespace strata::detail
