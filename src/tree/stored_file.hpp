// SPDX-License-Identifier: Apache-2.0
// The bytes of a file in memory, with an identity that is computed on demand.
#pragma once

#include <mutex>
#include <string>
#include <utility>

#include "strata/file_tree.hpp"
#include "value/once_flag.hpp"

namespace strata::detail {

/// Thread-safe.
class StoredFile {
 public:
  explicit StoredFile(std::string bytes) noexcept : bytes_(std::move(bytes)) {}
  [[nodiscard]] const std::string& bytes() const noexcept { return bytes_; }
  [[nodiscard]] ContentId id() const {
    identified_.call([this] { id_ = content_id(bytes_); });
    return id_;
  }

 private:
  std::string bytes_;
  mutable OnceFlag identified_;
  mutable ContentId id_;
};

}  // namespace strata::detail
