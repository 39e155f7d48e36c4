// SPDX-License-Identifier: Apache-2.0
#include "curl_fetcher.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "strata/error.hpp"
#include "transfer.hpp"
#include "value/shown_url.hpp"

namespace strata {
namespace {

std::string lower_ascii(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; });
  return text;
}

constexpr std::chrono::seconds kConnectTimeout{10};
constexpr std::chrono::seconds kTimeout{60};
constexpr long kRedirects = 10;

class CurlFetcher final : public Fetcher {
 public:
  explicit CurlFetcher(std::size_t max_bytes) : max_bytes_(max_bytes) {}

  std::string get(const std::string& url, const Stop* stop) override {
    const std::string scheme = lower_ascii(url.substr(0, url.find(':')));
    if (scheme != "http" && scheme != "https") {
      throw Error(
          "include.network",
          fmt::format("cannot include '{}': only http and https are supported over the network", shown_url(url)));
    }
    auto done = transfer({.url = url,
                          .body = {},
                          .headers = {},
                          .ca = {},
                          .certificate = {},
                          .key = {},
                          .redirects = kRedirects,
                          .fails_on_status = true,
                          .connect_timeout = kConnectTimeout,
                          .timeout = kTimeout,
                          .max_bytes = max_bytes_,
                          .stop = stop});
    if (!done) {
      throw Error("include.unavailable",
                  "includes over the network need the library libcurl.so.4, which is missing or too old")
          .hint("install it (Debian: apt-get install libcurl4)");
    }
    if (done->is_too_large) {
      throw Error("limit.input", fmt::format("the include '{}' has more than {} bytes", shown_url(url), max_bytes_))
          .hint("raise it with --limit input=BYTES");
    }
    if (!done->problem.empty())
      throw Error("include.fetch", fmt::format("cannot fetch the include '{}': {}", shown_url(url), done->problem));
    return std::move(done->body);
  }

 private:
  std::size_t max_bytes_;
};

}  // namespace

std::unique_ptr<Fetcher> curl_fetcher(const Limits& limits) { return std::make_unique<CurlFetcher>(limits.input); }

}  // namespace strata
