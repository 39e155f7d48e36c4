// SPDX-License-Identifier: Apache-2.0
// URLs as the client builds and joins them: Python's urllib.
#pragma once

#include <string>
#include <string_view>

namespace strata::heat {

/// A URL in its parts. Nothing is decoded.
struct Url {
  std::string scheme;  ///< In lower case. Empty if there is none.
  std::string host;    ///< Between `//` and the path. Empty if there is none.
  std::string path;
  std::string query;     ///< Without `?`.
  std::string fragment;  ///< Without `#`.

  [[nodiscard]] std::string to_string() const;
};

/// Splits a URL. Accepts any text. Tabs and line breaks are ignored.
[[nodiscard]] Url parse_url(std::string_view text);

/// Resolves `reference` against `base`, with `.` and `..` removed. A reference with another scheme is unchanged; an
/// empty one gives the base.
[[nodiscard]] std::string join_urls(const std::string& base, const std::string& reference);

/// The URL of the folder of a URL's path, without a final slash (except for the root).
[[nodiscard]] std::string folder_of(const std::string& url);

/// A path as URL: unchanged if it has a scheme; otherwise `file://` and the absolute path (relative to `folder`),
/// percent-encoded.
[[nodiscard]] std::string url_of_path(std::string_view path, std::string_view folder);

/// The path of a `file` URL: percent-decoded, including what looks like a query.
[[nodiscard]] std::string path_of(const Url& url);

}  // namespace strata::heat
