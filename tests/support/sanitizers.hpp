// SPDX-License-Identifier: Apache-2.0
// What a test cannot see where a sanitizer stands between it and the process.
#pragma once

namespace strata::test {

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define STRATA_TEST_ADDRESS_SANITIZER 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define STRATA_TEST_ADDRESS_SANITIZER 1
#endif

#ifdef STRATA_TEST_ADDRESS_SANITIZER
inline constexpr bool kAddressSanitizer = true;
#else
inline constexpr bool kAddressSanitizer = false;
#endif
#ifdef __SANITIZE_THREAD__
inline constexpr bool kThreadSanitizer = true;
#else
inline constexpr bool kThreadSanitizer = false;
#endif

}  // namespace strata::test
