// SPDX-License-Identifier: Apache-2.0
#include "encoding.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>

#include "store/seal.hpp"
#include "tree/descriptor.hpp"

namespace strata::store {
namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kHexDigits = "0123456789abcdef";

std::uint32_t byte_at(std::string_view bytes, std::size_t at) {
  return at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0;
}

}  // namespace

std::string base64(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::uint32_t three = (byte_at(bytes, at) << 16U) | (byte_at(bytes, at + 1) << 8U) | byte_at(bytes, at + 2);
    for (unsigned digit = 0; digit < 4; ++digit) {
      out += at + digit <= bytes.size() ? kDigits[(three >> (18U - 6U * digit)) & 63U] : '=';
    }
  }
  return out;
}

std::optional<std::string> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::string out;
  out.reserve(text.size() / 4 * 3);
  for (std::size_t at = 0; at < text.size(); at += 4) {
    std::uint32_t four = 0;
    std::size_t digits = 0;
    for (; digits < 4 && text[at + digits] != '='; ++digits) {
      const auto digit = kDigits.find(text[at + digits]);
      if (digit == std::string_view::npos) return std::nullopt;
      four |= static_cast<std::uint32_t>(digit) << (18U - 6U * static_cast<unsigned>(digits));
    }
    if (digits < 2 || (digits < 4 && (at + 4 != text.size() || text.back() != '='))) return std::nullopt;
    // The last digit must not have bits that stand for nothing.
    if ((digits < 4 && (four & 0xFFU) != 0) || (digits < 3 && (four & 0xFFFFU) != 0)) return std::nullopt;
    for (std::size_t byte = 0; byte + 1 < digits; ++byte)
      out += static_cast<char>((four >> (16U - 8U * static_cast<unsigned>(byte))) & 0xFFU);
  }
  return out;
}

std::string hex(std::string_view bytes) {
  std::string out;
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    out += kHexDigits[value >> 4U];
    out += kHexDigits[value & 15U];
  }
  return out;
}

std::optional<std::string> from_hex(std::string_view text) {
  if (text.size() % 2 != 0) return std::nullopt;
  std::string out;
  unsigned value = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char letter = text[at];
    const auto digit = kHexDigits.find(letter >= 'A' && letter <= 'F' ? static_cast<char>(letter + 32) : letter);
    if (digit == std::string_view::npos) return std::nullopt;
    value = (value << 4U) | static_cast<unsigned>(digit);
    if (at % 2 == 1) out += static_cast<char>(value & 0xFFU);
  }
  return out;
}

std::string new_uuid() {
  SecretBytes random = random_bytes(16);
  random.data()[6] = static_cast<char>((random.data()[6] & 0x0F) | 0x40);
  random.data()[8] = static_cast<char>((random.data()[8] & 0x3F) | 0x80);
  std::string text = hex(random.view());
  for (const std::size_t at : {8U, 13U, 18U, 23U}) text.insert(at, 1, '-');
  return text;
}

std::int64_t now() {
  return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

void sync_folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const detail::Descriptor file(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // A file system that cannot do it has nothing to wait for.
  if (file) (void)::fsync(file.get());
}

}  // namespace strata::store
