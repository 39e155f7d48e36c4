// SPDX-License-Identifier: Apache-2.0
#include "host/curl_fetcher.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>
#include <thread>
#include <vector>

#include "strata/error.hpp"

namespace strata {
namespace {

/// A web server on the loopback interface that gives one answer a connection, in order.
class CannedServer {
 public:
  explicit CannedServer(std::vector<std::string> answers) : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(bind(socket_, reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(listen(socket_, 8), 0);
    EXPECT_EQ(getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size), 0);
    url_ = "http://127.0.0.1:" + std::to_string(ntohs(address.sin_port)) + "/";
    thread_ = std::thread([this, answers = std::move(answers)] {
      for (const std::string& answer : answers) {
        const int connection = accept(socket_, nullptr, nullptr);
        if (connection < 0) return;
        char request[4096];
        (void)!read(connection, request, sizeof request);
        (void)!send(connection, answer.data(), answer.size(), MSG_NOSIGNAL);
        close(connection);
      }
    });
  }
  ~CannedServer() {
    shutdown(socket_, SHUT_RDWR);
    thread_.join();
    close(socket_);
  }
  [[nodiscard]] const std::string& url() const { return url_; }

 private:
  int socket_;
  std::string url_;
  std::thread thread_;
};

std::string answer(const std::string& status, const std::string& headers, const std::string& body) {
  return "HTTP/1.1 " + status + "\r\nConnection: close\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" +
         headers + "\r\n" + body;
}

std::string code_of_fetch(const std::string& url, const Limits& limits = {}) {
  try {
    (void)curl_fetcher(limits)->get(url, nullptr);
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(url), std::string::npos) << "the message names the location";
    return error.code();
  }
  return {};
}

TEST(CurlFetcher, FollowsRedirectsToTheWeb) {
  const CannedServer server({answer("302 Found", "Location: /x\r\n", ""), answer("200 OK", "", "a: 1\n")});
  EXPECT_EQ(curl_fetcher({})->get(server.url(), nullptr), "a: 1\n");
}

TEST(CurlFetcher, RefusesOtherSchemes) {
  EXPECT_EQ(code_of_fetch("ftp://127.0.0.1/x"), "include.network");
  EXPECT_EQ(code_of_fetch("file:///etc/hostname"), "include.network");
  const CannedServer server({answer("302 Found", "Location: file:///etc/hostname\r\n", "")});
  EXPECT_EQ(code_of_fetch(server.url()), "include.fetch");
}

TEST(CurlFetcher, FailuresAreErrors) {
  EXPECT_EQ(code_of_fetch("http://127.0.0.1:1/x"), "include.fetch");
  const CannedServer server({answer("404 Not Found", "", "gone")});
  EXPECT_EQ(code_of_fetch(server.url()), "include.fetch");
}

TEST(CurlFetcher, LargeAnswersHitTheLimit) {
  const CannedServer server({answer("200 OK", "", std::string(5000, 'x'))});
  Limits limits;
  limits.input = 4999;
  EXPECT_EQ(code_of_fetch(server.url(), limits), "limit.input");
}

}  // namespace
}  // namespace strata
