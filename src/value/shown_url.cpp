#include "shown_url.hpp"

#include <algorithm>

namespace strata {

bool is_url(std::string_view name) noexcept {
  const std::size_t mark = name.find("://");
  const auto is_of_scheme = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
  };
  return mark != std::string_view::npos && mark != 0 && std::ranges::all_of(name.substr(0, mark), is_of_scheme);
}

std::string shown_url(std::string_view url) {
  constexpr std::string_view kMark = "://";
  const std::size_t mark = url.find(kMark);
  if (mark == std::string_view::npos) return std::string(url);
  const std::size_t begin = mark + kMark.size();
  const std::string_view authority = url.substr(begin, std::min(url.find_first_of("/?#", begin), url.size()) - begin);
  const std::size_t at = authority.rfind('@');
  if (at == std::string_view::npos) return std::string(url);
  return std::string(url.substr(0, begin)).append(url.substr(begin + at + 1));
}

}  // namespace strata
