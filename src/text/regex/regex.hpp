// SPDX-License-Identifier: Apache-2.0
// Regular expressions with the semantics of Ruby and Python, for untrusted patterns and texts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

struct re_pattern_buffer;  // Oniguruma's.

namespace strata::text {

/// A compiled pattern over UTF-8 text (Oniguruma, the library from which Ruby's engine comes).
///
/// `ruby`: `^` and `$` match at lines, `(?m)` lets `.` match line breaks, `\d`, `\s` and `\w` are ASCII while
/// `[[:alpha:]]`, `\p{..}` and `\b` are not. If any group has a name, groups without a name do not capture. Not
/// supported: the options `(?a)`, `(?d)` and `(?u)`. Lookbehind may have variable length, which Ruby rejects. `python`:
/// as the module `re` for texts. `^` and `$` match at the ends of the text unless `(?m)` is on; `(?P<name>..)`,
/// `(?P=name)`; `\Z` is the very end; `\d`, `\s` and `\w` are Unicode. What Python rejects is rejected. `\N{NAME}` is
/// not supported.
///
/// Thread safety: one object may be used from several threads at once.
class Regex {
 public:
  enum class Syntax : std::uint8_t { ruby, python };

  struct Span {
    std::size_t begin = 0, end = 0;  ///< In bytes of the text.
    friend bool operator==(const Span&, const Span&) = default;
  };
  /// Group 0 is the whole match. A group that did not take part has no span.
  struct Match {
    std::vector<std::optional<Span>> groups;
  };

  /// Errors: `regex.syntax` with the reason; `limit.regex` for a pattern that is too long or nested too deeply. Cost:
  /// well below a second.
  explicit Regex(std::string_view pattern, Syntax syntax = Syntax::ruby);
  Regex(Regex&& other) noexcept;
  Regex& operator=(Regex&& other) noexcept;
  ~Regex();

  [[nodiscard]] const std::string& pattern() const noexcept { return pattern_; }

  // Each throws Error `limit.regex` when one attempt takes too many steps or the call takes more than 3 seconds of
  // processor time. A byte of `text` that is not UTF-8 acts as a control character.

  /// Whether the pattern matches anywhere in the text.
  [[nodiscard]] bool search(std::string_view text) const;
  /// Whether the pattern matches at the beginning of the text. The match need not reach the end.
  [[nodiscard]] bool match_from_start(std::string_view text) const;
  /// The first match that begins at or after `from` (a character boundary). Text before `from` counts for `^`, `\b` and
  /// lookbehind.
  [[nodiscard]] std::optional<Match> find(std::string_view text, std::size_t from = 0) const;
  /// Calls `visit` for all matches from left to right, as Python's `re.sub` replaces them: after an empty match, the
  /// next one is not empty or begins later; an empty one may directly follow another. The whole call takes a few
  /// seconds at most.
  void each_match(std::string_view text, const std::function<void(const Match&)>& visit) const;

  /// Number of groups that capture.
  [[nodiscard]] std::size_t groups() const noexcept;
  /// Whether a group has a name.
  [[nodiscard]] bool has_names() const noexcept;
  /// The number of the group with a name.
  [[nodiscard]] std::optional<std::size_t> group(std::string_view name) const noexcept;

 private:
  struct Free {
    void operator()(re_pattern_buffer* program) const noexcept;
  };
  /// `here`: at the offset, and not empty.
  enum class Anchor : std::uint8_t { start, anywhere, here };
  [[nodiscard]] bool run(std::string_view text, std::size_t from, Anchor anchor, Match* match) const;
  [[nodiscard]] bool run_valid(std::string_view text, std::size_t from, Anchor anchor, Match* match) const;

  using Program = std::unique_ptr<re_pattern_buffer, Free>;
  struct Bounded;

  [[nodiscard]] Program compile(bool with_checkpoints) const;
  /// The program for a string of `size` bytes. It belongs to this object.
  [[nodiscard]] re_pattern_buffer* program_for(std::size_t size) const;

  std::string pattern_;
  Syntax syntax_;
  std::size_t longest_for_plain_;  ///< Bytes of a string. Longer ones run the bounded program.
  Program plain_;
  std::unique_ptr<Bounded> bounded_;  ///< The program with checkpoints, once a long string needs it.
};

}  // namespace strata::text
