// SPDX-License-Identifier: Apache-2.0
#include "service/api/zip.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "strata/error.hpp"

namespace strata::service::api {
namespace {

constexpr std::string_view kLocalMark = "PK\x03\x04";
constexpr std::string_view kCentralMark = "PK\x01\x02";
constexpr std::string_view kEndMark = "PK\x05\x06";
constexpr std::size_t kLocalSize = 30;
constexpr std::size_t kCentralSize = 46;
constexpr std::size_t kEndSize = 22;
constexpr std::size_t kLongestComment = 0xFFFF;
constexpr std::uint32_t kElsewhere = 0xFFFFFFFF;  ///< The number is in a record of zip64.

Error bad_zip(std::string_view why) {
  return Error("request.archive", fmt::format("the body is not an archive: {}", why)).hint("a tar, a tar.gz, or a zip");
}

/// Numbers of a zip are little-endian.
std::uint32_t little_endian(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint32_t out = 0;
  for (std::size_t i = 0; i < size; ++i)
    out |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + i])) << (8U * static_cast<unsigned>(i));
  return out;
}

std::string_view slice(std::string_view bytes, std::size_t at, std::size_t size) {
  if (at > bytes.size() || size > bytes.size() - at) throw bad_zip("it is cut off");
  return bytes.substr(at, size);
}

/// A raw stream of deflate that has `size` bytes when it is unpacked.
std::string inflated(std::string_view packed, std::size_t size) {
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  std::string out(size, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int result = inflate(&stream, Z_FINISH);
  const bool is_whole = result == Z_STREAM_END && stream.avail_out == 0 && stream.avail_in == 0;
  inflateEnd(&stream);
  if (!is_whole) throw bad_zip("an entry is not what its head says");
  return out;
}

class ZipReader {
 public:
  explicit ZipReader(std::string_view bytes) : bytes_(bytes) {}

  sites::Files read() {
    const std::string_view end = slice(bytes_, end_of_directory(), kEndSize);
    const std::uint32_t count = little_endian(end, 10, 2);
    if (little_endian(end, 4, 2) != 0 || little_endian(end, 6, 2) != 0 || little_endian(end, 8, 2) != count)
      throw bad_zip("it is in several parts");
    if (little_endian(end, 16, 4) == kElsewhere || count == 0xFFFF) throw bad_zip("it is in the form of zip64");
    std::size_t at = little_endian(end, 16, 4);
    for (std::uint32_t i = 0; i < count; ++i) at += entry(at);
    return std::move(files_);
  }

 private:
  /// Where the record at the end begins: before a comment, perhaps.
  [[nodiscard]] std::size_t end_of_directory() const {
    if (bytes_.size() < kEndSize) throw bad_zip("it is cut off");
    const std::size_t last = bytes_.size() - kEndSize;
    const std::size_t first = last > kLongestComment ? last - kLongestComment : 0;
    for (std::size_t at = last + 1; at-- > first;) {
      const bool is_end = bytes_.substr(at, kEndMark.size()) == kEndMark &&
                          little_endian(bytes_, at + 20, 2) == bytes_.size() - at - kEndSize;
      if (is_end) return at;
    }
    throw bad_zip("it has no directory");
  }

  /// Reads the entry of the directory at an offset; the size of its record.
  std::size_t entry(std::size_t at) {
    const std::string_view head = slice(bytes_, at, kCentralSize);
    if (!head.starts_with(kCentralMark)) throw bad_zip("its directory is broken");
    const std::size_t name_size = little_endian(head, 28, 2);
    std::string name(slice(bytes_, at + kCentralSize, name_size));
    const std::size_t record = kCentralSize + name_size + little_endian(head, 30, 2) + little_endian(head, 32, 2);
    while (name.starts_with("./")) name.erase(0, 2);
    const bool is_of_unix = little_endian(head, 4, 2) >> 8U == 3;
    const std::uint32_t kind = is_of_unix ? (little_endian(head, 38, 4) >> 16U) & S_IFMT : 0;
    if (name.empty() || name.back() == '/') return record;
    if (kind != 0 && kind != S_IFREG) throw bad_zip(fmt::format("'{}' is neither a file nor a folder", name));
    if ((little_endian(head, 8, 2) & 1U) != 0) throw bad_zip(fmt::format("'{}' is encrypted", name));
    sites::check_path(name);
    if (files_.size() >= sites::kMostFiles)
      throw Error("site.large", fmt::format("a site has at most {} files", sites::kMostFiles));
    std::string text = content(head);
    if (!files_.emplace(std::move(name), std::move(text)).second) throw bad_zip("it has a file twice");
    return record;
  }

  std::string content(std::string_view head) {
    const std::size_t packed_size = little_endian(head, 20, 4);
    const std::size_t size = little_endian(head, 24, 4);
    const std::size_t at = little_endian(head, 42, 4);
    if (packed_size == kElsewhere || size == kElsewhere || at == kElsewhere)
      throw bad_zip("it is in the form of zip64");
    // Before anything is unpacked: entries may lie, and share the same bytes.
    unpacked_ += size;
    constexpr std::size_t kRatio = 200;
    constexpr std::size_t kLeast = std::size_t{16} << 20U;
    if (unpacked_ > std::min(sites::kMostBytes, std::max(kLeast, bytes_.size() * kRatio))) {
      throw Error("site.large", "the archive is too large when it is unpacked");
    }
    const std::string_view local = slice(bytes_, at, kLocalSize);
    if (!local.starts_with(kLocalMark)) throw bad_zip("an entry has no head");
    const std::string_view packed =
        slice(bytes_, at + kLocalSize + little_endian(local, 26, 2) + little_endian(local, 28, 2), packed_size);
    std::string out;
    switch (little_endian(head, 10, 2)) {
      case 0:
        if (packed_size != size) throw bad_zip("an entry is not what its head says");
        out = packed;
        break;
      case 8:
        out = inflated(packed, size);
        break;
      default:
        throw bad_zip("an entry is neither stored nor deflated");
    }
    if (crc32(0, reinterpret_cast<const Bytef*>(out.data()), static_cast<uInt>(out.size())) !=
        little_endian(head, 16, 4))
      throw bad_zip("an entry has another sum");
    return out;
  }

  std::string_view bytes_;
  sites::Files files_;
  std::size_t unpacked_ = 0;
};

}  // namespace

bool is_zip(std::string_view bytes) noexcept { return bytes.starts_with(kLocalMark) || bytes.starts_with(kEndMark); }

sites::Files read_zip(std::string_view bytes) { return ZipReader(bytes).read(); }

}  // namespace strata::service::api
