// SPDX-License-Identifier: Apache-2.0
// One request and its answer, apart from the connection that they come and go by.
#pragma once

#include <boost/beast/core/flat_buffer.hpp>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "service/http/head.hpp"
#include "service/http/shared.hpp"
#include "service/service.hpp"
#include "strata/stop.hpp"

namespace strata::service {

class Identity;

/// A request from its head to the end of its answer. It outlives its connection as long as it is in work.
struct Exchange {
  Request request;
  Head head;
  Way way;
  Clock::time_point began = Clock::now();
  Clock::duration recognised_in{};  ///< It counts as time of the request.
  std::size_t bytes_in = 0;
  std::optional<Stop> stop;
  std::string in_flight;  ///< The name that is counted. Empty: none.
  std::string error;      ///< The code of the refusal. Empty: it was none.

  /// The principal as it is counted.
  [[nodiscard]] std::string who() const;
};

/// Why the bytes of a head that is not whole are too many. No value: they are not.
[[nodiscard]] std::optional<Refusal> too_long(std::string_view bytes, const ServerLimits& limits);
/// How long the client wants to wait, at most `most`: `Strata-Timeout`. Error `request.header` if that is not a number
/// of seconds.
[[nodiscard]] std::chrono::milliseconds patience(const Request& request, std::chrono::seconds most);

/// Reads a head with its id and its trace. Why it is refused. No value: it is not.
[[nodiscard]] std::optional<Refusal> take_head_of(Exchange& exchange, std::string_view bytes,
                                                  const ServerLimits& limits, bool is_tls, Parser& parser);

/// Bytes of a body that its parser took, and why the body is refused.
struct Fed {
  std::size_t used = 0;
  std::optional<Refusal> problem = {};
};
/// Gives the parser what was read, which goes from the buffer.
[[nodiscard]] Fed feed_body(Exchange& exchange, Parser& parser, boost::beast::flat_buffer& buffer);
/// Whether a body that has been coming for a time came too slowly.
[[nodiscard]] bool is_too_slow(std::size_t bytes, Clock::duration time);

/// Where the request leads; nowhere on a listener without the face.
void find_way_of(Exchange& exchange, const Service& service, const Listener& listener);
/// Who asks, and for which project.
void recognise(Exchange& exchange, const Identity& identity);
/// Why the request comes too soon after others of its client. No value: it does not.
[[nodiscard]] std::optional<Refusal> too_often(const Exchange& exchange, Server::Shared& shared);
/// The whole work for an answer, by a worker: the body is unpacked, the answer packed. Throws nothing.
[[nodiscard]] Response answer_of(Exchange& exchange, const Service& service);
/// Metrics and the log, once a request.
void note_end(const Exchange& exchange, Server::Shared& shared, unsigned status, std::size_t bytes_out);

}  // namespace strata::service
