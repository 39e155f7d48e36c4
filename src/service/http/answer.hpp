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

/// Compresses the body if the client takes that, and it is worth it.
void compress(const Request& request, Response& response);
/// The same for an answer that no secret is in, whatever its headers are. Its entity tag must be a weak one.
void pack(const Request& request, Response& response);
/// Whether the client takes packed answers.
[[nodiscard]] bool takes_gzip(const Request& request);
/// Undoes `Content-Encoding: gzip` of a body. Error (Refused) for what is broken, larger than `most`, or of another encoding.
void decompress(Request& request, std::size_t most);

}  // namespace strata::service
