// SPDX-License-Identifier: Apache-2.0
// What the loops and connections of a server share.
#pragma once

#include <atomic>
#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "service/http/forwarded.hpp"
#include "service/http/server.hpp"
#include "service/workers.hpp"

namespace strata::service {

class Connection;
class TlsContext;

namespace asio = boost::asio;
using Clock = std::chrono::steady_clock;
using LoopExecutor = asio::io_context::executor_type;

/// One thread with its connections. All but `posted` things happen in its thread.
struct Loop {
  asio::io_context context{1};
  asio::basic_waitable_timer<Clock, asio::wait_traits<Clock>, LoopExecutor> sweep{context.get_executor()};
  std::unordered_set<std::shared_ptr<Connection>> connections;
  std::atomic<Clock::time_point> turned = Clock::now();  ///< When it swept last.
  std::thread thread;
};

/// How many things of each name there are.
class Counts {
 public:
  /// False: there are `most`, and nothing is counted.
  [[nodiscard]] bool take(const std::string& name, std::size_t most);
  void give_back(const std::string& name);

 private:
  std::mutex mutex_;
  std::unordered_map<std::string, std::size_t> counts_;
};

/// How often each name may do something: `rate` times a second, and so many at once after a pause.
class Rates {
 public:
  /// Seconds until it is allowed again; 0: it is now, and counted.
  [[nodiscard]] double wait(const std::string& name, std::size_t rate, Clock::time_point now);

 private:
  struct Bucket {
    double left;  ///< What may be done now.
    Clock::time_point at;
  };
  std::mutex mutex_;
  std::unordered_map<std::string, Bucket> buckets_;
};

/// An open listener: for each loop an acceptor of its own.
class Door;

class Server::Shared {
 public:
  Shared(Service& served, std::function<std::shared_ptr<const Identity>()> who, Metrics& counted, Log& told,
         ServerOptions given);
  ~Shared();
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;

  void start();
  void drain();
  [[nodiscard]] bool wait(std::chrono::milliseconds time);
  [[nodiscard]] bool is_turning() const noexcept;

  Service& service;
  std::function<std::shared_ptr<const Identity>()> identity;
  Metrics& metrics;
  Log& log;
  ServerOptions options;
  TrustedProxies proxies;
  std::vector<std::string> addresses;

  std::atomic<bool> is_draining = false;
  std::atomic<std::size_t> undrained = 0;    ///< Loops that have not heard of it yet.
  std::atomic<std::size_t> open = 0;         ///< Connections.
  std::atomic<std::size_t> body_memory = 0;  ///< Bytes of bodies in flight.
  std::atomic<std::size_t> streams = 0;      ///< Answers that go on.
  Counts by_address;
  Counts by_principal;
  Rates rates;
  std::unique_ptr<Workers> workers;
  std::unique_ptr<Workers> makers;               ///< Of streams: they wait for their readers.
  std::unique_ptr<Workers> recognisers;          ///< They wait for authentication services, which may not answer.
  std::atomic<std::shared_ptr<TlsContext>> tls;  ///< Null: no listener has TLS.
  std::vector<std::unique_ptr<Loop>> loops;

 private:
  void sweep(Loop& loop);

  std::vector<std::unique_ptr<Door>> doors_;
};

}  // namespace strata::service
