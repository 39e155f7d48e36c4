// SPDX-License-Identifier: Apache-2.0
// The lines of a message, and the ends of its parts.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "value/seeded_hash.hpp"

namespace strata::cloudinit {

/// A range of bytes of a text.
struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
  [[nodiscard]] bool empty() const noexcept { return begin == end; }
};

/// Without its line break (CR, LF or CR LF).
[[nodiscard]] std::string_view without_line_end(std::string_view line) noexcept;

/// Whether a line is a boundary of a multipart. Blanks may follow it.
enum class BoundaryLine { none, separator, closing };
[[nodiscard]] BoundaryLine match_boundary(std::string_view line, std::string_view boundary) noexcept;

/// Returns lines with their breaks. Reports the end early at a boundary of an enclosing multipart.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text), has_cr_(text.find('\r') != std::string_view::npos) {}

  /// The next line. Empty at the end, or if a line ends the current part. Cost: the line's length, for any number of
  /// open boundaries.
  Range read();
  /// Puts a line back, for the next `read`. An empty one has no effect.
  void unread(Range line);

  /// Where the next line begins.
  [[nodiscard]] std::size_t position() const noexcept { return given_back_.empty() ? next_ : given_back_.back().begin; }

  void open_boundary(const std::string& boundary) { ++boundaries_[boundary]; }
  void close_boundary(const std::string& boundary);
  /// From now on an empty line ends the part.
  void open_block() { ++blocks_; }
  void close_block() { --blocks_; }

  [[nodiscard]] std::string_view text(Range line) const { return text_.substr(line.begin, line.end - line.begin); }

 private:
  [[nodiscard]] bool is_open_boundary(std::string_view candidate) const {
    return boundaries_.contains(std::string(candidate));
  }
  [[nodiscard]] bool ends_part(std::string_view line) const;

  std::string_view text_;
  bool has_cr_;
  std::size_t next_ = 0;
  std::vector<Range> given_back_;
  TextMap<std::size_t> boundaries_;
  std::size_t blocks_ = 0;
};

}  // namespace strata::cloudinit
