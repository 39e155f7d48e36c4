#include "curl_fetcher.hpp"

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <fmt/format.h>

#include <array>

#include "python_text.hpp"
#include "strata/error.hpp"
#include "value/shared_library.hpp"

namespace strata::cloudinit {
namespace {

constexpr long kConnectSeconds = 10;
constexpr long kSeconds = 60;
constexpr long kRedirects = 10;

/// What libcurl has received so far.
struct Received {
  std::string bytes;
  std::size_t limit = 0;
  bool too_large = false;
};

std::size_t receive(char* data, std::size_t size, std::size_t count, void* target) {
  auto& received = *static_cast<Received*>(target);
  if (size * count > received.limit - received.bytes.size()) {
    received.too_large = true;
    return 0;
  }
  received.bytes.append(data, size * count);
  return size * count;
}

/// The functions of libcurl that are used here.
class Curl {
 public:
  Curl()
      : library_("libcurl.so.4", "include.unavailable", "libcurl4"),
        init(STRATA_SYMBOL(library_, curl_easy_init)),
        cleanup(STRATA_SYMBOL(library_, curl_easy_cleanup)),
        setopt(STRATA_SYMBOL(library_, curl_easy_setopt)),
        perform(STRATA_SYMBOL(library_, curl_easy_perform)),
        strerror(STRATA_SYMBOL(library_, curl_easy_strerror)) {
    const auto global_init = STRATA_SYMBOL(library_, curl_global_init);
    if (global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) throw Error("include.unavailable", "libcurl cannot start");
  }

 private:
  SharedLibrary library_;

 public:
  decltype(&curl_easy_init) init;
  decltype(&curl_easy_cleanup) cleanup;
  decltype(&curl_easy_setopt) setopt;
  decltype(&curl_easy_perform) perform;
  decltype(&curl_easy_strerror) strerror;
};

class CurlFetcher final : public Fetcher {
 public:
  explicit CurlFetcher(std::size_t max_bytes) : max_bytes_(max_bytes) {}

  std::string get(const std::string& url) override {
    const std::string scheme = lower(url.substr(0, url.find(':')));
    if (scheme != "http" && scheme != "https") {
      throw Error("include.network", fmt::format("cannot include '{}': only http and https are supported over the network", url));
    }
    if (!curl_) curl_ = std::make_unique<Curl>();
    const std::unique_ptr<CURL, decltype(curl_->cleanup)> handle(curl_->init(), curl_->cleanup);
    if (!handle) throw Error("include.unavailable", "libcurl cannot start");
    Received received{.bytes = {}, .limit = max_bytes_};
    std::array<char, CURL_ERROR_SIZE> problem{};
    const auto set = [&](CURLoption option, auto value) {
      if (curl_->setopt(handle.get(), option, value) != CURLE_OK) throw Error("include.unavailable", "libcurl is too old");
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
    set(CURLOPT_WRITEFUNCTION, &receive);
    set(CURLOPT_WRITEDATA, static_cast<void*>(&received));
    const CURLcode status = curl_->perform(handle.get());
    if (received.too_large) {
      throw Error("limit.input", fmt::format("the include '{}' has more than {} bytes", url, max_bytes_)).hint("raise it with --limit input=BYTES");
    }
    if (status != CURLE_OK) {
      throw Error("include.fetch",
                  fmt::format("cannot fetch the include '{}': {}", url, problem[0] != '\0' ? problem.data() : curl_->strerror(status)));
    }
    return std::move(received.bytes);
  }

 private:
  std::size_t max_bytes_;
  std::unique_ptr<Curl> curl_;
};

}  // namespace

std::unique_ptr<Fetcher> curl_fetcher(const Limits& limits) { return std::make_unique<CurlFetcher>(limits.input); }

}  // namespace strata::cloudinit
