// SPDX-License-Identifier: Apache-2.0
// Servers that hang, connections that are kept, and many threads.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <list>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "host/curl_fetcher.hpp"
#include "host/curl_http.hpp"
#include "stop_world.hpp"

namespace strata {
namespace {

enum class Manner {
  good,    ///< Answers each request of a connection with its number of that connection.
  silent,  ///< Accepts, and never answers.
  slow,    ///< Begins an answer, and goes on with a byte a second.
};

/// A web server on the loopback interface, with a thread a connection.
class StallingServer {
 public:
  explicit StallingServer(Manner manner) : manner_(manner), socket_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(bind(socket_, reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(listen(socket_, 64), 0);
    EXPECT_EQ(getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size), 0);
    url_ = "http://127.0.0.1:" + std::to_string(ntohs(address.sin_port)) + "/";
    thread_ = std::thread([this] {
      for (int connection = 0; (connection = accept(socket_, nullptr, nullptr)) >= 0;) {
        ++connections;
        const std::lock_guard lock(mutex_);
        if (is_over_) {
          close(connection);
          continue;
        }
        open_.push_back(connection);
        serving_.emplace_back([this, connection] { serve(connection); });
      }
    });
  }
  ~StallingServer() {
    {
      const std::lock_guard lock(mutex_);
      is_over_ = true;
      for (const int connection : open_) shutdown(connection, SHUT_RDWR);
    }
    shutdown(socket_, SHUT_RDWR);
    thread_.join();
    for (std::thread& thread : serving_) thread.join();
    for (const int connection : open_) close(connection);
    close(socket_);
  }
  StallingServer(const StallingServer&) = delete;
  StallingServer& operator=(const StallingServer&) = delete;

  [[nodiscard]] const std::string& url() const { return url_; }
  std::atomic<int> connections = 0;
  std::atomic<int> requests = 0;

 private:
  void serve(int connection) {
    int count = 0;
    std::string request;
    char bytes[4096];
    for (ssize_t got = 0; (got = read(connection, bytes, sizeof bytes)) > 0;) {
      request.append(bytes, static_cast<std::size_t>(got));
      // Requests of these tests have a body of two bytes, or none.
      const std::size_t end = request.find("\r\n\r\n");
      if (end == std::string::npos || (request.starts_with("POST") && request.size() < end + 6)) continue;
      request.clear();
      ++requests;
      if (manner_ == Manner::good) {
        const std::string body = std::to_string(++count);
        say(connection, "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
      } else if (manner_ == Manner::slow) {
        say(connection, "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n");
        pollfd gone{.fd = connection, .events = POLLRDHUP, .revents = 0};
        while (poll(&gone, 1, 1000) == 0) say(connection, "x");
      }
    }
    shutdown(connection, SHUT_RDWR);
  }
  static void say(int connection, const std::string& text) {
    (void)!send(connection, text.data(), text.size(), MSG_NOSIGNAL);
  }

  Manner manner_;
  int socket_;
  std::string url_;
  std::mutex mutex_;
  bool is_over_ = false;
  std::vector<int> open_;
  std::list<std::thread> serving_;
  std::thread thread_;
};

HttpRequest question(const StallingServer& server, const Stop* stop = nullptr) {
  HttpRequest request;
  request.url = server.url();
  request.body = "{}";
  request.timeout = std::chrono::seconds(1000);
  request.stop = stop;
  return request;
}

class HangingTransfers : public ::testing::TestWithParam<Manner> {};

TEST_P(HangingTransfers, QuestionsEndWithTheRequest) {
  for (const bool is_cancelled : {true, false}) {
    StallingServer server(GetParam());
    const auto client = curl_http();
    const auto work = [&](const Stop* stop) { (void)client->post(question(server, stop)); };
    const auto is_waiting = [&] { return server.requests > 0; };
    if (is_cancelled) {
      EXPECT_EQ(testing::code_when_cancelled(work, is_waiting), "session.cancelled");
    } else {
      EXPECT_EQ(testing::code_at_deadline(work, is_waiting), "limit.time");
    }
  }
}

TEST_P(HangingTransfers, FetchesEndWithTheRequest) {
  for (const bool is_cancelled : {true, false}) {
    StallingServer server(GetParam());
    const auto fetcher = curl_fetcher({});
    const auto work = [&](const Stop* stop) { (void)fetcher->get(server.url(), stop); };
    const auto is_waiting = [&] { return server.requests > 0; };
    if (is_cancelled) {
      EXPECT_EQ(testing::code_when_cancelled(work, is_waiting), "session.cancelled");
    } else {
      EXPECT_EQ(testing::code_at_deadline(work, is_waiting), "limit.time");
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Transfers, HangingTransfers, ::testing::Values(Manner::silent, Manner::slow));

TEST(Transfers, TheTimeOfAQuestionIsAnErrorOfItsOwn) {
  const testing::Watchdog watchdog;
  const StallingServer server(Manner::silent);
  const Stop stop(Stop::Clock::now() + std::chrono::hours(1));
  HttpRequest request = question(server, &stop);
  request.timeout = std::chrono::milliseconds(100);
  try {
    (void)curl_http()->post(request);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "http.failed");
  }
}

TEST(Transfers, KeepConnections) {
  const testing::Watchdog watchdog;
  const StallingServer server(Manner::good);
  EXPECT_EQ(curl_http()->post(question(server)).body, "1");
  EXPECT_EQ(curl_http()->post(question(server)).body, "2");
  EXPECT_EQ(curl_fetcher({})->get(server.url(), nullptr), "3");
  EXPECT_EQ(server.connections, 1);
  // A client certificate does not change the name of the server.
  HttpRequest other = question(server);
  other.certificate = "/nonexistent/client.pem";
  EXPECT_EQ(curl_http()->post(other).body, "1");
  EXPECT_EQ(server.connections, 2);
}

TEST(Transfers, AConnectionThatWasEndedIsNotUsedAgain) {
  const StallingServer server(Manner::good);
  const StallingServer hanging(Manner::silent);
  EXPECT_EQ(testing::code_when_cancelled([&](const Stop* stop) { (void)curl_http()->post(question(hanging, stop)); },
                                         [&] { return hanging.requests > 0; }),
            "session.cancelled");
  EXPECT_EQ(testing::code_when_cancelled([&](const Stop* stop) { (void)curl_http()->post(question(hanging, stop)); },
                                         [&] { return hanging.requests > 1; }),
            "session.cancelled");
  EXPECT_EQ(hanging.connections, 2);
  const testing::Watchdog watchdog;
  EXPECT_EQ(curl_http()->post(question(server)).status, 200);
}

TEST(Transfers, ManyThreadsAtOnce) {
  const testing::Watchdog watchdog;
  const StallingServer server(Manner::good);
  const auto client = curl_http();
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 50; ++k) EXPECT_EQ(client->post(question(server)).status, 200);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(server.requests, 400);
  EXPECT_LE(server.connections, 8);
}

}  // namespace
}  // namespace strata
