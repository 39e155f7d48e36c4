// SPDX-License-Identifier: Apache-2.0
// Fetches texts over http and https.
#pragma once

#include <memory>

#include "strata/host.hpp"
#include "strata/limits.hpp"

namespace strata {

/// A fetcher for http and https through libcurl, which is loaded at the first `get` of the process. Limits: ten seconds
/// to connect, a minute in all, ten redirects, to http and https only. Errors of `get`: as `Fetcher::get`, and
/// `include.unavailable` if libcurl is not installed. Connections are kept between requests. Thread-safe.
[[nodiscard]] std::unique_ptr<Fetcher> curl_fetcher(const Limits& limits);

}  // namespace strata
