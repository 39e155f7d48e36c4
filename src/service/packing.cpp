// SPDX-License-Identifier: Apache-2.0
#include "service/packing.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <array>
#include <new>

#include "service/face.hpp"
#include "service/json.hpp"

namespace strata::service {
namespace {

constexpr std::size_t kWorthPacking = 1024;
constexpr int kGzip = 16 + MAX_WBITS;

}  // namespace

bool takes_gzip(const Request& request) { return wish_for(request.headers.get("Accept-Encoding"), "gzip") > 0; }

bool is_worth_packing(const Response& response) {
  return response.body.size() >= kWorthPacking && !response.stream &&
         response.headers.find("Content-Encoding") == nullptr;
}

bool may_be_packed(const Response& response) {
  return !response.shows_secrets && response.headers.get("Cache-Control").find("no-store") == std::string_view::npos;
}

struct Packer::Stream {
  z_stream zlib{};
};

Packer::Packer() : stream_(std::make_unique<Stream>()) {
  if (deflateInit2(&stream_->zlib, Z_BEST_SPEED, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
}
Packer::~Packer() { deflateEnd(&stream_->zlib); }

std::string Packer::add(std::string_view piece, bool is_last) {
  z_stream& stream = stream_->zlib;
  std::string out;
  std::array<char, std::size_t{16} << 10U> room{};
  stream.next_in = reinterpret_cast<Bytef*>(
      const_cast<char*>(piece.data()));  // NOLINT(cppcoreguidelines-pro-type-const-cast): zlib does not write it
  stream.avail_in = static_cast<uInt>(piece.size());
  do {
    stream.next_out = reinterpret_cast<Bytef*>(room.data());
    stream.avail_out = static_cast<uInt>(room.size());
    (void)deflate(&stream, is_last ? Z_FINISH : Z_NO_FLUSH);
    out.append(room.data(), room.size() - stream.avail_out);
  } while (stream.avail_out == 0);
  return out;
}

void pack(Response& response) {
  Packer packer;
  std::string packed = packer.add(response.body, true);
  if (packed.size() >= response.body.size()) return;
  response.body = std::move(packed);
  response.headers.set("Content-Encoding", "gzip");
  // A strong tag names bytes.
  if (const std::string* tag = response.headers.find("ETag");
      tag != nullptr && tag->ends_with('"') && !tag->starts_with("W/")) {
    response.headers.set("ETag", tag->substr(0, tag->size() - 1) + "-gzip\"");
  }
}

void pack_for(const Request& request, Response& response) {
  if (!is_worth_packing(response)) return;
  response.headers.add("Vary", "Accept-Encoding");
  if (takes_gzip(request)) pack(response);
}

Unpacked unpacked(std::string_view packed, std::size_t most) {
  z_stream stream{};
  if (inflateInit2(&stream, kGzip) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, decltype(&inflateEnd)> end(&stream, inflateEnd);
  Unpacked out;
  std::array<char, std::size_t{64} << 10U> piece{};
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  int result = Z_OK;
  while (result == Z_OK && out.bytes.size() <= most) {
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(piece.size());
    result = inflate(&stream, Z_NO_FLUSH);
    out.bytes.append(piece.data(), piece.size() - stream.avail_out);
    if (result == Z_OK && stream.avail_in == 0 && stream.avail_out != 0) result = Z_BUF_ERROR;
  }
  out.is_too_large = out.bytes.size() > most;
  out.is_gzip = result == Z_STREAM_END;
  out.has_rest = stream.avail_in != 0;
  return out;
}

void unpack(Request& request, std::size_t most) {
  const std::string* encoding = request.headers.find("Content-Encoding");
  if (encoding == nullptr || encoding->empty() || same_name(*encoding, "identity")) return;
  const auto refuse = [](unsigned status, std::string code, std::string message) {
    throw Refused({.status = status,
                   .code = std::move(code),
                   .message = std::move(message),
                   .hint = "",
                   .type = "",
                   .headers = {}});
  };
  if (!same_name(*encoding, "gzip")) refuse(415, "request.encoding", "the only content encoding is 'gzip'");
  Unpacked found = unpacked(request.body, most);
  if (found.is_too_large)
    refuse(413, "request.too-large", fmt::format("the body has more than {} bytes when it is unpacked", most));
  if (!found.is_gzip || found.has_rest) refuse(400, "request.encoding", "the body is not what gzip makes");
  request.body = std::move(found.bytes);
}

}  // namespace strata::service
