// SPDX-License-Identifier: Apache-2.0
#include "crypto_library.hpp"

#include <memory>

#include "strata/error.hpp"

namespace strata {

const Crypto& Crypto::loaded() {
  static const Crypto* const crypto = [] {
    auto made = std::unique_ptr<Crypto>(new Crypto);
    return made->is_complete() ? made.release() : nullptr;
  }();
  if (crypto == nullptr)
    throw Error("crypto.unavailable", "libcrypto.so.3 is not installed").hint("install OpenSSL 3 (Debian: libssl3)");
  return *crypto;
}

}  // namespace strata
