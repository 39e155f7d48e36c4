// SPDX-License-Identifier: Apache-2.0
#include "service/http/head.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/rfc7230.hpp>
#include <charconv>

#include "service/http/forwarded.hpp"
#include "service/service.hpp"

namespace strata::service {
namespace {

namespace http = boost::beast::http;

constexpr std::string_view kEnd = "\r\n\r\n";

std::string_view std_view(boost::beast::string_view text) noexcept { return {text.data(), text.size()}; }

/// The one value of a header. Empty: it is not there. Error if it is there several times.
std::string_view single_field(const http::request_header<>& parsed, http::field name) {
  if (parsed.count(name) > 1) {
    throw Refused(refusal(400, "request.header",
                          fmt::format("the header {} stands there several times", std_view(http::to_string(name)))));
  }
  const auto found = parsed.find(name);
  return found == parsed.end() ? std::string_view() : std_view(found->value());
}

/// The host of a request, as it is called by the client.
std::string read_host(const http::request_header<>& parsed) {
  const std::string_view host = single_field(parsed, http::field::host);
  if (parsed.version() >= 11 && parsed.count(http::field::host) == 0)
    throw Refused(refusal(400, "request.host", "a request names one host"));
  if (parsed.count(http::field::host) != 0 && !is_host(host))
    throw Refused(refusal(400, "request.host", "the host is none"));
  return std::string(host);
}

/// The path and query of a target in absolute form; the same for other targets.
std::string_view without_origin(std::string_view target, std::string_view host) {
  for (const std::string_view scheme : {std::string_view("http://"), std::string_view("https://")}) {
    if (target.size() < scheme.size() || !same_name(target.substr(0, scheme.size()), scheme)) continue;
    target.remove_prefix(scheme.size());
    const std::size_t end = std::min(target.find_first_of("/?"), target.size());
    if (!same_name(target.substr(0, end), host))
      throw Refused(refusal(400, "request.host", "the target and the header Host name different hosts"));
    target.remove_prefix(end);
    return target.empty() ? std::string_view("/") : target;
  }
  return target;
}

void read_length(const http::request_header<>& parsed, Head& out) {
  const auto encoding = parsed.find(http::field::transfer_encoding);
  const std::string_view length = single_field(parsed, http::field::content_length);
  if (parsed.count(http::field::transfer_encoding) != 0) {
    if (parsed.version() < 11 || parsed.count(http::field::content_length) != 0) {
      throw Refused(refusal(400, "request.length",
                            "a body has either a length or a transfer encoding, and that in HTTP/1.1 only"));
    }
    if (!same_name(std_view(encoding->value()), "chunked"))
      throw Refused(refusal(501, "request.encoding", "the only transfer encoding is 'chunked'"));
    out.is_chunked = true;
  } else if (parsed.count(http::field::content_length) != 0) {
    const char* const end = length.data() + length.size();
    const auto [stopped, error] = std::from_chars(length.data(), end, out.length);
    if (error != std::errc() || stopped != end)
      throw Refused(refusal(400, "request.length", "the length of the body is no number"));
  }
}

void read_connection(const http::request_header<>& parsed, Head& out) {
  out.is_http_1_0 = parsed.version() < 11;
  out.keeps_alive = !out.is_http_1_0;
  for (const auto& field : parsed) {
    if (field.name() != http::field::connection) continue;
    http::token_list words(field.value());
    if (words.exists("close")) out.keeps_alive = false;
    if (out.is_http_1_0 && words.exists("keep-alive")) out.keeps_alive = true;
  }
}

/// Checks what a head looks like before it is parsed: line ends, folded lines, control characters, sizes.
void check_lines(std::string_view head, const ServerLimits& limits) {
  std::size_t fields = 0;
  std::size_t encodings = 0;
  bool has_length = false;
  bool is_first = true;
  const std::size_t size = head.size();
  while (head != "\r\n") {
    const std::size_t end = head.find("\r\n");
    const std::string_view line = head.substr(0, end);
    head.remove_prefix(end + 2);
    if (std::ranges::any_of(
            line, [](char one) { return (static_cast<unsigned char>(one) < 0x20 && one != '\t') || one == 0x7f; })) {
      throw Refused(refusal(400, "request.malformed",
                            "the head of the request has control characters, or line ends without a carriage return"));
    }
    if (is_first) {
      if (line.size() > limits.request_line)
        throw Refused(
            refusal(414, "request.line", fmt::format("the first line has more than {} bytes", limits.request_line)));
    } else if (line.front() == ' ' || line.front() == '\t') {
      throw Refused(refusal(400, "request.malformed", "a header is folded over several lines"));
    } else if (++fields > limits.fields) {
      throw Refused(refusal(431, "request.headers", fmt::format("there are more than {} headers", limits.fields)));
    }
    const std::string_view name = line.substr(0, line.find(':'));
    if (same_name(name, "Transfer-Encoding")) ++encodings;
    if (same_name(name, "Content-Length")) has_length = true;
    is_first = false;
  }
  // The parser says of this what it says of a length beside an encoding.
  if (encodings > 1 && !has_length)
    throw Refused(refusal(501, "request.encoding", "the only transfer encoding is 'chunked', once"));
  if (size > limits.request_line + limits.headers)
    throw Refused(refusal(431, "request.headers", fmt::format("the headers have more than {} bytes", limits.headers)));
}

}  // namespace

std::size_t end_of_head(std::string_view bytes) noexcept {
  const std::size_t found = bytes.find(kEnd);
  return found == std::string_view::npos ? std::string_view::npos : found + kEnd.size();
}

bool has_bare_line_feed(std::string_view bytes) noexcept {
  for (std::size_t at = bytes.find('\n'); at != std::string_view::npos; at = bytes.find('\n', at + 1)) {
    if (at == 0 || bytes[at - 1] != '\r') return true;
  }
  return false;
}

Head read_head(std::string_view head, const ServerLimits& limits, bool is_tls, Parser& parser, Request& request) {
  check_lines(head, limits);
  parser.header_limit(static_cast<std::uint32_t>(2 * (limits.request_line + limits.headers)));
  parser.body_limit(boost::none);
  boost::system::error_code error;
  parser.put(boost::asio::buffer(head.data(), head.size()), error);
  if (error == http::error::bad_version) throw Refused(refusal(505, "request.version", "this is a server of HTTP/1.1"));
  if (error || !parser.is_header_done()) {
    throw Refused(
        refusal(400, "request.malformed", fmt::format("the head of the request is malformed: {}", error.message())));
  }
  const http::request_header<>& parsed = parser.get().base();
  constexpr std::array kMethods{http::verb::get,   http::verb::head,    http::verb::post,   http::verb::put,
                                http::verb::patch, http::verb::delete_, http::verb::options};
  Head out;
  request.method = std_view(parsed.method_string());
  std::size_t bytes = 0;
  for (const auto& field : parsed) {
    bytes += field.name_string().size() + field.value().size() + 4;
    request.headers.add(std::string(std_view(field.name_string())), std::string(std_view(field.value())));
  }
  read_connection(parsed, out);
  if (bytes > limits.headers)
    throw Refused(refusal(431, "request.headers", fmt::format("the headers have more than {} bytes", limits.headers)));
  if (parsed.version() != 11 && parsed.version() != 10)
    throw Refused(refusal(505, "request.version", "this is a server of HTTP/1.1"));
  const std::string host = read_host(parsed);
  request.base = fmt::format("{}://{}", is_tls ? "https" : "http", host.empty() ? "localhost" : host);
  const std::string_view target = std_view(parsed.target());
  const bool is_known = std::ranges::find(kMethods, parsed.method()) != kMethods.end();
  if (target == kWholeServer && parsed.method() == http::verb::options) {
    request.path = kWholeServer;
  } else if (is_known || target.starts_with('/')) {  // Other methods have other targets.
    Service::read_target(without_origin(target, host), request);
  }
  if (!is_known) {
    throw Refused(refusal(501, "request.method", "there is no such method here"));
  }
  read_length(parsed, out);
  const std::string_view expected = single_field(parsed, http::field::expect);
  if (!expected.empty()) {
    if (!same_name(expected, "100-continue"))
      throw Refused(refusal(417, "request.expect", "the only expectation is '100-continue'"));
    out.expects_continue = !out.is_http_1_0;
  }
  return out;
}

}  // namespace strata::service
