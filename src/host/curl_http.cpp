#include "curl_http.hpp"

#include <fmt/format.h>

#include <array>

#include "curl_library.hpp"
#include "strata/error.hpp"
#include "value/shown_url.hpp"

namespace strata {
namespace {

[[noreturn]] void fail_to_load(const std::string& url) {
  throw Error("http.unavailable", fmt::format("{} cannot be asked: the library libcurl.so.4 is missing or too old", url))
      .hint("install it (Debian: apt-get install libcurl4)");
}

class CurlHttp final : public HttpClient {
 public:
  HttpAnswer post(const HttpRequest& request) override {
    const std::string shown = shown_url(request.url);
    if (!curl_) curl_ = Curl::load();
    if (!curl_) fail_to_load(shown);
    const std::unique_ptr<CURL, decltype(curl_->easy_cleanup)> handle(curl_->easy_init(), curl_->easy_cleanup);
    if (!handle) fail_to_load(shown);
    CurlReceived received{.bytes = {}, .limit = request.max_bytes};
    std::array<char, CURL_ERROR_SIZE> problem{};
    const auto set = [&](CURLoption option, auto value) {
      if (curl_->easy_setopt(handle.get(), option, value) != CURLE_OK) fail_to_load(shown);
    };
    const std::unique_ptr<curl_slist, decltype(curl_->slist_free_all)> headers(headers_of(request), curl_->slist_free_all);
    set(CURLOPT_URL, request.url.c_str());
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_POST, 1L);
    set(CURLOPT_POSTFIELDS, request.body.data());
    set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    set(CURLOPT_HTTPHEADER, headers.get());
    set(CURLOPT_FOLLOWLOCATION, 0L);
    set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(request.connect_timeout.count()));
    set(CURLOPT_TIMEOUT_MS, static_cast<long>(request.timeout.count()));
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_USERAGENT, "strata");
    if (!request.ca.empty()) set(CURLOPT_CAINFO, request.ca.c_str());
    if (!request.certificate.empty()) set(CURLOPT_SSLCERT, request.certificate.c_str());
    if (!request.key.empty()) set(CURLOPT_SSLKEY, request.key.c_str());
    set(CURLOPT_ERRORBUFFER, problem.data());
    set(CURLOPT_WRITEFUNCTION, &CurlReceived::write);
    set(CURLOPT_WRITEDATA, static_cast<void*>(&received));
    const CURLcode status = curl_->easy_perform(handle.get());
    if (received.too_large) {
      throw Error("limit.input", fmt::format("the answer of {} has more than {} bytes", shown, request.max_bytes))
          .hint("raise it with --limit input=BYTES");
    }
    if (status != CURLE_OK) {
      throw Error("http.failed", fmt::format("{} does not answer: {}", shown, problem[0] != '\0' ? problem.data() : curl_->easy_strerror(status)));
    }
    HttpAnswer answer;
    curl_->easy_getinfo(handle.get(), CURLINFO_RESPONSE_CODE, &answer.status);
    answer.body = std::move(received.bytes);
    return answer;
  }

 private:
  [[nodiscard]] curl_slist* headers_of(const HttpRequest& request) const {
    curl_slist* list = nullptr;
    // No `Expect: 100-continue`, which costs a second where the server does not know it.
    for (const std::string& line : {"Content-Type: " + request.content_type, "Accept: " + request.accept, std::string("Expect:")}) {
      list = curl_->slist_append(list, line.c_str());
    }
    return list;
  }

  std::unique_ptr<Curl> curl_;
};

}  // namespace

std::unique_ptr<HttpClient> curl_http() { return std::make_unique<CurlHttp>(); }

}  // namespace strata
