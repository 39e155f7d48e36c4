#include "service/http/answer.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <array>
#include <ctime>

namespace strata::service {
namespace {

constexpr std::size_t kWorthPacking = 1024;
constexpr int kGzip = 16 + MAX_WBITS;

/// `Tue, 24 Nov 2026 02:50:02 GMT`
std::string http_date() {
  constexpr std::array<const char*, 7> kDays{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr std::array<const char*, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  thread_local std::time_t last = 0;
  thread_local std::string text;
  const std::time_t now = std::time(nullptr);
  if (now == last) return text;
  std::tm parts{};
  gmtime_r(&now, &parts);
  text = fmt::format("{}, {:02} {} {} {:02}:{:02}:{:02} GMT", kDays.at(static_cast<std::size_t>(parts.tm_wday)), parts.tm_mday,
                     kMonths.at(static_cast<std::size_t>(parts.tm_mon)), parts.tm_year + 1900, parts.tm_hour, parts.tm_min, parts.tm_sec);
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

bool takes_gzip(const Request& request) {
  const std::string_view accepted = request.headers.get("Accept-Encoding");
  const std::size_t at = accepted.find("gzip");
  if (at == std::string_view::npos) return false;
  const std::string_view rest = accepted.substr(at + 4);
  return !rest.starts_with(";q=0") || rest.starts_with(";q=0.");
}

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

void compress(const Request& request, Response& response) {
  // An entity tag names bytes; secrets must not be guessed by the size of what was packed with them.
  if (response.headers.find("ETag") != nullptr || response.headers.get("Cache-Control").find("no-store") != std::string_view::npos) return;
  pack(request, response);
}

void pack(const Request& request, Response& response) {
  if (response.body.size() < kWorthPacking || response.stream || response.headers.find("Content-Encoding") != nullptr || !takes_gzip(request)) return;
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY) != Z_OK) return;
  std::string packed(deflateBound(&stream, response.body.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(response.body.data());
  stream.avail_in = static_cast<uInt>(response.body.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  const int result = deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  if (result != Z_STREAM_END || packed.size() >= response.body.size()) return;
  response.body = std::move(packed);
  response.headers.set("Content-Encoding", "gzip");
  response.headers.add("Vary", "Accept-Encoding");
}

void decompress(Request& request, std::size_t most) {
  const std::string* encoding = request.headers.find("Content-Encoding");
  if (encoding == nullptr || encoding->empty() || same_name(*encoding, "identity")) return;
  const auto refuse = [](unsigned status, std::string code, std::string message) {
    throw Refused({.status = status, .code = std::move(code), .message = std::move(message), .hint = "", .type = "", .headers = {}});
  };
  if (!same_name(*encoding, "gzip")) refuse(415, "request.encoding", "the only content encoding is 'gzip'");
  z_stream stream{};
  if (inflateInit2(&stream, kGzip) != Z_OK) throw std::bad_alloc();
  std::string out;
  std::array<char, std::size_t{64} << 10U> piece{};
  stream.next_in = reinterpret_cast<Bytef*>(request.body.data());
  stream.avail_in = static_cast<uInt>(request.body.size());
  int result = Z_OK;
  while (result == Z_OK && out.size() <= most) {
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(piece.size());
    result = inflate(&stream, Z_NO_FLUSH);
    out.append(piece.data(), piece.size() - stream.avail_out);
    if (result == Z_OK && stream.avail_in == 0 && stream.avail_out != 0) result = Z_BUF_ERROR;
  }
  const bool is_whole = stream.avail_in == 0;
  inflateEnd(&stream);
  if (out.size() > most) refuse(413, "request.too-large", fmt::format("the body has more than {} bytes when it is unpacked", most));
  if (result != Z_STREAM_END || !is_whole) refuse(400, "request.encoding", "the body is not what gzip makes");
  request.body = std::move(out);
}

}  // namespace strata::service
