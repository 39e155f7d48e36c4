// SPDX-License-Identifier: Apache-2.0
// One exchange over http or https.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace strata {

class Stop;

/// A request.
struct TransferRequest {
  std::string url = {};
  std::optional<std::string> body = {};   ///< Sent by POST. No value: a GET.
  std::vector<std::string> headers = {};  ///< `Name: value`.
  // PEM files of the host. Empty: none. Without `ca`, the certificates of the system apply.
  std::string ca = {};
  std::string certificate = {};
  std::string key = {};
  long redirects = 0;  ///< The number of redirects to follow, to http and https only. 0: a redirect is the answer.
  bool fails_on_status = false;  ///< A status of 400 or more is a problem.
  std::chrono::milliseconds connect_timeout{};
  std::chrono::milliseconds timeout{};  ///< For the whole exchange.
  std::size_t max_bytes = 0;            ///< Of the body.
  const Stop* stop = nullptr;           ///< Null: nothing else ends it.
};

/// The result.
struct Transfer {
  long status = 0;
  std::string body;
  std::string problem;        ///< Why there is no answer. Empty if there is one.
  bool is_too_large = false;  ///< The body has more than `max_bytes`.
  /// Of the last answer, in order: names with values. At most 64 KiB of them.
  std::vector<std::pair<std::string, std::string>> headers = {};

  /// The first value of a header, whose name is compared without regard to case. Empty: there is none.
  [[nodiscard]] std::string_view header(std::string_view name) const noexcept;
};

/// Performs a request through libcurl. Reuses a connection of an earlier transfer of this process to the same server
/// with the same files. No value if libcurl is missing or too old. Any number of threads at once. Raises no signals.
/// Errors: as Stop::check.
[[nodiscard]] std::optional<Transfer> transfer(const TransferRequest& request);

}  // namespace strata
