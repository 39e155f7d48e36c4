// SPDX-License-Identifier: Apache-2.0
// The head of a request: what is refused before anything of it is believed.
#pragma once

#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <cstdint>
#include <string>
#include <string_view>

#include "service/http/server.hpp"
#include "service/request.hpp"

namespace strata::service {

/// A head that was read.
struct Head {
  bool is_http_1_0 = false;
  bool keeps_alive = true;
  bool expects_continue = false;
  bool is_chunked = false;
  std::uint64_t length = 0;  ///< Of the body.
};

/// Whether a line ends without a carriage return: of such a head nobody sees the end.
[[nodiscard]] bool has_bare_line_feed(std::string_view bytes) noexcept;
/// The offset behind the empty line that ends a head; npos: it is not there yet.
[[nodiscard]] std::size_t end_of_head(std::string_view bytes) noexcept;
using Parser = boost::beast::http::request_parser<boost::beast::http::string_body>;

/// Reads a head, which ends as end_of_head says, into `request`: method, target, headers. `parser` is a new one, and
/// goes on with the body. Error (Refused) for what is not to be answered; the connection must be closed after it.
[[nodiscard]] Head read_head(std::string_view head, const ServerLimits& limits, bool is_tls, Parser& parser,
                             Request& request);

}  // namespace strata::service
