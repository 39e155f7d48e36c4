// SPDX-License-Identifier: Apache-2.0
// A server of HTTP on this machine for a test's time.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <thread>

namespace strata::testing {

/// Answers one request a connection, one after the other.
class HttpPeer {
 public:
  struct Asked {
    std::string line;     ///< `GET /path HTTP/1.1`
    std::string headers;  ///< Lines, as sent.
    std::string body;
    /// The value of a header, whose name is as sent. Empty: there is none.
    [[nodiscard]] std::string header(const std::string& name) const;
  };
  struct Answer {
    int status = 200;
    std::string headers = {};  ///< Lines with `\r\n`.
    std::string body = {};
  };

  explicit HttpPeer(std::function<Answer(const Asked&)> answer);
  ~HttpPeer();
  HttpPeer(const HttpPeer&) = delete;
  HttpPeer& operator=(const HttpPeer&) = delete;

  [[nodiscard]] std::string url() const;
  [[nodiscard]] int asked() const noexcept { return asked_; }

 private:
  void serve();

  std::function<Answer(const Asked&)> answer_;
  int listener_ = -1;
  int port_ = 0;
  std::atomic<int> asked_ = 0;
  std::thread thread_;
};

}  // namespace strata::testing
