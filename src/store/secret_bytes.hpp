// SPDX-License-Identifier: Apache-2.0
// Memory that is wiped.
#pragma once

#include <string.h>  // NOLINT(modernize-deprecated-headers): explicit_bzero is not in <cstring>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace strata::store {

/// Bytes that nobody else may see. They are overwritten when the object goes. Never copied by accident.
class SecretBytes {
 public:
  SecretBytes() = default;
  /// `size` bytes, all zero.
  explicit SecretBytes(std::size_t size) : bytes_(std::make_unique<char[]>(size)), size_(size) {}
  explicit SecretBytes(std::string_view content) : SecretBytes(content.size()) {
    content.copy(bytes_.get(), content.size());
  }
  SecretBytes(SecretBytes&& other) noexcept : bytes_(std::move(other.bytes_)), size_(std::exchange(other.size_, 0)) {}
  SecretBytes& operator=(SecretBytes&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    std::swap(size_, other.size_);
    return *this;
  }
  SecretBytes(const SecretBytes&) = delete;
  SecretBytes& operator=(const SecretBytes&) = delete;
  ~SecretBytes() {
    if (bytes_ != nullptr) explicit_bzero(bytes_.get(), size_);
  }

  [[nodiscard]] SecretBytes copy() const { return SecretBytes(view()); }
  [[nodiscard]] char* data() noexcept { return bytes_.get(); }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::string_view view() const noexcept { return {bytes_.get(), size_}; }

 private:
  std::unique_ptr<char[]> bytes_;
  std::size_t size_ = 0;
};

/// Overwrites a text that held a secret.
inline void wipe(std::string& text) noexcept {
  explicit_bzero(text.data(), text.size());
  text.clear();
}

}  // namespace strata::store
