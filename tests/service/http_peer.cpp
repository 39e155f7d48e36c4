// SPDX-License-Identifier: Apache-2.0
#include "http_peer.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <stdexcept>

namespace strata::testing {

std::string HttpPeer::Asked::header(const std::string& name) const {
  const std::string start = "\r\n" + name + ": ";
  const std::string all = "\r\n" + headers;
  const std::size_t at = all.find(start);
  if (at == std::string::npos) return {};
  const std::size_t begin = at + start.size();
  return all.substr(begin, all.find("\r\n", begin) - begin);
}

HttpPeer::HttpPeer(std::function<Answer(const Asked&)> answer)
    : answer_(std::move(answer)), listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (::bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0 || ::listen(listener_, 16) != 0 ||
      ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    throw std::runtime_error("no listener");
  }
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { serve(); });
}

HttpPeer::~HttpPeer() {
  ::shutdown(listener_, SHUT_RDWR);
  thread_.join();
  ::close(listener_);
}

std::string HttpPeer::url() const { return fmt::format("http://127.0.0.1:{}", port_); }

void HttpPeer::serve() {
  for (;;) {
    const int connection = ::accept(listener_, nullptr, nullptr);
    if (connection < 0) return;
    std::string text;
    std::array<char, 4096> piece{};
    std::size_t end = std::string::npos;
    std::size_t length = 0;
    for (;;) {
      const ssize_t got = ::recv(connection, piece.data(), piece.size(), 0);
      if (got <= 0) break;
      text.append(piece.data(), static_cast<std::size_t>(got));
      if (end == std::string::npos && (end = text.find("\r\n\r\n")) != std::string::npos) {
        const std::size_t at = text.find("Content-Length: ");
        if (at < end) length = std::stoul(text.substr(at + 16));
      }
      if (end != std::string::npos && text.size() >= end + 4 + length) break;
    }
    if (end != std::string::npos) {
      const std::size_t line = text.find("\r\n");
      ++asked_;
      const Answer answer = answer_(
          {.line = text.substr(0, line), .headers = text.substr(line + 2, end - line), .body = text.substr(end + 4)});
      const std::string out = fmt::format("HTTP/1.1 {} x\r\nConnection: close\r\nContent-Length: {}\r\n{}\r\n{}",
                                          answer.status, answer.body.size(), answer.headers, answer.body);
      (void)::send(connection, out.data(), out.size(), MSG_NOSIGNAL);
    }
    ::close(connection);
  }
}

}  // namespace strata::testing
