// Regular expressions as Ruby and Python mean them, for patterns and texts that nobody vouches for.
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

/// A compiled pattern over UTF-8 text (Oniguruma, the library that Ruby's engine comes from).
///
/// `ruby`: `^` and `$` stand at lines, `(?m)` lets `.` match line ends, `\d`, `\s` and `\w` are ASCII while `[[:alpha:]]`, `\p{..}` and `\b` are not,
/// and where a group has a name those without one do not capture. Not known: the options `(?a)`, `(?d)` and `(?u)`.
/// What is looked behind for may vary in length, which Ruby refuses.
/// `python`: as the module `re` has it for texts. `^` and `$` stand at the ends of the text unless `(?m)` is on, `(?P<name>..)`, `(?P=name)`, `\Z` is
/// the very end, `\d`, `\s` and `\w` know all of Unicode. What Python refuses is refused; `\N{NAME}` is not known.
///
/// Thread safety: one object may be used from several threads at once.
class Regex {
 public:
  enum class Syntax : std::uint8_t { ruby, python };

  struct Span {
    std::size_t begin = 0, end = 0;  ///< In bytes of the text.
    friend bool operator==(const Span&, const Span&) = default;
  };
  /// Group 0 is the whole match; a group that took no part has no span.
  struct Match {
    std::vector<std::optional<Span>> groups;
  };

  /// Errors: `regex.syntax` with the reason; `limit.regex` for a pattern that is too long or nested too deep. Cost: well below a second.
  explicit Regex(std::string_view pattern, Syntax syntax = Syntax::ruby);
  Regex(Regex&& other) noexcept;
  Regex& operator=(Regex&& other) noexcept;
  ~Regex();

  [[nodiscard]] const std::string& pattern() const noexcept { return pattern_; }

  // Each throws Error `limit.regex` where the pattern takes too many steps, so that the worst one ends within a second or so.
  // A byte of `text` that is not UTF-8 is a control character to the pattern.

  /// True where the pattern matches somewhere in the text.
  [[nodiscard]] bool search(std::string_view text) const;
  /// True where the pattern matches at the beginning of the text; the match need not reach the end.
  [[nodiscard]] bool match_from_start(std::string_view text) const;
  /// The first match that begins at `from` (a boundary of characters) or later. What is before `from` counts for `^`, `\b` and lookbehind.
  [[nodiscard]] std::optional<Match> find(std::string_view text, std::size_t from = 0) const;
  /// Calls `visit` for all matches from left to right, as Python's `re.sub` replaces them: behind an empty match the next one is not empty or begins
  /// later, and an empty one may follow another at once. All of it takes a few seconds at most.
  void each_match(std::string_view text, const std::function<void(const Match&)>& visit) const;

  /// Number of groups that capture.
  [[nodiscard]] std::size_t groups() const noexcept;
  /// Whether a group has a name.
  [[nodiscard]] bool has_names() const noexcept;
  /// The number of the group of a name.
  [[nodiscard]] std::optional<std::size_t> group(std::string_view name) const noexcept;

 private:
  struct Free {
    void operator()(re_pattern_buffer* regex) const noexcept;
  };
  /// `here`: at the offset, and not empty.
  enum class Anchor : std::uint8_t { start, anywhere, here };
  [[nodiscard]] bool run(std::string_view text, std::size_t from, Anchor anchor, Match* match) const;
  [[nodiscard]] bool run_valid(std::string_view text, std::size_t from, Anchor anchor, Match* match) const;

  std::string pattern_;
  std::unique_ptr<re_pattern_buffer, Free> compiled_;
};

}  // namespace strata::text
