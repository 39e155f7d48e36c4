// SPDX-License-Identifier: Apache-2.0
#include "service/identity/jose_library.hpp"

#include <memory>

#include "strata/error.hpp"

namespace strata::service {

const Jose& Jose::loaded() {
  static const Jose* const jose = [] {
    auto made = std::unique_ptr<Jose>(new Jose);
    return made->is_complete() ? made.release() : nullptr;
  }();
  if (jose == nullptr)
    throw Error("service.jose", "libcjose.so.0 is not installed")
        .hint("install it (Debian: apt-get install libcjose0)");
  return *jose;
}

}  // namespace strata::service
