// SPDX-License-Identifier: Apache-2.0
#include "service/api/pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "service/api/cursors.hpp"
#include "service/core.hpp"
#include "strata/error.hpp"

namespace strata::service::api {
namespace {

/// Which list a request asks for: its path and all that filters it.
std::string requested_list(const Call& call) {
  std::string out = call.project + '\n' + call.request.path;
  for (const Field& one : call.request.query.fields()) {
    if (one.name != "limit" && one.name != "page" && one.name != "after")
      out += fmt::format("\n{}={}", one.name, one.value);
  }
  return out;
}

}  // namespace

Page page_of(const Call& call, std::size_t limit) {
  Page out{.limit = call.request.query.number("limit", kLongestPage).value_or(limit)};
  if (out.limit == 0) throw Error("request.query", fmt::format("'limit' is a number from 1 to {}", kLongestPage));
  if (const std::string* text = call.request.query.find("page")) {
    std::optional<Cursor> cursor = read_cursor(*text, requested_list(call), call.core.signer());
    if (!cursor)
      throw Error("request.query", "'page' is not what this list said")
          .hint("take it from the header Link of the answer before");
    out.after = std::move(cursor->after);
    out.snapshot = cursor->snapshot;
    out.has_after = true;
  }
  return out;
}

bool cut(const Page& page, std::vector<std::string>& names) {
  if (page.has_after) names.erase(names.begin(), std::ranges::upper_bound(names, page.after));
  if (names.size() <= page.limit) return false;
  names.resize(page.limit);
  return true;
}

void add_next(const Call& call, const Page& page, const std::string& last, Response& response) {
  std::string others;
  for (const Field& one : call.request.query.fields()) {
    if (one.name == "limit" || one.name == "page") continue;
    others += fmt::format("{}={}&", percent_encoded(one.name), percent_encoded(one.value));
  }
  response.headers.add(
      "Link",
      fmt::format(
          "<{}{}?{}limit={}&page={}>; rel=\"next\"", call.request.base, call.request.path, others, page.limit,
          cursor_text({.list = requested_list(call), .snapshot = page.snapshot, .after = last}, call.core.signer())));
}

}  // namespace strata::service::api
