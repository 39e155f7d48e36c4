// SPDX-License-Identifier: Apache-2.0
// libcurl, loaded on first use, once per process.
#pragma once

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

#include <memory>

#include "tree/shared_library.hpp"

namespace strata {

/// The functions of libcurl that are used here.
class Curl : LibraryFunctions {
 public:
  /// The instance of this process, which is never unloaded. Null if the library is missing or too old. Thread-safe.
  [[nodiscard]] static const Curl* loaded() {
    static const Curl* const curl = [] {
      auto made = std::unique_ptr<Curl>(new Curl);
      const bool is_usable = made->is_complete() && made->global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
      return is_usable ? made.release() : nullptr;
    }();
    return curl;
  }

 private:
  Curl() : LibraryFunctions({"libcurl.so.4"}) {}

 public:
// NOLINTNEXTLINE(bugprone-macro-parentheses): a declaration
#define STRATA_CURL(name) decltype(&curl_##name) name = find<decltype(&curl_##name)>("curl_" #name)
  STRATA_CURL(global_init);
  STRATA_CURL(easy_init);
  STRATA_CURL(easy_cleanup);
  STRATA_CURL(easy_reset);
  STRATA_CURL(easy_setopt);
  STRATA_CURL(easy_getinfo);
  STRATA_CURL(easy_strerror);
  STRATA_CURL(multi_init);
  STRATA_CURL(multi_cleanup);
  STRATA_CURL(multi_setopt);
  STRATA_CURL(multi_add_handle);
  STRATA_CURL(multi_remove_handle);
  STRATA_CURL(multi_perform);
  STRATA_CURL(multi_poll);
  STRATA_CURL(multi_info_read);
  STRATA_CURL(slist_append);
  STRATA_CURL(slist_free_all);
#undef STRATA_CURL
};

}  // namespace strata
