#include "curl_fetcher.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "curl_library.hpp"
#include "strata/error.hpp"
#include "value/shown_url.hpp"

namespace strata {
namespace {

std::string lower_ascii(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; });
  return text;
}

constexpr long kConnectSeconds = 10;
constexpr long kSeconds = 60;
constexpr long kRedirects = 10;

[[noreturn]] void fail_to_load() {
  throw Error("include.unavailable", "includes over the network need the library libcurl.so.4, which is missing or too old")
      .hint("install it (Debian: apt-get install libcurl4)");
}

class CurlFetcher final : public Fetcher {
 public:
  explicit CurlFetcher(std::size_t max_bytes) : max_bytes_(max_bytes) {}

  std::string get(const std::string& url) override {
    const std::string scheme = lower_ascii(url.substr(0, url.find(':')));
    if (scheme != "http" && scheme != "https") {
      throw Error("include.network", fmt::format("cannot include '{}': only http and https are supported over the network", shown_url(url)));
    }
    if (!curl_) curl_ = Curl::load();
    if (!curl_) fail_to_load();
    const std::unique_ptr<CURL, decltype(curl_->easy_cleanup)> handle(curl_->easy_init(), curl_->easy_cleanup);
    if (!handle) fail_to_load();
    CurlReceived received{.bytes = {}, .limit = max_bytes_};
    std::array<char, CURL_ERROR_SIZE> problem{};
    const auto set = [&](CURLoption option, auto value) {
      if (curl_->easy_setopt(handle.get(), option, value) != CURLE_OK) fail_to_load();
    };
    set(CURLOPT_URL, url.c_str());
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
    set(CURLOPT_FOLLOWLOCATION, 1L);
    set(CURLOPT_MAXREDIRS, kRedirects);
    set(CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
    set(CURLOPT_TIMEOUT, kSeconds);
    set(CURLOPT_FAILONERROR, 1L);
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_USERAGENT, "strata");
    set(CURLOPT_ERRORBUFFER, problem.data());
    set(CURLOPT_WRITEFUNCTION, &CurlReceived::write);
    set(CURLOPT_WRITEDATA, static_cast<void*>(&received));
    const CURLcode status = curl_->easy_perform(handle.get());
    if (received.too_large) {
      throw Error("limit.input", fmt::format("the include '{}' has more than {} bytes", shown_url(url), max_bytes_))
          .hint("raise it with --limit input=BYTES");
    }
    if (status != CURLE_OK) {
      throw Error("include.fetch", fmt::format("cannot fetch the include '{}': {}", shown_url(url),
                                               problem[0] != '\0' ? problem.data() : curl_->easy_strerror(status)));
    }
    return std::move(received.bytes);
  }

 private:
  std::size_t max_bytes_;
  std::unique_ptr<Curl> curl_;
};

}  // namespace

std::unique_ptr<Fetcher> curl_fetcher(const Limits& limits) { return std::make_unique<CurlFetcher>(limits.input); }

}  // namespace strata
