// URLs as the client makes and joins them: Python's urllib.
#pragma once

#include <string>
#include <string_view>

namespace strata::heat {

/// A URL in its parts. Nothing is decoded.
struct Url {
  std::string scheme;  ///< In lower case; empty where there is none.
  std::string host;    ///< Between `//` and the path; empty where there is none.
  std::string path;
  std::string query;     ///< Without `?`.
  std::string fragment;  ///< Without `#`.

  [[nodiscard]] std::string to_string() const;
};

/// Splits a URL; anything is one. Tabs and line ends in it do not count.
[[nodiscard]] Url parse_url(std::string_view text);

/// `reference` as seen from `base`, with `.` and `..` folded. A reference with another scheme is itself; an empty one is the base.
[[nodiscard]] std::string join_urls(const std::string& base, const std::string& reference);

/// The URL of the folder that a URL's path stands in, without a final slash (but for the root).
[[nodiscard]] std::string folder_of(const std::string& url);

/// A path as URL: as it is where it has a scheme, else `file://` and the absolute path (from `folder` on), percent-encoded.
[[nodiscard]] std::string url_of_path(std::string_view path, std::string_view folder);

/// The path that a `file` URL means: percent-decoded, with what looks like a query.
[[nodiscard]] std::string path_of(const Url& url);

}  // namespace strata::heat
