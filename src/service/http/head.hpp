// The head of a request: what is refused before anything of it is believed.
#pragma once

#include <boost/beast/http/fields.hpp>
#include <boost/beast/http/message.hpp>
#include <cstdint>
#include <optional>
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

/// The offset behind the empty line that ends a head; npos: it is not there yet.
[[nodiscard]] std::size_t end_of_head(std::string_view bytes) noexcept;
/// Checks what a head looks like before it is parsed: line ends, folded lines, control characters, sizes. No value: nothing is wrong.
[[nodiscard]] std::optional<Refusal> check_lines(std::string_view head, const ServerLimits& limits);
/// Reads a head that was parsed into `request`: method, target, headers. Error (Refused) for what Beast lets pass and nobody should answer; the
/// connection must be closed after it.
[[nodiscard]] Head read_head(const boost::beast::http::request_header<>& parsed, const ServerLimits& limits, bool is_tls, Request& request);

}  // namespace strata::service
