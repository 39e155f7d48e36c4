// SPDX-License-Identifier: Apache-2.0
// libcjose, loaded when the first JWT comes.
#pragma once

#include <cjose/cjose.h>

#include "tree/shared_library.hpp"

namespace strata::service {

/// The functions of libcjose that are used here.
class Jose : LibraryFunctions {
 public:
  /// The instance of this process, which is never unloaded. Throws Error `service.jose` if the library is missing.
  /// Thread-safe.
  [[nodiscard]] static const Jose& loaded();

 private:
  Jose() : LibraryFunctions({"libcjose.so.0"}) {}

 public:
// NOLINTNEXTLINE(bugprone-macro-parentheses): a declaration
#define STRATA_JOSE(name) decltype(&cjose_##name) name = find<decltype(&cjose_##name)>("cjose_" #name)
  STRATA_JOSE(header_get);
  STRATA_JOSE(jwk_import);
  STRATA_JOSE(jwk_release);
  STRATA_JOSE(jws_get_protected);
  STRATA_JOSE(jws_import);
  STRATA_JOSE(jws_release);
  STRATA_JOSE(jws_verify);
#undef STRATA_JOSE
};

}  // namespace strata::service
