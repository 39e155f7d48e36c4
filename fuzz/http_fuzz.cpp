// SPDX-License-Identifier: Apache-2.0
// Reads arbitrary bytes as a connection does: heads, bodies in pieces, targets, queries. A head that passes names one
// host, and its parts are texts that faces may trust; what is refused has a status.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "service/face.hpp"
#include "service/http/answer.hpp"
#include "service/http/head.hpp"
#include "service/packing.hpp"
#include "strata/text.hpp"

namespace {

using namespace strata;
using namespace strata::service;

const std::array<Route, 4>& routes() {
  static const std::array<Route, 4> all{
      Route{"GET", "/a", "", Route::Work::brief, {}}, Route{"GET", "/a/{x}/b", "", Route::Work::brief, {}},
      Route{"PUT", "/a/{x}/{rest*}", "", Route::Work::brief, {}}, Route{"GET", "/{x}/{y}", "", Route::Work::brief, {}}};
  return all;
}

void check(const Request& request) {
  for (const std::string& segment : request.segments) {
    if (segment.find('\0') != std::string::npos || text::find_invalid_utf8(segment) != std::string::npos) std::abort();
  }
  const Router::Found found = Router(routes()).find(request.method, request.segments);
  if (found.route != nullptr &&
      found.captures.size() != static_cast<std::size_t>(std::ranges::count(found.route->pattern, '{')))
    std::abort();
  for (const char one : head_text({.status = 200, .headers = {{"X", request.path}}}, request, {})) {
    if (one == '\0') std::abort();
  }
}

constexpr std::uint64_t kLongestBody = 4096;

/// Reads a body, in pieces of a few sizes. The number of bytes that belong to it.
std::size_t read_body(std::string_view bytes, Parser& parser) {
  parser.body_limit(kLongestBody);
  parser.eager(true);
  std::size_t used = 0;
  for (std::size_t end = 1; !parser.is_done() && used < bytes.size(); end = std::min(bytes.size(), end + 7)) {
    boost::system::error_code error;
    used += parser.put(boost::asio::buffer(bytes.data() + used, std::max(end, used) - used), error);
    if (error && error != boost::beast::http::error::need_more) return bytes.size();
    if (end == bytes.size() && error) return bytes.size();
  }
  return used;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (int requests = 0; requests < 4; ++requests) {
    while (bytes.starts_with("\r\n")) bytes.remove_prefix(2);
    const std::size_t end = end_of_head(bytes);
    if (end == std::string_view::npos) return 0;
    Parser parser;
    Request request;
    try {
      const Head head = read_head(bytes.substr(0, end), {}, false, parser, request);
      check(request);
      bytes.remove_prefix(end);
      if (head.length > kLongestBody) return 0;  // As the connection does.
      if (head.length != 0 || head.is_chunked) bytes.remove_prefix(read_body(bytes, parser));
      request.body = parser.get().body();
      unpack(request, std::size_t{1} << 20U);
    } catch (const Refused& refused) {
      if (refused.refusal().status < 400 || refused.refusal().message.empty()) std::abort();
      return 0;
    } catch (const Error& error) {
      if (!error.code().starts_with("request.")) std::abort();
      return 0;
    }
  }
  return 0;
}
