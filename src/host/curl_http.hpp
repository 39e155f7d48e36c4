// Questions over http and https.
#pragma once

#include <memory>

#include "strata/host.hpp"

namespace strata {

/// A client through libcurl, which is loaded at the first `post`. Errors: as HttpClient::post.
[[nodiscard]] std::unique_ptr<HttpClient> curl_http();

}  // namespace strata
