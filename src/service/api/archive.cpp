// SPDX-License-Identifier: Apache-2.0
#include "service/api/archive.hpp"

#include <fmt/format.h>

#include <optional>

#include "service/api/zip.hpp"
#include "service/packing.hpp"
#include "strata/error.hpp"

namespace strata::service::api {
namespace {

constexpr std::size_t kBlock = 512;
constexpr std::size_t kRatio = 200;
constexpr std::size_t kLeastUnpacked = std::size_t{16} << 20U;  ///< Small archives may be packed well.

Error bad_archive(std::string_view why) {
  return Error("request.archive", fmt::format("the body is not an archive: {}", why)).hint("a tar, a tar.gz, or a zip");
}

std::string without_gzip(std::string_view bytes) {
  const std::size_t most =
      std::min(sites::kMostBytes + (sites::kMostBytes >> 3U), std::max(kLeastUnpacked, bytes.size() * kRatio));
  Unpacked found = unpacked(bytes, most);
  if (found.is_too_large) throw Error("site.large", "the archive is too large when it is unpacked");
  if (!found.is_gzip) throw bad_archive("it is not what gzip makes");
  if (found.has_rest) throw bad_archive("something follows what gzip has packed");
  return std::move(found.bytes);
}

std::string_view field_text(std::string_view field) { return field.substr(0, field.find('\0')); }

/// No value: it is not a number.
std::optional<std::size_t> octal(std::string_view field) {
  std::size_t out = 0;
  for (const char digit : field_text(field)) {
    if (digit == ' ') continue;
    if (digit < '0' || digit > '7' || out > sites::kMostBytes) return std::nullopt;
    out = out * 8 + static_cast<std::size_t>(digit - '0');
  }
  return out;
}

/// The value of a record of pax: `LENGTH KEY=VALUE\n`.
std::optional<std::string> pax_value(std::string_view records, std::string_view key) {
  std::optional<std::string> out;
  while (!records.empty()) {
    const std::size_t blank = records.find(' ');
    if (blank > 10) throw bad_archive("a record of pax has no length");
    std::size_t length = 0;
    for (const char digit : records.substr(0, blank)) {
      if (digit < '0' || digit > '9') throw bad_archive("a record of pax has no length");
      length = length * 10 + static_cast<std::size_t>(digit - '0');
    }
    if (length <= blank + 2 || length > records.size()) throw bad_archive("a record of pax is cut off");
    const std::string_view record = records.substr(blank + 1, length - blank - 2);
    const std::size_t equals = record.find('=');
    if (equals != std::string_view::npos && record.substr(0, equals) == key)
      out = std::string(record.substr(equals + 1));
    records.remove_prefix(length);
  }
  return out;
}

class TarReader {
 public:
  explicit TarReader(std::string_view bytes) : bytes_(bytes) {}

  sites::Files read() {
    while (!is_at_end()) entry();
    if (bytes_.find_first_not_of('\0') != std::string_view::npos) throw bad_archive("something follows its end");
    return std::move(files_);
  }

 private:
  /// Whether the block of zeros behind the last entry is reached. An archive without one may lack entries.
  [[nodiscard]] bool is_at_end() const {
    if (bytes_.size() < kBlock) throw bad_archive(is_first_ ? "it is shorter than a tar can be" : "it is cut off");
    return bytes_.substr(0, kBlock).find_first_not_of('\0') == std::string_view::npos;
  }

  void entry() {
    const std::string_view head = bytes_.substr(0, kBlock);
    if (!has_right_sum(head))
      throw bad_archive(is_first_ ? "it does not begin as a tar does" : "a head has another sum");
    is_first_ = false;
    bytes_.remove_prefix(kBlock);
    const std::optional<std::size_t> size = octal(head.substr(124, 12));
    if (!size) throw bad_archive("the size of an entry is not a number");
    const std::size_t padded = (*size + kBlock - 1) / kBlock * kBlock;
    if (padded > bytes_.size()) throw bad_archive("it is cut off");
    const std::string_view content = bytes_.substr(0, *size);
    bytes_.remove_prefix(padded);
    switch (head[156]) {
      case 'x':
        long_name_ = pax_value(content, "path");
        return;
      case 'L':
        long_name_ = std::string(field_text(content));
        return;
      case 'g':
        return;
      case '5':
        long_name_.reset();
        return;
      case '0':
      case '\0':
        add(head, content);
        return;
      default:
        throw bad_archive(fmt::format("'{}' is neither a file nor a folder", name_of(head)));
    }
  }

  static bool has_right_sum(std::string_view head) {
    std::size_t sum = 0;
    for (std::size_t i = 0; i < kBlock; ++i) sum += i >= 148 && i < 156 ? ' ' : static_cast<unsigned char>(head[i]);
    return octal(head.substr(148, 8)) == sum;
  }

  [[nodiscard]] std::string name_of(std::string_view head) const {
    if (long_name_) return *long_name_;
    std::string out(field_text(head.substr(0, 100)));
    const std::string_view prefix =
        head.substr(257, 5) == "ustar" ? field_text(head.substr(345, 155)) : std::string_view();
    return prefix.empty() ? out : fmt::format("{}/{}", prefix, out);
  }

  void add(std::string_view head, std::string_view content) {
    std::string name = name_of(head);
    long_name_.reset();
    while (name.starts_with("./")) name.erase(0, 2);
    sites::check_path(name);
    if (files_.size() >= sites::kMostFiles)
      throw Error("site.large", fmt::format("a site has at most {} files", sites::kMostFiles));
    files_.insert_or_assign(std::move(name), std::string(content));
  }

  std::string_view bytes_;
  sites::Files files_;
  std::optional<std::string> long_name_;
  bool is_first_ = true;  ///< No entry was read.
};

}  // namespace

sites::Files read_archive(std::string_view bytes) {
  if (is_zip(bytes)) return read_zip(bytes);
  if (!bytes.starts_with("\x1f\x8b")) return TarReader(bytes).read();
  const std::string tar = without_gzip(bytes);
  return TarReader(tar).read();
}

}  // namespace strata::service::api
