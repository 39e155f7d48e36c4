// SPDX-License-Identifier: Apache-2.0
// The pieces of an answer that is sent while it is made.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>

namespace strata::service {

/// From whoever makes an answer to the connection that sends it. Thread-safe.
class Channel {
 public:
  /// `most`: bytes that wait to be sent.
  explicit Channel(std::size_t most = std::size_t{1} << 20U) : most_(most) {}

  // For the maker:
  /// Waits while the reader is behind. False: it is gone.
  bool push(std::string_view piece);
  /// Does not wait. False: the reader is gone, or too far behind, which ends the channel.
  bool offer(std::string_view piece);
  /// There are no more pieces.
  void close();
  /// Called once when the reader is gone, by its thread; at once if it is.
  void on_gone(const std::function<void()>& told);

  // For the reader:
  /// Called when there are pieces after none were left, and at the end; by any thread.
  void on_ready(const std::function<void()>& told);
  struct Taken {
    std::string bytes;
    bool is_over = false;  ///< Nothing follows.
  };
  [[nodiscard]] Taken take();
  /// The reader takes no more.
  void leave();

 private:
  std::size_t most_;
  std::mutex mutex_;  ///< Of all below.
  std::condition_variable room_;
  std::string waiting_;
  bool is_over_ = false;
  bool is_left_ = false;
  std::function<void()> ready_;
  std::function<void()> gone_;
};

}  // namespace strata::service
