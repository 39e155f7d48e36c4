// SPDX-License-Identifier: Apache-2.0
#include "service/http/answer.hpp"

#include <fmt/format.h>

#include <array>
#include <ctime>

namespace strata::service {
namespace {

/// `Tue, 24 Nov 2026 02:50:02 GMT`
std::string http_date() {
  constexpr std::array<const char*, 7> kDays{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr std::array<const char*, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  thread_local std::time_t last = 0;
  thread_local std::string text;
  const std::time_t now = std::time(nullptr);
  if (now == last) return text;
  std::tm parts{};
  gmtime_r(&now, &parts);
  text = fmt::format("{}, {:02} {} {} {:02}:{:02}:{:02} GMT", kDays.at(static_cast<std::size_t>(parts.tm_wday)),
                     parts.tm_mday, kMonths.at(static_cast<std::size_t>(parts.tm_mon)), parts.tm_year + 1900,
                     parts.tm_hour, parts.tm_min, parts.tm_sec);
  last = now;
  return text;
}

void append_header(std::string& out, std::string_view name, std::string_view value) {
  out.append(name).append(": ");
  // A name of a document may stand in a header: no line may be made by it.
  for (const char one : value) out += static_cast<unsigned char>(one) < 0x20 && one != '\t' ? ' ' : one;
  out += "\r\n";
}

}  // namespace

std::string head_text(const Response& response, const Request& request, const HeadStyle& style) {
  std::string out = fmt::format("HTTP/1.1 {} {}\r\n", response.status, reason_phrase(response.status));
  append_header(out, "Date", http_date());
  for (const Field& one : response.headers.fields()) append_header(out, one.name, one.value);
  append_header(out, "Strata-Request-Id", request.id);
  append_header(out, "X-Content-Type-Options", "nosniff");
  append_header(out, "Cross-Origin-Resource-Policy", "same-origin");
  const bool is_bodiless = response.status == 204 || response.status == 304;
  if (response.stream && !is_bodiless) {
    if (!style.is_http_1_0) append_header(out, "Transfer-Encoding", "chunked");
  } else if (!is_bodiless) {
    append_header(out, "Content-Length", std::to_string(response.body.size()));
  }
  if (!style.keeps_alive) {
    append_header(out, "Connection", "close");
  } else if (style.is_http_1_0) {
    append_header(out, "Connection", "keep-alive");
  }
  return out += "\r\n";
}

std::string chunk_head(std::size_t size) { return fmt::format("{:x}\r\n", size); }

}  // namespace strata::service
