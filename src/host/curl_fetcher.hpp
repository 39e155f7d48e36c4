// Texts over http and https.
#pragma once

#include <memory>

#include "strata/host.hpp"
#include "strata/limits.hpp"

namespace strata {

/// A fetcher for http and https through libcurl, which is loaded at the first `get` of the process. Ten seconds to connect, a minute in all, ten
/// redirects, also only to http and https. Errors of `get`: as `Fetcher::get`, and `include.unavailable` where libcurl is not installed.
/// Connections are kept between requests. Thread-safe.
[[nodiscard]] std::unique_ptr<Fetcher> curl_fetcher(const Limits& limits);

}  // namespace strata
