// One exchange over http or https.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace strata {

class Stop;

/// What is asked for.
struct TransferRequest {
  std::string url;
  std::optional<std::string> body;   ///< A POST of this; none: a GET.
  std::vector<std::string> headers;  ///< `Name: value`.
  // Files of the host with PEM; empty: none. Without `ca` the system's certificates count.
  std::string ca;
  std::string certificate;
  std::string key;
  long redirects = 0;            ///< How many are followed, to http and https only; 0: a redirect is the answer.
  bool fails_on_status = false;  ///< A status from 400 on is a problem.
  std::chrono::milliseconds connect_timeout{};
  std::chrono::milliseconds timeout{};  ///< Of all of it.
  std::size_t max_bytes = 0;            ///< Of the body.
  const Stop* stop = nullptr;           ///< Null: nothing else ends it.
};

/// What came of it.
struct Transfer {
  long status = 0;
  std::string body;
  std::string problem;        ///< Why there is no answer; empty where there is one.
  bool is_too_large = false;  ///< The body has more than `max_bytes`.
};

/// Asks a server through libcurl, over a connection that an earlier transfer of this process left open, if there is one to the same server with the
/// same files. None where libcurl is missing or too old. Any number of threads at once. Raises no signals. Errors: as Stop::check.
[[nodiscard]] std::optional<Transfer> transfer(const TransferRequest& request);

}  // namespace strata
