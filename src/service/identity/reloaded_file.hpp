// SPDX-License-Identifier: Apache-2.0
// A file of the configuration that is read anew when it changes.
#pragma once

#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "service/identity/credentials.hpp"

namespace strata::service {

/// What a file is known by, to see that it changed. Empty: it is not there.
[[nodiscard]] std::string file_stamp(const std::string& path);
/// The bytes of a regular file. Errors: `tree.unreadable`, `limit.input`.
[[nodiscard]] std::string read_whole_file(const std::string& path, std::size_t most);

/// The content of a file, as `read` makes it from the text. A new file that is wrong leaves the old content, and is
/// told of once (`reload.failed`). Thread-safe.
template <class Content>
class ReloadedFile {
 public:
  using Reader = std::function<std::shared_ptr<const Content>(const std::string& text)>;

  /// Reads the file. Errors: those of reading it, and of `read`.
  ReloadedFile(std::string path, std::size_t most, Reader read, IdentityEvents events, IdentityClocks clocks)
      : path_(std::move(path)),
        most_(most),
        read_(std::move(read)),
        events_(std::move(events)),
        clocks_(std::move(clocks)) {
    stamp_ = file_stamp(path_);
    content_ = read_(read_whole_file(path_, most_));
    looked_ = clocks_.steady();
  }

  /// Looks at the file at most once a second.
  [[nodiscard]] std::shared_ptr<const Content> current() {
    const std::lock_guard lock(mutex_);
    const auto now = clocks_.steady();
    if (now - looked_ < std::chrono::seconds(1)) return content_;
    looked_ = now;
    if (std::string stamp = file_stamp(path_); stamp != stamp_) {
      stamp_ = std::move(stamp);
      try {
        content_ = read_(read_whole_file(path_, most_));
      } catch (const std::exception& failure) {
        if (events_) events_("reload.failed", path_ + ": " + failure.what());
      }
    }
    return content_;
  }

 private:
  const std::string path_;
  const std::size_t most_;
  const Reader read_;
  const IdentityEvents events_;
  const IdentityClocks clocks_;
  std::mutex mutex_;  ///< Of all below.
  std::string stamp_;
  std::chrono::steady_clock::time_point looked_;
  std::shared_ptr<const Content> content_;
};

}  // namespace strata::service
