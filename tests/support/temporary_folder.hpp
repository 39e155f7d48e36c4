// SPDX-License-Identifier: Apache-2.0
// Files on the host for a test's time.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace strata::testing {

/// A new, empty folder that goes with the object.
class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  [[nodiscard]] std::string operator/(std::string_view name) const { return (path_ / name).string(); }

  /// Writes a file, with the folders that lead to it.
  void write(std::string_view name, std::string_view bytes) const;
  /// A symbolic link `name` that says `target`.
  void link(std::string_view name, std::string_view target) const;
  /// Runs a shell command in the folder. A failed one is a failed test (std::runtime_error).
  void run(const std::string& command) const;

 private:
  std::filesystem::path path_;
};

}  // namespace strata::testing
