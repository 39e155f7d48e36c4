// SPDX-License-Identifier: Apache-2.0
// One connection: reads requests, one after the other, and sends their answers.
#pragma once

#include <boost/asio/basic_stream_socket.hpp>
#include <memory>
#include <string>

#include "service/http/shared.hpp"

namespace strata::service {

using TcpSocket = asio::basic_stream_socket<asio::ip::tcp, LoopExecutor>;
using LocalSocket = asio::basic_stream_socket<asio::local::stream_protocol, LoopExecutor>;

/// Lives in its loop's thread.
class Connection {
 public:
  virtual ~Connection() = default;
  /// Ends it if it has waited too long. Once a second.
  virtual void sweep(Clock::time_point now) = 0;
  /// No further requests: ends at once if it is idle, else with its answer.
  virtual void drain() = 0;
  /// Ends at once; what is in work is cancelled.
  virtual void abort() = 0;
};

/// Takes a connection over.
void serve_connection(Server::Shared& shared, Loop& loop, const Listener& listener, TcpSocket socket,
                      std::string address);
void serve_connection(Server::Shared& shared, Loop& loop, const Listener& listener, LocalSocket socket,
                      std::string address);

}  // namespace strata::service
