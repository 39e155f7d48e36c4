// libcurl, loaded when it is first needed.
#pragma once

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

#include <cstddef>
#include <memory>
#include <string>

#include "tree/shared_library.hpp"

namespace strata {

/// What libcurl has received so far.
struct CurlReceived {
  std::string bytes;
  std::size_t limit = 0;
  bool too_large = false;

  /// For CURLOPT_WRITEFUNCTION; `target` is a CurlReceived.
  static std::size_t write(char* data, std::size_t size, std::size_t count, void* target) {
    auto& received = *static_cast<CurlReceived*>(target);
    if (size * count > received.limit - received.bytes.size()) {
      received.too_large = true;
      return 0;
    }
    received.bytes.append(data, size * count);
    return size * count;
  }
};

/// The functions of libcurl that are used here.
class Curl {
 public:
  /// Null where the library is missing or too old.
  [[nodiscard]] static std::unique_ptr<Curl> load() {
    auto curl = std::unique_ptr<Curl>(new Curl);
    return curl->is_complete_ && curl->global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK ? std::move(curl) : nullptr;
  }

 private:
  std::unique_ptr<SharedLibrary> library_ = SharedLibrary::open({"libcurl.so.4"});
  bool is_complete_ = true;

  Curl() = default;
  template <class Function>
  Function find(const char* name) {
    const auto function = library_ != nullptr ? library_->symbol<Function>(name) : nullptr;
    if (function == nullptr) is_complete_ = false;
    return function;
  }

 public:
// NOLINTNEXTLINE(bugprone-macro-parentheses): a declaration
#define STRATA_CURL(name) decltype(&curl_##name) name = find<decltype(&curl_##name)>("curl_" #name)
  STRATA_CURL(global_init);
  STRATA_CURL(easy_init);
  STRATA_CURL(easy_cleanup);
  STRATA_CURL(easy_setopt);
  STRATA_CURL(easy_perform);
  STRATA_CURL(easy_getinfo);
  STRATA_CURL(easy_strerror);
  STRATA_CURL(slist_append);
  STRATA_CURL(slist_free_all);
#undef STRATA_CURL
};

}  // namespace strata
