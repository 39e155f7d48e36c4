#include "service/api/pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "strata/error.hpp"
#include "strata/text.hpp"

namespace strata::service::api {
namespace {

constexpr std::size_t kLongestPage = 1000;
constexpr std::string_view kMark = "1:";  ///< The form of a cursor.

/// A cursor is for this service alone: clients give it back as it is.
std::string cursor_of(const std::string& last) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (const char one : std::string(kMark) + last) {
    const auto byte = static_cast<unsigned char>(one);
    out += kDigits[byte >> 4U];
    out += kDigits[byte & 15U];
  }
  return out;
}

std::optional<std::string> read_cursor(std::string_view cursor) {
  std::string escaped;
  for (std::size_t at = 0; at + 1 < cursor.size(); at += 2) escaped.append("%").append(cursor.substr(at, 2));
  const std::optional<std::string> out = percent_decoded(escaped);
  const bool is_right = cursor.size() % 2 == 0 && out && out->starts_with(kMark) && text::find_invalid_utf8(*out) == std::string::npos;
  return is_right ? std::optional(out->substr(kMark.size())) : std::nullopt;
}

}  // namespace

Page page_of(const Call& call, std::size_t limit) {
  Page out{.limit = call.request.query.number("limit", kLongestPage).value_or(limit)};
  if (const std::string* cursor = call.request.query.find("page")) {
    const std::optional<std::string> after = read_cursor(*cursor);
    if (!after) throw Error("request.query", "'page' is not what a list said").hint("take it from the header Link of the answer before");
    out.after = *after;
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
      "Link", fmt::format("<{}{}?{}limit={}&page={}>; rel=\"next\"", call.request.base, call.request.path, others, page.limit, cursor_of(last)));
}

}  // namespace strata::service::api
