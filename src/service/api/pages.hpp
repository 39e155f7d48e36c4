// SPDX-License-Identifier: Apache-2.0
// Lists in pages: `?limit=` and `?page=`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "service/face.hpp"

namespace strata::service::api {

/// The largest `limit` of a list.
inline constexpr std::size_t kLongestPage = 1000;

/// Which part of a list of names is asked for.
struct Page {
  std::size_t limit = 0;
  std::string after = {};  ///< The last name of the page before. Empty: there was none.
  bool has_after = false;
  std::int64_t snapshot = 0;  ///< The generation of the pages before, and of the next ones. 0: there is none.
};
/// Reads `limit` and `page`. Error `request.query`.
[[nodiscard]] Page page_of(const Call& call, std::size_t limit = 100);
/// Leaves of sorted names those of a page. True: there are more behind it.
[[nodiscard]] bool cut(const Page& page, std::vector<std::string>& names);
/// Tells where the next page is: `Link: <…>; rel="next"`. A client that follows it sees each name that exists all the
/// time exactly once, whatever is written meanwhile.
void add_next(const Call& call, const Page& page, const std::string& last, Response& response);

}  // namespace strata::service::api
