// Text as the reference's language sees it: which characters are blank, where lines end, how integers are read.
#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace strata::cloudinit {

/// Without white space (in the Unicode sense) at the front. Bytes that are not UTF-8 count as letters.
[[nodiscard]] std::string_view trim_front(std::string_view text) noexcept;
[[nodiscard]] std::string_view trim_back(std::string_view text) noexcept;
[[nodiscard]] std::string_view trim(std::string_view text) noexcept;

/// Bytes of the line end at the start of a text; 0 where none is there. Line ends are CR, LF, CR LF, and the Unicode and control characters that end
/// lines in Python.
[[nodiscard]] std::size_t line_end(std::string_view text);

/// Calls `take` with each line of a text, without its end.
template <std::invocable<std::string_view> Take>
void for_each_line(std::string_view text, const Take& take) {
  std::size_t start = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = line_end(text.substr(at));
    if (end == 0) {
      ++at;
      continue;
    }
    take(text.substr(start, at - start));
    at += end;
    start = at;
  }
  if (start < text.size()) take(text.substr(start));
}

/// ASCII letters in lower case, everything else as it is.
[[nodiscard]] std::string lower(std::string_view text);
[[nodiscard]] bool equal_ignoring_case(std::string_view left, std::string_view right) noexcept;

/// Whether `text` holds `word`, ASCII letters in any case. `anchor`: position in `word` of a character that is no letter, which is looked for first.
[[nodiscard]] bool holds_ignoring_case(std::string_view text, std::string_view word, std::size_t anchor) noexcept;

/// The decimal digits (with `-` where negative, without leading zeros) that Python's `int()` makes of a text; none where it refuses.
/// White space around, a sign, and single underscores between digits are allowed. Digits of other scripts are not known.
[[nodiscard]] std::optional<std::string> integer_digits(std::string_view text);

}  // namespace strata::cloudinit
