// SPDX-License-Identifier: Apache-2.0
// A server of PostgreSQL for a test's time.
#pragma once

#include <sys/types.h>

#include <string>

namespace strata::testing {

/// A private server in a temporary folder, on a Unix socket that nobody else can reach. The destructor ends it. It
/// refuses to run as root, so that root starts it as the user `postgres`, or `nobody`.
class PostgresServer {
 public:
  PostgresServer();
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;
  ~PostgresServer();

  /// The server of this test program, started when it is first needed.
  [[nodiscard]] static PostgresServer& shared();
  /// A new, empty database. Returns its URL.
  [[nodiscard]] std::string make_database();
  /// Ends the server, as after a failure of the machine if `at_once`, and starts it.
  void restart(bool at_once);
  void stop(bool at_once);
  void start();
  /// The folder of the socket.
  [[nodiscard]] const std::string& socket_folder() const noexcept { return folder_; }

 private:
  [[nodiscard]] std::string url(const std::string& database) const;
  [[nodiscard]] pid_t launch(const std::string& program, const std::string& arguments) const;
  void run(const std::string& program, const std::string& arguments) const;

  std::string programs_;
  std::string folder_;
  pid_t server_ = -1;
  int made_ = 0;
};

}  // namespace strata::testing
