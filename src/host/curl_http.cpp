// SPDX-License-Identifier: Apache-2.0
#include "curl_http.hpp"

#include <fmt/format.h>

#include "strata/error.hpp"
#include "transfer.hpp"
#include "value/shown_url.hpp"

namespace strata {
namespace {

class CurlHttp final : public HttpClient {
 public:
  HttpAnswer post(const HttpRequest& request) override {
    const std::string shown = shown_url(request.url);
    // No `Expect: 100-continue`, which costs a second where the server does not know it.
    auto done = transfer({.url = request.url,
                          .body = request.body,
                          .headers = {"Content-Type: " + request.content_type, "Accept: " + request.accept, "Expect:"},
                          .ca = request.ca,
                          .certificate = request.certificate,
                          .key = request.key,
                          .connect_timeout = request.connect_timeout,
                          .timeout = request.timeout,
                          .max_bytes = request.max_bytes,
                          .stop = request.stop});
    if (!done) {
      throw Error("http.unavailable",
                  fmt::format("{} cannot be asked: the library libcurl.so.4 is missing or too old", shown))
          .hint("install it (Debian: apt-get install libcurl4)");
    }
    if (done->is_too_large) {
      throw Error("limit.input", fmt::format("the answer of {} has more than {} bytes", shown, request.max_bytes))
          .hint("raise it with --limit input=BYTES");
    }
    if (!done->problem.empty()) throw Error("http.failed", fmt::format("{} does not answer: {}", shown, done->problem));
    return {.status = done->status, .body = std::move(done->body)};
  }
};

}  // namespace

std::unique_ptr<HttpClient> curl_http() { return std::make_unique<CurlHttp>(); }

}  // namespace strata
