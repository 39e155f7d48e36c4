// SPDX-License-Identifier: Apache-2.0
// File descriptors that close themselves, and reading all of one.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace strata::detail {

/// Owns an open file. Negative if there is none.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) noexcept : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor();

  [[nodiscard]] int get() const noexcept { return number_; }
  /// Releases the file to the caller, who must close it.
  int release() noexcept { return std::exchange(number_, -1); }
  explicit operator bool() const noexcept { return number_ >= 0; }

 private:
  int number_ = -1;
};

/// Opens an absolute path, no part of which is a symbolic link: otherwise, and on any failure, the result is empty and
/// errno is set (ELOOP for a link). `flags`, `mode`: as for open(2).
[[nodiscard]] Descriptor open_without_links(const std::string& path, int flags, unsigned mode = 0);

/// A file that the configuration or the command line of a program names: a regular one, or what the program was started
/// with (`/dev/stdin`, `/dev/fd/N`), or `/dev/null`. No value: there is no such file. Opening never waits. Error
/// `tree.unreadable` for pipes, devices, folders, and what cannot be read.
[[nodiscard]] std::optional<Descriptor> open_named_file(const std::string& path);

/// A name in a folder, with the type that the folder gives it (`DT_…`).
struct FolderEntry {
  std::string name;
  unsigned char type;
};
/// What is in a folder, without `.` and `..`, as far as it can be read.
[[nodiscard]] std::vector<FolderEntry> read_folder(const Descriptor& folder);

/// Reads up to the end of the file. Gives up after some seconds if no process opens a pipe for writing.
/// `path` is the name in errors. Errors: `tree.unreadable`, `limit.input`; those of Stop::check where a StopScope
/// names one.
[[nodiscard]] std::string read_all(const Descriptor& file, std::string_view path, std::size_t max_bytes);

/// The text of an errno.
[[nodiscard]] std::string system_message(int error);

}  // namespace strata::detail
