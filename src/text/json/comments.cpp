// SPDX-License-Identifier: Apache-2.0
#include "text/json/comments.hpp"

#include <algorithm>

#include "text/comments.hpp"

namespace strata::text {
namespace {

/// The first byte behind the string whose opening quote stands at `begin`.
std::size_t end_of_string(std::string_view text, std::size_t begin) noexcept {
  for (std::size_t i = begin + 1; i < text.size(); ++i) {
    if (text[i] == '"') return i + 1;
    if (text[i] == '\\') ++i;
  }
  return text.size();
}

/// The first byte behind the comment at `begin`; npos where there is none, or where it has no end.
std::size_t end_of_comment(std::string_view text, std::size_t begin) noexcept {
  const bool is_line = text.substr(begin, 2) == "//";
  if (!is_line && text.substr(begin, 2) != "/*") return std::string_view::npos;
  const std::string_view end = is_line ? "\n" : "*/";
  const std::size_t found = text.find(end, begin + 2);
  return found == std::string_view::npos ? found : found + end.size();
}

}  // namespace

std::vector<Stretch> json_comments(std::string_view text) {
  std::vector<Stretch> found;
  if (text.find('/') == std::string_view::npos) return found;
  for (std::size_t i = 0; (i = text.find_first_of("\"/", i)) != std::string_view::npos;) {
    if (text[i] == '"') {
      i = end_of_string(text, i);
      continue;
    }
    const std::size_t end = end_of_comment(text, i);
    if (end == std::string_view::npos) break;
    found.push_back({i, end});
    i = end;
  }
  return found;
}

std::optional<std::string> without_json_comments(std::string_view text) {
  const std::vector<Stretch> comments = json_comments(text);
  if (comments.empty()) return std::nullopt;
  std::string blanked(text);
  for (const Stretch& comment : comments) {
    std::fill(blanked.begin() + static_cast<std::ptrdiff_t>(comment.begin),
              blanked.begin() + static_cast<std::ptrdiff_t>(comment.end), ' ');
  }
  return blanked;
}

}  // namespace strata::text
