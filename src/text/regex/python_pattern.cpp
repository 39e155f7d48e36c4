// SPDX-License-Identifier: Apache-2.0
#include "text/regex/python_pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "text/decimal.hpp"
#include "text/regex/python_case.hpp"
#include "text/unicode/characters.hpp"

namespace strata::text {
namespace {

constexpr std::uint64_t kUnbounded = UINT32_MAX;

// What Python's str.isalnum, isspace and isdecimal take: Oniguruma's own classes have marks and miss what is numeric.
constexpr std::string_view kUnicodeWord = R"(\p{L}\p{N}_)";
constexpr std::string_view kUnicodeSpace = R"(\p{White_Space}\x1c-\x1f)";
constexpr std::string_view kUnicodeDigit = R"(\p{Nd})";
constexpr std::string_view kAsciiWord = "a-zA-Z0-9_";
constexpr std::string_view kAsciiSpace = R"(\t\n\x0b\x0c\r\x20)";
constexpr std::string_view kAsciiDigit = "0-9";

/// Opens a group that does not capture. Oniguruma refuses to repeat `(?:a|$)`, but not a group of options, of which
/// this changes none.
constexpr std::string_view kGroup = "(?-:";

bool is_octal(char c) noexcept { return c >= '0' && c <= '7'; }
bool is_ascii_letter(char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// How many characters a part of a pattern takes.
struct Width {
  std::uint64_t least = 0;
  std::uint64_t most = 0;

  [[nodiscard]] Width times(std::uint64_t from, std::uint64_t to) const {
    return {std::min(least * from, kUnbounded), most == 0 || to == 0 ? 0 : std::min(most * to, kUnbounded)};
  }
  void add(const Width& other) {
    *this = {std::min(least + other.least, kUnbounded), std::min(most + other.most, kUnbounded)};
  }
  void join(const Width& other) { *this = {std::min(least, other.least), std::max(most, other.most)}; }
};

/// One item of a sequence, to which a quantifier may apply.
struct PatternItem {
  enum class Kind : std::uint8_t { plain, anchor, repeat };
  std::string text;
  Width width{};
  Kind kind = Kind::plain;
};

/// Options that count where they stand. They are spelled out: Oniguruma's `i` takes other characters for the same.
struct Flags {
  bool ascii = false;
  bool ignore_case = false;
  bool multiline = false;
  bool dot_all = false;
  bool verbose = false;
};

/// The global option `x` was found in a pattern that was read without it: it counts from the beginning.
struct BeginAgain {};

class PatternTranslator {
 public:
  PatternTranslator(std::string_view pattern, unsigned levels, std::string_view checkpoint, bool verbose)
      : pattern_(pattern), levels_(levels), checkpoint_(checkpoint), global_{.verbose = verbose} {}

  std::string run() {
    PatternItem all = alternatives(global_, 0);
    if (at_ < pattern_.size()) fail("unbalanced parenthesis");
    for (const std::size_t group : conditions_) {
      if (group >= widths_.size()) fail(fmt::format("invalid group reference {}", group));
    }
    return std::move(all.text);
  }

 private:
  [[noreturn]] static void fail(const std::string& reason) { throw PythonPatternError(reason); }

  [[nodiscard]] bool at(std::string_view text) const noexcept { return pattern_.substr(at_, text.size()) == text; }
  bool accept(std::string_view text) {
    if (!at(text)) return false;
    at_ += text.size();
    return true;
  }
  char take(const char* otherwise) {
    if (at_ >= pattern_.size()) fail(otherwise);
    return pattern_[at_++];
  }
  std::string_view until(char end, const char* missing) {
    const std::size_t found = pattern_.find(end, at_);
    if (found == std::string_view::npos) fail(missing);
    const std::string_view text = pattern_.substr(at_, found - at_);
    at_ = found + 1;
    return text;
  }

  static std::string literal(char32_t point) {
    if (point < 0x80 && (is_digit(static_cast<char>(point)) || is_ascii_letter(static_cast<char>(point))))
      return {static_cast<char>(point)};
    return fmt::format("\\x{{{:x}}}", static_cast<std::uint32_t>(point));
  }

  /// The members of a set: a range, in any case if case does not count.
  static std::string spelled(CharacterRange range, const Flags& flags) {
    std::string out;
    for (const auto& [first, last] : flags.ignore_case ? in_any_case(range, flags.ascii) : std::vector{range}) {
      out += literal(first);
      if (last != first) out += "-" + literal(last);
    }
    return out;
  }

  static PatternItem character(char32_t point, const Flags& flags) {
    const std::string same = spelled({.first = point, .last = point}, flags);
    const std::string alone = literal(point);
    return {same == alone ? alone : fmt::format("[{}]", same), {1, 1}};
  }

  // Recursion: `levels_` bounds the groups within groups.
  PatternItem alternatives(Flags& flags, unsigned level) {
    if (level > levels_) throw PythonPatternTooDeep();
    PatternItem all = sequence(flags, level, level == 0);
    while (accept("|")) {
      const PatternItem other = sequence(flags, level, false);
      all.text.append("|").append(other.text);
      all.width.join(other.width);
    }
    return all;
  }

  PatternItem sequence(Flags& flags, unsigned level, bool is_first) {
    PatternItem all;
    std::optional<PatternItem> last;
    const auto flush = [&] {
      if (!last) return;
      all.text += last->text;
      all.width.add(last->width);
    };
    while (at_ < pattern_.size() && !at("|") && !at(")")) {
      if (flags.verbose && skip_blank()) continue;
      if (accept("(?#")) {
        until(')', "missing ), unterminated comment");
        continue;
      }
      if (std::string_view("*+?{").find(pattern_[at_]) != std::string_view::npos && repeat(last)) continue;
      std::optional<PatternItem> next = item(flags, level, is_first && !last && all.text.empty());
      if (!next) continue;  // Global options.
      flush();
      last = std::move(next);
    }
    flush();
    return all;
  }

  bool skip_blank() {
    if (std::string_view(" \t\n\r\v\f").find(pattern_[at_]) != std::string_view::npos) {
      ++at_;
      return true;
    }
    if (pattern_[at_] != '#') return false;
    at_ = std::min(pattern_.find('\n', at_), pattern_.size() - 1) + 1;
    return true;
  }

  std::uint64_t number() {
    std::uint64_t out = 0;
    for (; at_ < pattern_.size() && is_digit(pattern_[at_]); ++at_) {
      out = out * 10 + static_cast<std::uint64_t>(pattern_[at_] - '0');
      if (out >= kUnbounded) fail("the repetition number is too large");
    }
    return out;
  }

  [[nodiscard]] std::string atomic() const { return fmt::format("(?>{}", checkpoint_); }

  /// In a group, so that a character behind it does not become part of the quantifier. `mode`: `?` or `+` behind it.
  [[nodiscard]] std::string repeated(const PatternItem& item, std::uint64_t least, std::uint64_t most,
                                     char mode) const {
    const std::string quantifier =
        most == kUnbounded ? fmt::format("{{{},}}", least) : fmt::format("{{{},{}}}", least, most);
    return fmt::format("{}{}{}{})", mode == '+' ? atomic() : "(?:", item.text, quantifier,
                       mode == '?' && least != most ? "?" : "");
  }

  /// A quantifier; false where the brace is a literal, which is read then.
  bool repeat(std::optional<PatternItem>& last) {
    const std::size_t begin = at_;
    std::uint64_t least = 0;
    std::uint64_t most = kUnbounded;
    switch (pattern_[at_++]) {
      case '+':
        least = 1;
        break;
      case '?':
        most = 1;
        break;
      case '{': {
        const std::size_t digits = at_;
        const bool is_empty = at("}");
        least = number();
        const bool has_least = at_ > digits;
        if (accept(",")) {
          const std::size_t behind = at_;
          const std::uint64_t given = number();
          if (at_ > behind) most = given;
        } else if (has_least) {
          most = least;
        }
        if (is_empty || !accept("}")) {
          at_ = begin;
          return false;
        }
        if (most < least) fail("min repeat greater than max repeat");
        break;
      }
      default:
        break;
    }
    if (!last || last->kind == PatternItem::Kind::anchor) fail("nothing to repeat");
    if (last->kind == PatternItem::Kind::repeat) fail("multiple repeat");
    const char mode = accept("?") ? '?' : accept("+") ? '+' : ' ';
    last->text = repeated(*last, least, most, mode);
    last->width = last->width.times(least, most);
    last->kind = PatternItem::Kind::repeat;
    return true;
  }

  std::optional<PatternItem> item(Flags& flags, unsigned level, bool may_set_global) {
    const char c = pattern_[at_];
    switch (c) {
      case '\\':
        return escape(flags);
      case '[':
        ++at_;
        return set(flags);
      case '(':
        ++at_;
        return group(flags, level, may_set_global);
      case '.':
        ++at_;
        return PatternItem{flags.dot_all ? "(?m:.)" : "[^\\n]", {1, 1}};
      case '^':
        ++at_;
        return PatternItem{flags.multiline ? "(?:\\A|(?<=\\n))" : "\\A", {}, PatternItem::Kind::anchor};
      case '$':
        ++at_;
        if (flags.multiline) return PatternItem{"(?=\\n|\\z)", {}, PatternItem::Kind::anchor};
        return end("\\Z");
      default:
        return character(unicode::decode(pattern_, at_), flags);
    }
  }

  static std::string_view word(const Flags& flags) { return flags.ascii ? kAsciiWord : kUnicodeWord; }

  /// The members of `\d`, `\S` and so on; empty where `c` is none of them.
  static std::string category(char c, const Flags& flags) {
    switch (c) {
      case 'd':
        return std::string(flags.ascii ? kAsciiDigit : kUnicodeDigit);
      case 'D':
        return fmt::format("[^{}]", flags.ascii ? kAsciiDigit : kUnicodeDigit);
      case 's':
        return std::string(flags.ascii ? kAsciiSpace : kUnicodeSpace);
      case 'S':
        return fmt::format("[^{}]", flags.ascii ? kAsciiSpace : kUnicodeSpace);
      case 'w':
        return std::string(word(flags));
      case 'W':
        return fmt::format("[^{}]", word(flags));
      default:
        return {};
    }
  }

  char32_t hexadecimal(std::size_t digits) {
    char32_t point = 0;
    for (std::size_t i = 0; i < digits; ++i) {
      const char c = take("incomplete escape");
      const char32_t digit = is_digit(c)            ? static_cast<char32_t>(c - '0')
                             : c >= 'a' && c <= 'f' ? static_cast<char32_t>(c - 'a' + 10)
                             : c >= 'A' && c <= 'F' ? static_cast<char32_t>(c - 'A' + 10)
                                                    : 16;
      if (digit == 16) fail("incomplete escape");
      point = point * 16 + digit;
    }
    if (point > 0x10FFFF) fail("bad escape");
    return point;
  }

  /// Escapes that are one character, in and out of sets; none where it is something else. `c` is behind the backslash
  /// and read.
  std::optional<char32_t> character_escape(char c) {
    switch (c) {
      case 'a':
        return 7;
      case 'f':
        return 12;
      case 'n':
        return 10;
      case 'r':
        return 13;
      case 't':
        return 9;
      case 'v':
        return 11;
      case 'x':
        return hexadecimal(2);
      case 'u':
        return hexadecimal(4);
      case 'U':
        return hexadecimal(8);
      case 'N':
        fail("names of characters (\\N{…}) are not known here; write \\u and the number");
      default:
        break;
    }
    if (is_ascii_letter(c)) return std::nullopt;
    if (is_digit(c)) return std::nullopt;
    --at_;
    return unicode::decode(pattern_, at_);
  }

  /// Up to so many octal digits, behind `value`.
  char32_t octal(char32_t value, std::size_t most) {
    for (; most > 0 && at_ < pattern_.size() && is_octal(pattern_[at_]); --most)
      value = value * 8 + static_cast<char32_t>(pattern_[at_++] - '0');
    if (value > 0377) fail("octal escape value outside of range 0-0o377");
    return value;
  }

  PatternItem escape(const Flags& flags) {
    ++at_;
    const char c = take("bad escape (end of pattern)");
    if (c == 'A') return {"\\A", {}, PatternItem::Kind::anchor};
    if (c == 'Z') return end("\\z");
    if (c == 'b' || c == 'B') return boundary(c == 'b', flags);
    if (const std::string members = category(c, flags); !members.empty())
      return {members.front() == '[' ? members : "[" + members + "]", {1, 1}};
    if (c == '0') return character(octal(0, 2), flags);
    if (is_digit(c)) return number_escape(c, flags);
    const auto point = character_escape(c);
    if (!point) fail(fmt::format("bad escape \\{}", c));
    return character(*point, flags);
  }

  /// An end of the text. Oniguruma 6.9.8 begins at the end where that is all, and then does not see what is behind; it
  /// does not in a group that looks ahead.
  [[nodiscard]] PatternItem end(std::string_view anchor) const {
    return {behind_ ? std::string(anchor) : fmt::format("(?={})", anchor), {}, PatternItem::Kind::anchor};
  }

  [[nodiscard]] PatternItem boundary(bool positive, const Flags& flags) const {
    // Oniguruma takes nothing that looks ahead inside of what is looked behind for.
    if (behind_) return {positive ? "\\b" : "\\B", {}, PatternItem::Kind::anchor};
    const std::string_view w = word(flags);
    const std::string text = positive ? fmt::format("(?:(?<=[{0}])(?![{0}])|(?<![{0}])(?=[{0}]))", w)
                                      : fmt::format("(?:(?<=[{0}])(?=[{0}])|(?<![{0}])(?![{0}])(?!\\A\\z))", w);
    return {text, {}, PatternItem::Kind::anchor};
  }

  /// `\12`: a group, or three octal digits.
  PatternItem number_escape(char first, const Flags& flags) {
    std::size_t group = static_cast<std::size_t>(first - '0');
    if (at_ < pattern_.size() && is_digit(pattern_[at_])) {
      const char second = pattern_[at_++];
      if (is_octal(first) && is_octal(second) && at_ < pattern_.size() && is_octal(pattern_[at_])) {
        return character(octal(static_cast<char32_t>((first - '0') * 8 + (second - '0')), 1), flags);
      }
      group = group * 10 + static_cast<std::size_t>(second - '0');
    }
    return reference(group, flags);
  }

  PatternItem reference(std::size_t group, const Flags& flags) const {
    if (group >= widths_.size()) fail(fmt::format("invalid group reference {}", group));
    if (!widths_[group]) fail("cannot refer to an open group");
    if (behind_ && group >= *behind_) fail("cannot refer to group defined in the same lookbehind subpattern");
    return {fmt::format("({}\\{})", flags.ignore_case ? "?i:" : "?:", group), *widths_[group]};
  }

  /// A member of a set that is one character; none: `members` has got a class of them.
  std::optional<char32_t> member(const Flags& flags, std::string& members) {
    if (!at("\\")) return unicode::decode(pattern_, at_);
    ++at_;
    const char c = take("bad escape (end of pattern)");
    if (const std::string found = category(c, flags); !found.empty()) {
      members += found;
      return std::nullopt;
    }
    if (c == 'b') return 8;
    if (is_octal(c)) return octal(static_cast<char32_t>(c - '0'), 2);
    const auto point = character_escape(c);
    if (!point) fail(fmt::format("bad escape \\{}", c));
    return point;
  }

  PatternItem set(const Flags& flags) {
    const bool is_negated = accept("^");
    std::string members;
    for (bool is_first = true;; is_first = false) {
      if (at_ >= pattern_.size()) fail("unterminated character set");
      if (!is_first && accept("]")) break;
      const auto low = member(flags, members);
      if (at_ + 1 >= pattern_.size() || !at("-") || pattern_[at_ + 1] == ']') {
        if (low) members += spelled({.first = *low, .last = *low}, flags);
        continue;
      }
      ++at_;
      if (!low) fail("bad character range");
      const auto high = member(flags, members);
      if (!high || *high < *low) fail("bad character range");
      members += spelled({.first = *low, .last = *high}, flags);
    }
    return {fmt::format("[{}{}]", is_negated ? "^" : "", members), {1, 1}};
  }

  std::string name(std::string_view given) const {
    std::size_t at = 0;
    bool is_first = true;
    if (given.empty()) fail("missing group name");
    while (at < given.size()) {
      const char32_t point = unicode::decode(given, at);
      if (point != '_' && !(is_first ? unicode::is_alpha(point) : unicode::is_alnum(point))) {
        fail(fmt::format("bad character in group name '{}'", given));
      }
      is_first = false;
    }
    return std::string(given);
  }

  std::size_t known(std::string_view given) const {
    const auto found = names_.find(name(given));
    if (found == names_.end()) fail(fmt::format("unknown group name '{}'", given));
    return found->second;
  }

  std::optional<PatternItem> group(Flags& flags, unsigned level, bool may_set_global) {
    if (!accept("?")) return capture(flags, level, {});
    if (accept(":")) return inner(kGroup, flags, level);
    if (accept("P")) {
      if (accept("<")) return capture(flags, level, name(until('>', "missing >, unterminated name")));
      if (accept("=")) return reference(known(until(')', "missing ), unterminated name")), flags);
      fail("unknown extension ?P");
    }
    if (accept(">")) return inner(atomic(), flags, level);
    if (accept("=")) return look("(?=", flags, level);
    if (accept("!")) return look("(?!", flags, level);
    if (accept("<=")) return look_behind("(?<=", flags, level);
    if (accept("<!")) return look_behind("(?<!", flags, level);
    if (accept("(")) return conditional(flags, level);
    return options(flags, level, may_set_global);
  }

  void close() {
    if (!accept(")")) fail("missing ), unterminated subpattern");
  }

  PatternItem inner(std::string_view opening, Flags flags, unsigned level) {
    const PatternItem all = alternatives(flags, level + 1);
    close();
    return {fmt::format("{}{})", opening, all.text), all.width};
  }

  PatternItem capture(const Flags& flags, unsigned level, const std::string& name) {
    const std::size_t number = widths_.size();
    if (!name.empty() && !names_.emplace(name, number).second)
      fail(fmt::format("redefinition of group name '{}'", name));
    widths_.emplace_back();
    PatternItem all = inner(name.empty() ? std::string("(") : fmt::format("(?<{}>", name), flags, level);
    widths_[number] = all.width;
    return all;
  }

  /// In a group of its own: it may be repeated.
  PatternItem look(std::string_view opening, const Flags& flags, unsigned level) {
    const PatternItem all = inner(opening, flags, level);
    return {fmt::format("{}{}{})", kGroup, checkpoint_, all.text), {}};
  }

  PatternItem look_behind(std::string_view opening, const Flags& flags, unsigned level) {
    const bool is_outermost = !behind_;
    if (is_outermost) behind_ = widths_.size();
    const PatternItem all = inner(opening, flags, level);
    if (is_outermost) behind_.reset();
    if (all.width.least != all.width.most) fail("look-after requires fixed-width pattern");
    return {fmt::format("{}{}{})", kGroup, checkpoint_, all.text), {}};
  }

  /// `(?(1)yes|no)`, `(?(name)yes)`.
  PatternItem conditional(Flags flags, unsigned level) {
    if (level >= levels_) throw PythonPatternTooDeep();
    const std::string_view given = until(')', "missing ), unterminated name");
    std::size_t number = 0;
    if (!given.empty() && std::ranges::all_of(given, is_digit) && given.size() < 4) {
      for (const char c : given) number = number * 10 + static_cast<std::size_t>(c - '0');
      if (number == 0) fail("bad group number");
      conditions_.push_back(number);
    } else {
      number = known(given);
    }
    if (behind_) static_cast<void>(reference(number, flags));
    const PatternItem yes = sequence(flags, level + 1, false);
    PatternItem no;
    if (accept("|")) {
      no = sequence(flags, level + 1, false);
      if (at("|")) fail("conditional backref with more than two branches");
    }
    close();
    Width width = yes.width;
    width.join(no.width);
    return {fmt::format("(?({})(?:{})|(?:{}))", number, yes.text, no.text), width};
  }

  static void set_option(Flags& flags, char c, bool on) {
    if (c == 'a') flags.ascii = on;
    if (c == 'u') flags.ascii = false;
    if (c == 'i') flags.ignore_case = on;
    if (c == 'm') flags.multiline = on;
    if (c == 's') flags.dot_all = on;
    if (c == 'x') flags.verbose = on;
  }

  /// `(?i)` for all of the pattern, `(?i-s:…)` for a part.
  std::optional<PatternItem> options(Flags& flags, unsigned level, bool may_set_global) {
    std::string on;
    std::string off;
    bool is_off = false;
    for (;;) {
      const char c = take("missing -, : or )");
      if (c == ')' || c == ':') {
        if (c == ')' && is_off) fail("missing :");
        if (c == ':' && is_off && off.empty()) fail("missing flag");
        --at_;
        break;
      }
      if (c == '-' && !is_off) {
        is_off = true;
        continue;
      }
      if (std::string_view("aimsuxL").find(c) == std::string_view::npos)
        fail(on.empty() && !is_off ? fmt::format("unknown extension ?{}", c) : "unknown flag");
      if (c == 'L') fail("bad inline flags: cannot use 'L' flag with a str pattern");
      if (is_off && (c == 'a' || c == 'u')) fail("bad inline flags: cannot turn off flags 'a', 'u' and 'L'");
      (is_off ? off : on) += c;
    }
    if (on.find('a') != std::string::npos && on.find('u') != std::string::npos)
      fail("bad inline flags: flags 'a', 'u' and 'L' are incompatible");
    if (on.find_first_of(off) != std::string::npos) fail("bad inline flags: flag turned on and off");
    if (accept(")")) {
      if (!may_set_global) fail("global flags not at the start of the expression");
      const bool was_verbose = flags.verbose;
      for (const char c : on) set_option(flags, c, true);
      if (flags.verbose && !was_verbose) throw BeginAgain();
      return std::nullopt;
    }
    ++at_;
    Flags own = flags;
    for (const char c : on) set_option(own, c, true);
    for (const char c : off) set_option(own, c, false);
    return inner(kGroup, own, level);
  }

  std::string_view pattern_;
  unsigned levels_;
  std::string_view checkpoint_;
  Flags global_;
  std::size_t at_ = 0;
  std::vector<std::optional<Width>> widths_{Width{}};  ///< By number of group; none while it is open.
  std::map<std::string, std::size_t, std::less<>> names_;
  std::optional<std::size_t> behind_;    ///< Inside of what is looked behind for: the number of groups before it.
  std::vector<std::size_t> conditions_;  ///< Numbers of groups that conditions ask for; they may come later.
};

}  // namespace

std::string spell_out_python(std::string_view pattern, unsigned levels, std::string_view checkpoint) {
  try {
    return PatternTranslator(pattern, levels, checkpoint, false).run();
  } catch (const BeginAgain&) {
    return PatternTranslator(pattern, levels, checkpoint, true).run();
  }
}

}  // namespace strata::text
