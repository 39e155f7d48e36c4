// SPDX-License-Identifier: Apache-2.0
// Sends requests over http and https.
#pragma once

#include <memory>

#include "strata/host.hpp"

namespace strata {

/// A client through libcurl, which is loaded at the first `post` of the process. All clients of the process share
/// connections, which are kept between requests. Thread-safe. Errors: as HttpClient::post.
[[nodiscard]] std::unique_ptr<HttpClient> curl_http();

}  // namespace strata
