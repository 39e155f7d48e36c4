// SPDX-License-Identifier: Apache-2.0
// An answer as bytes.
#pragma once

#include <string>
#include <string_view>

#include "service/request.hpp"

namespace strata::service {

/// The head of an answer, with the empty line after it. `Date` and what belongs to transport are added.
struct HeadStyle {
  bool is_http_1_0 = false;
  bool keeps_alive = true;
  bool has_body = true;  ///< False for HEAD: the length is that of the body that is not sent.
};
[[nodiscard]] std::string head_text(const Response& response, const Request& request, const HeadStyle& style);
/// The frame of a piece of a body in chunks: what comes before it. `\r\n` comes behind it.
[[nodiscard]] std::string chunk_head(std::size_t size);

}  // namespace strata::service
