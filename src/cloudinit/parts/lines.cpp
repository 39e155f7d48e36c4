// SPDX-License-Identifier: Apache-2.0
#include "lines.hpp"

#include <algorithm>

namespace strata::cloudinit {
namespace {

/// A line that may be a boundary, without the dashes before and the blanks behind it.
std::string_view boundary_text(std::string_view line) {
  line = without_line_end(line).substr(2);
  return line.substr(0, line.find_last_not_of(" \t") + 1);
}

}  // namespace

std::string_view without_line_end(std::string_view line) noexcept {
  if (line.ends_with('\n'))
    line.remove_suffix(line.ends_with("\r\n") ? 2 : 1);
  else if (line.ends_with('\r'))
    line.remove_suffix(1);
  return line;
}

BoundaryLine match_boundary(std::string_view line, std::string_view boundary) noexcept {
  if (!line.starts_with("--")) return BoundaryLine::none;
  const std::string_view text = boundary_text(line);
  if (text == boundary) return BoundaryLine::separator;
  return text.ends_with("--") && text.substr(0, text.size() - 2) == boundary ? BoundaryLine::closing
                                                                             : BoundaryLine::none;
}

Range Lines::read() {
  Range line;
  if (!given_back_.empty()) {
    line = given_back_.back();
    given_back_.pop_back();
  } else {
    line.begin = next_;
    const std::size_t feed = std::min(text_.find('\n', next_), text_.size());
    line.end = std::min(feed + 1, text_.size());
    if (has_cr_) {
      const std::size_t cr = text_.substr(0, feed).find('\r', next_);
      if (cr != std::string_view::npos && cr + 1 < feed) line.end = cr + 1;
      // A CR right before the end of the text, or before the LF, belongs to this line anyway.
    }
    next_ = line.end;
  }
  if (line.empty()) return line;
  if (!ends_part(text(line))) return line;
  given_back_.push_back(line);
  return {line.begin, line.begin};
}

void Lines::unread(Range line) {
  if (!line.empty()) given_back_.push_back(line);
}

void Lines::close_boundary(const std::string& boundary) {
  const auto found = boundaries_.find(boundary);
  if (--found->second == 0) boundaries_.erase(found);
}

bool Lines::ends_part(std::string_view line) const {
  if (blocks_ > 0 && (line[0] == '\n' || line[0] == '\r')) return true;
  if (boundaries_.empty() || !line.starts_with("--")) return false;
  const std::string_view candidate = boundary_text(line);
  return is_open_boundary(candidate) ||
         (candidate.ends_with("--") && is_open_boundary(candidate.substr(0, candidate.size() - 2)));
}

}  // namespace strata::cloudinit
