// SPDX-License-Identifier: Apache-2.0
#include "gzip.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

#include "strata/error.hpp"
#include "strata/stop.hpp"

namespace strata::cloudinit {
namespace {

constexpr unsigned kHeaderCrc = 2;
constexpr unsigned kExtra = 4;
constexpr unsigned kName = 8;
constexpr unsigned kComment = 16;

struct InflateEnd {
  void operator()(z_stream* stream) const noexcept { inflateEnd(stream); }
};

/// Reads the members one by one. zlib's own gzip wrapper is stricter than the reference about headers, hence raw
/// streams.
class GzipReader {
 public:
  GzipReader(std::string_view bytes, const Limits& limits) : rest_(bytes), limits_(limits) {}

  Inflated read() {
    while (!rest_.empty() && read_header() && read_stream() && read_trailer()) {
      rest_.remove_prefix(std::min(rest_.find_first_not_of('\0'), rest_.size()));
    }
    if (!problem_.empty()) return {.text = {}, .problem = std::move(problem_)};
    return {.text = std::move(text_), .problem = {}};
  }

 private:
  bool fail(std::string problem) {
    problem_ = std::move(problem);
    return false;
  }

  bool skip(std::size_t count) {
    if (rest_.size() < count) return fail("it ends too early");
    rest_.remove_prefix(count);
    return true;
  }

  [[nodiscard]] std::uint32_t little_endian(std::size_t at, std::size_t count) const {
    std::uint32_t number = 0;
    for (std::size_t i = count; i-- > 0;) number = number << 8U | static_cast<unsigned char>(rest_[at + i]);
    return number;
  }

  bool read_header() {
    if (!has_gzip_magic(rest_))
      return fail(member_ == 0 ? "it is not gzip data" : "other bytes follow the compressed data");
    if (rest_.size() < 10) return fail("it ends too early");
    if (rest_[2] != 8) return fail("its compression method is unknown");
    const auto flags = static_cast<unsigned char>(rest_[3]);
    rest_.remove_prefix(10);
    if ((flags & kExtra) != 0 && (rest_.size() < 2 || !skip(2 + little_endian(0, 2)))) return fail("it ends too early");
    if ((flags & kName) != 0) skip_text();
    if ((flags & kComment) != 0) skip_text();
    if ((flags & kHeaderCrc) != 0 && !skip(2)) return false;
    ++member_;
    return true;
  }

  void skip_text() {
    const std::size_t end = rest_.find('\0');
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
  }

  bool read_stream() {
    z_stream stream{};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return fail("zlib cannot start");
    const std::unique_ptr<z_stream, InflateEnd> end(&stream);
    const std::size_t begin = text_.size();
    int status = Z_OK;
    while (status == Z_OK) {
      if (stream.avail_in == 0) {
        const std::size_t chunk = std::min<std::size_t>(rest_.size(), std::size_t{1} << 30);
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(rest_.data()));
        stream.avail_in = static_cast<uInt>(chunk);
      }
      stream.next_out = buffer_.data();
      stream.avail_out = static_cast<uInt>(buffer_.size());
      const uInt before = stream.avail_in;
      status = inflate(&stream, Z_NO_FLUSH);
      rest_.remove_prefix(before - stream.avail_in);
      const std::size_t more = buffer_.size() - stream.avail_out;
      check_stop(limits_.stop);
      // When the buffer moves, both copies exist for a while; its parts are copied, and then their contents.
      constexpr std::size_t kCopies = 3;
      if (text_.size() + more > text_.capacity() && limits_.stop != nullptr)
        limits_.stop->take_memory(kCopies * std::max(text_.capacity(), more));
      text_.append(reinterpret_cast<const char*>(buffer_.data()), more);
      if (text_.size() > limits_.input) {
        throw Error("limit.input", fmt::format("the compressed data holds more than {} bytes", limits_.input))
            .hint("raise it with --limit input=BYTES");
      }
    }
    const std::string problem = status == Z_STREAM_END  ? ""
                                : status == Z_BUF_ERROR ? "it ends too early"
                                : stream.msg != nullptr ? stream.msg
                                                        : "it is damaged";
    if (!problem.empty()) return fail(problem);
    size_ = text_.size() - begin;
    crc_ = static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(text_.data()) + begin, size_));
    return true;
  }

  bool read_trailer() {
    if (rest_.size() < 8) return fail("it ends too early");
    if (little_endian(0, 4) != crc_) return fail("its checksum is wrong");
    if (little_endian(4, 4) != static_cast<std::uint32_t>(size_)) return fail("its length is wrong");
    return skip(8);
  }

  std::string_view rest_;
  const Limits& limits_;
  std::string text_;
  std::string problem_;
  std::size_t member_ = 0;
  std::size_t size_ = 0;
  std::uint32_t crc_ = 0;
  std::array<Bytef, 65536> buffer_;
};

}  // namespace

Inflated inflate_gzip(std::string_view bytes, const Limits& limits) { return GzipReader(bytes, limits).read(); }

}  // namespace strata::cloudinit
