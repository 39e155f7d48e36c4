// SPDX-License-Identifier: Apache-2.0
// Lines and gaps of a text, and replacements in it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace strata::edit {

/// Bytes [begin, end) become `text`.
struct Splice {
  std::size_t begin;
  std::size_t end;
  std::string text;
};

/// The text with all of them done. None overlap; at one place they are done in the order given.
[[nodiscard]] std::string spliced(std::string_view text, std::vector<Splice> splices);

/// A text as lines, which end with LF, CR LF or CR. A byte order mark belongs to no line.
class Lines {
 public:
  explicit Lines(std::string_view text);

  [[nodiscard]] std::string_view text() const noexcept { return text_; }
  /// The line break of the first line; LF where there is none.
  [[nodiscard]] std::string_view line_break() const noexcept { return break_; }
  /// The first byte of the line of `at`.
  [[nodiscard]] std::size_t begin(std::size_t at) const noexcept;
  /// The line break of the line of `at`, or the end of the text.
  [[nodiscard]] std::size_t end(std::size_t at) const noexcept;
  /// Behind the line break of the line of `at`, or the end of the text.
  [[nodiscard]] std::size_t next(std::size_t at) const noexcept;
  /// The first byte of the line before the one that begins at `begin`; there must be one.
  [[nodiscard]] std::size_t previous(std::size_t begin) const noexcept {
    return this->begin(begin - 1 - (is_break_pair(begin) ? 1 : 0));
  }
  [[nodiscard]] bool is_first(std::size_t begin) const noexcept { return begin <= first_; }
  [[nodiscard]] std::size_t column(std::size_t at) const noexcept { return at - begin(at); }
  /// Nothing but blanks stands before `at` in its line.
  [[nodiscard]] bool is_first_in_line(std::size_t at) const noexcept;
  /// The first byte of the line that is no blank, or its end.
  [[nodiscard]] std::size_t first_character(std::size_t at) const noexcept;
  [[nodiscard]] bool is_blank(std::size_t at) const noexcept { return first_character(at) == end(at); }
  /// Nothing but a comment of one line stands in the line: of YAML, or of JSON.
  [[nodiscard]] bool is_comment(std::size_t at, bool is_json = false) const noexcept {
    return text_.substr(first_character(at)).starts_with(is_json ? "//" : "#");
  }
  /// Behind the last byte before `at` that is no blank; at least `from`.
  [[nodiscard]] std::size_t without_blanks(std::size_t from, std::size_t at) const noexcept;
  /// Behind blanks at `at`.
  [[nodiscard]] std::size_t skip_blanks(std::size_t at) const noexcept;
  /// Behind blanks, line breaks and comments at `at`: those of YAML, or of JSON.
  [[nodiscard]] std::size_t skip_gap(std::size_t at, bool is_json) const noexcept;
  /// Behind blanks and comments at `at`, in its line; a comment of several lines does not count.
  [[nodiscard]] std::size_t skip_rest(std::size_t at, bool is_json) const noexcept;

 private:
  [[nodiscard]] bool is_break_pair(std::size_t begin) const noexcept {
    return begin >= 2 && text_[begin - 1] == '\n' && text_[begin - 2] == '\r';
  }

  std::string_view text_;
  std::size_t first_;  ///< Behind the byte order mark.
  std::string_view break_;
};

}  // namespace strata::edit
