// SPDX-License-Identifier: Apache-2.0
#include "shown_url.hpp"

#include <algorithm>

namespace strata {

bool is_url(std::string_view name) noexcept {
  const std::size_t mark = name.find("://");
  const auto is_of_scheme = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' || c == '-' ||
           c == '.';
  };
  return mark != std::string_view::npos && mark != 0 && std::ranges::all_of(name.substr(0, mark), is_of_scheme);
}

namespace {

/// A text without what stands behind `password=` and the like, up to the next member of a URL or a list of words.
std::string without_passwords(std::string_view text) {
  constexpr std::string_view kMember = "password=";
  std::string out;
  for (std::size_t found = text.find(kMember); found != std::string_view::npos; found = text.find(kMember)) {
    out.append(text.substr(0, found + kMember.size())).append("******");
    text.remove_prefix(std::min(text.find_first_of("&# ", found), text.size()));
  }
  return out.append(text);
}

}  // namespace

std::string shown_url(std::string_view url) {
  constexpr std::string_view kMark = "://";
  const std::size_t mark = url.find(kMark);
  if (mark == std::string_view::npos) return without_passwords(url);
  const std::size_t begin = mark + kMark.size();
  const std::string_view authority = url.substr(begin, std::min(url.find_first_of("/?#", begin), url.size()) - begin);
  const std::size_t at = authority.rfind('@');
  if (at == std::string_view::npos) return without_passwords(url);
  return without_passwords(std::string(url.substr(0, begin)).append(url.substr(begin + at + 1)));
}

}  // namespace strata
