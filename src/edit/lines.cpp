// SPDX-License-Identifier: Apache-2.0
#include "edit/lines.hpp"

#include <algorithm>

namespace strata::edit {

std::string spliced(std::string_view text, std::vector<Splice> splices) {
  std::ranges::stable_sort(splices, {}, &Splice::begin);
  std::string result;
  std::size_t done = 0;
  for (const Splice& splice : splices) {
    result.append(text.substr(done, splice.begin - done)).append(splice.text);
    done = splice.end;
  }
  return result.append(text.substr(done));
}

Lines::Lines(std::string_view text) : text_(text), first_(text.starts_with("\xEF\xBB\xBF") ? 3 : 0), break_("\n") {
  const std::size_t first = text.find_first_of("\r\n");
  if (first != std::string_view::npos && text[first] == '\r')
    break_ = text.substr(first).starts_with("\r\n") ? "\r\n" : "\r";
}

std::size_t Lines::begin(std::size_t at) const noexcept {
  if (at <= first_) return first_;
  // Between the two characters of a break, the line is the one that it ends.
  if (at < text_.size() && text_[at] == '\n' && text_[at - 1] == '\r') --at;
  if (at <= first_) return first_;
  const std::size_t found = text_.find_last_of("\r\n", at - 1);
  return found == std::string_view::npos || found < first_ ? first_ : found + 1;
}

std::size_t Lines::end(std::size_t at) const noexcept {
  return std::min(text_.find_first_of("\r\n", at), text_.size());
}

std::size_t Lines::next(std::size_t at) const noexcept {
  const std::size_t end = this->end(at);
  if (end == text_.size()) return end;
  return end + (text_.substr(end).starts_with("\r\n") ? 2 : 1);
}

std::size_t Lines::first_character(std::size_t at) const noexcept { return skip_blanks(begin(at)); }

bool Lines::is_first_in_line(std::size_t at) const noexcept { return first_character(at) >= at; }

std::size_t Lines::without_blanks(std::size_t from, std::size_t at) const noexcept {
  while (at > from && (text_[at - 1] == ' ' || text_[at - 1] == '\t')) --at;
  return at;
}

std::size_t Lines::skip_blanks(std::size_t at) const noexcept {
  return std::min(text_.find_first_not_of(" \t", at), text_.size());
}

std::size_t Lines::skip_gap(std::size_t at, bool is_json) const noexcept {
  for (;;) {
    at = std::min(text_.find_first_not_of(" \t\r\n", at), text_.size());
    const std::string_view rest = text_.substr(at);
    if (is_json && rest.starts_with("/*")) {
      const std::size_t end = text_.find("*/", at + 2);
      at = end == std::string_view::npos ? text_.size() : end + 2;
    } else if (is_json ? rest.starts_with("//") : rest.starts_with('#')) {
      at = end(at);
    } else {
      return at;
    }
  }
}

std::size_t Lines::skip_rest(std::size_t at, bool is_json) const noexcept {
  const std::size_t line_end = end(at);
  for (;;) {
    at = skip_blanks(at);
    const std::string_view rest = text_.substr(at);
    if (is_json && rest.starts_with("/*")) {
      const std::size_t closing = text_.find("*/", at + 2);
      if (closing == std::string_view::npos || closing > line_end) return at;
      at = closing + 2;
    } else {
      return (is_json ? rest.starts_with("//") : rest.starts_with('#')) ? line_end : at;
    }
  }
}

}  // namespace strata::edit
