// SPDX-License-Identifier: Apache-2.0
// Reads arbitrary bytes as clients upload files: tar, tar.gz, zip, forms; and as headers of proxies. The paths that it
// returns stay inside of the upload, and each refusal gives a reason.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "service/api/archive.hpp"
#include "service/api/form_data.hpp"
#include "service/http/forwarded.hpp"
#include "service/request_id.hpp"
#include "service/sites/files.hpp"
#include "strata/error.hpp"

namespace {

using namespace strata;
using namespace strata::service;

void read_archive_of(std::string_view bytes) {
  try {
    for (const auto& [path, text] : api::read_archive(bytes)) sites::check_path(path);
  } catch (const Error& error) {
    const bool is_known =
        error.code() == "request.archive" || error.code() == "request.path" || error.code() == "site.large";
    if (!is_known || error.diagnostic().message.empty()) std::abort();
  }
}

void read_form_of(std::string_view bytes) {
  const std::size_t end = bytes.find('\n');
  if (end == std::string_view::npos) return;
  const std::string type(bytes.substr(0, end));
  const std::string_view body = bytes.substr(end + 1);
  try {
    for (const api::FormPart& part : api::read_form_data(type, body)) {
      if (part.content.data() < body.data() || part.content.data() + part.content.size() > body.data() + body.size())
        std::abort();
    }
  } catch (const Error& error) {
    if (error.code() != "request.body") std::abort();
  }
}

void read_headers_of(const std::string& text) {
  static const TrustedProxies proxies({"10.0.0.0/8", "::1"});
  for (const char* name : {"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "traceparent"}) {
    Request request;
    request.address = "10.1.2.3";
    request.base = "http://a";
    request.headers.add(name, text);
    proxies.apply(request);
    const bool has_scheme = request.base.starts_with("http://") || request.base.starts_with("https://");
    if (request.address.empty() || !has_scheme || !is_host(request.base.substr(request.base.find("://") + 3)))
      std::abort();
    take_trace(request);
    if (!request.trace.id.empty() && request.trace.id.size() != 32) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  read_archive_of(bytes);
  read_form_of(bytes);
  read_headers_of(std::string(bytes));
  return 0;
}
