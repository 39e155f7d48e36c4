// Questions over http and https.
#pragma once

#include <memory>

#include "strata/host.hpp"

namespace strata {

/// A client through libcurl, which is loaded at the first `post` of the process. Connections are kept between requests, for all clients of the
/// process. Thread-safe. Errors: as HttpClient::post.
[[nodiscard]] std::unique_ptr<HttpClient> curl_http();

}  // namespace strata
