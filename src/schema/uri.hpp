// SPDX-License-Identifier: Apache-2.0
// URIs as references of schemas use them.
#pragma once

#include <string>
#include <string_view>

namespace strata::json_schema::detail {

/// A reference against a base, as urljoin() of Python joins them (RFC 3986): bases of schemes without paths (`urn:`)
/// do not count.
[[nodiscard]] std::string join_uri(std::string_view base, std::string_view reference);

struct SplitUri {
  std::string uri;
  std::string fragment;  ///< Without `#`.
};

/// A URI and its fragment, as urldefrag() of Python takes them apart.
[[nodiscard]] SplitUri split_uri(std::string_view text);

/// A text with its `%41` replaced by the bytes that they stand for.
[[nodiscard]] std::string unescaped_uri(std::string_view text);

}  // namespace strata::json_schema::detail
