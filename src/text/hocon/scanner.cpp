// SPDX-License-Identifier: Apache-2.0
#include "text/hocon/scanner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "strata/error.hpp"
#include "strata/text.hpp"
#include "text/comments.hpp"
#include "text/hocon/number.hpp"

namespace strata::text {
namespace {

constexpr std::string_view kReserved = "$\"{}[]:=,+#`^?!@*&\\";  ///< Not in text without quotes.
constexpr std::string_view kNumberStart = "0123456789-";
constexpr std::string_view kNumber = "0123456789eE+-.";
constexpr const char* kQuoteIt = "if it is part of a key or a text, put that in double quotes";

bool is_in(std::string_view set, char c) noexcept { return set.find(c) != std::string_view::npos; }

/// Bytes of the white space at the beginning of `text` (Unicode's, line feed included); 0 where there is none.
std::size_t space_length(std::string_view text) noexcept {
  if (text.empty()) return 0;
  const char c = text.front();
  if (c == ' ' || (c >= '\t' && c <= '\r')) return 1;
  if (static_cast<unsigned char>(c) < 0x80) return 0;
  if (text.starts_with("\u0085") || text.starts_with("\u00a0")) return 2;
  if (text.starts_with("\xE2\x80") && text.size() > 2) {
    const auto third = static_cast<unsigned char>(text[2]);
    return third <= 0x8A || third == 0xA8 || third == 0xA9 || third == 0xAF ? 3 : 0;
  }
  return text.starts_with("\u1680") || text.starts_with("\u205f") || text.starts_with("\u3000") ? 3 : 0;
}

/// Control characters: those below the blank, DEL, and U+0080 to U+009F.
bool is_control(std::string_view text) noexcept {
  const auto c = static_cast<unsigned char>(text.front());
  return c < 0x20 || c == 0x7F || (c == 0xC2 && text.size() > 1 && static_cast<unsigned char>(text[1]) < 0xA0);
}

HoconToken token(HoconTokenKind kind, std::size_t offset, std::string text = {}) {
  HoconToken made;
  made.kind = kind;
  made.offset = offset;
  made.text = std::move(text);
  return made;
}

}  // namespace

HoconScanner::HoconScanner(const Sources& sources, SourceId source)
    : sources_(sources), source_(source), text_(sources.text(source)) {}

void HoconScanner::fail(std::size_t offset, const std::string& message, const char* hint) const {
  throw Error("hocon.syntax", message).at(sources_, sources_.at(source_, std::min(offset, text_.size()))).hint(hint);
}

char HoconScanner::peek(std::size_t ahead) const noexcept {
  return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
}

bool HoconScanner::at_comment(std::size_t offset) const noexcept {
  return offset < text_.size() && (text_[offset] == '#' || text_.substr(offset, 2) == "//");
}

HoconToken HoconScanner::next() {
  if (!queue_.empty()) {
    HoconToken waiting = std::move(queue_.back());
    queue_.pop_back();
    return waiting;
  }
  HoconToken found = scan(spaces_);
  const bool joins = spaces_.after_simple && found.is_simple() && !spaces_.saved.empty();
  spaces_.after_simple = found.is_simple();
  if (!joins) return found;
  queue_.push_back(std::move(found));
  return token(HoconTokenKind::unquoted, spaces_.offset, std::exchange(spaces_.saved, {}));
}

void HoconScanner::skip_spaces(Spaces& spaces) {
  const std::size_t begin = at_;
  for (;;) {
    const std::size_t length = peek() == '\n' ? 0 : space_length(text_.substr(at_));
    if (length == 0) break;
    at_ += length;
  }
  spaces.offset = begin;
  spaces.saved = text_.substr(begin, at_ - begin);
}

HoconToken HoconScanner::scan(Spaces& spaces) {
  skip_spaces(spaces);
  if (at_comment(at_)) {
    const std::size_t comment = at_;
    at_ = std::min(text_.find('\n', at_), text_.size());
    comments_.push_back({comment, at_});
    spaces.after_simple = false;
  }
  const std::size_t begin = at_;
  if (begin == text_.size()) return token(HoconTokenKind::end, begin);
  constexpr std::string_view kMarks = "\n,:={}[]";
  constexpr HoconTokenKind kKinds[] = {HoconTokenKind::newline,     HoconTokenKind::comma,
                                       HoconTokenKind::colon,       HoconTokenKind::equals,
                                       HoconTokenKind::open_curly,  HoconTokenKind::close_curly,
                                       HoconTokenKind::open_square, HoconTokenKind::close_square};
  const char c = text_[begin];
  if (const std::size_t mark = kMarks.find(c); mark != std::string_view::npos) {
    ++at_;
    return token(kKinds[mark], begin);
  }
  if (c == '"') return scan_quoted(begin);
  if (c == '$') return scan_substitution(begin);
  if (c == '+') {
    if (peek(1) != '=') fail(begin, "a '+' without '='", kQuoteIt);
    at_ += 2;
    return token(HoconTokenKind::plus_equals, begin);
  }
  if (is_in(kNumberStart, c)) return scan_number(begin);
  if (is_in(kReserved, c)) fail(begin, fmt::format("the character '{}' is not allowed outside quotes", c), kQuoteIt);
  return scan_unquoted(begin);
}

HoconToken HoconScanner::scan_number(std::size_t begin) {
  while (at_ < text_.size() && is_in(kNumber, text_[at_])) ++at_;
  const std::string_view written = text_.substr(begin, at_ - begin);
  if (classify_hocon_number(written) != HoconNumber::none)
    return token(HoconTokenKind::number, begin, std::string(written));
  if (is_in(written, '+')) fail(begin + written.find('+'), "the character '+' is not allowed outside quotes", kQuoteIt);
  return token(HoconTokenKind::unquoted, begin, std::string(written));
}

HoconToken HoconScanner::scan_unquoted(std::size_t begin) {
  while (at_ < text_.size() && !is_in(kReserved, text_[at_]) && space_length(text_.substr(at_)) == 0 &&
         !at_comment(at_)) {
    ++at_;
    // A word at the beginning is a token, whatever follows.
    const std::string_view read = text_.substr(begin, at_ - begin);
    if (read == "true" || read == "null" || read == "false")
      return token(HoconTokenKind::word, begin, std::string(read));
  }
  return token(HoconTokenKind::unquoted, begin, std::string(text_.substr(begin, at_ - begin)));
}

HoconToken HoconScanner::scan_quoted(std::size_t begin) {
  std::string content;
  for (++at_;;) {
    if (at_ >= text_.size()) fail(begin, "the text ends inside quotes");
    const char c = text_[at_];
    if (c == '"') break;
    if (c == '\\') {
      scan_escape(content);
      continue;
    }
    if (is_control(text_.substr(at_)))
      fail(at_, "a control character or line end in quotes", "write it as an escape, or use three quotes");
    content += c;
    ++at_;
  }
  ++at_;
  if (content.empty() && peek() == '"') return scan_triple_quoted(begin);
  return token(HoconTokenKind::quoted, begin, std::move(content));
}

HoconToken HoconScanner::scan_triple_quoted(std::size_t begin) {
  const std::size_t first = ++at_;
  const std::size_t quotes = text_.find(R"(""")", first);
  if (quotes == std::string_view::npos) fail(begin, "the text ends inside three quotes");
  // The last three of a row of quotes end the text.
  at_ = std::min(text_.find_first_not_of('"', quotes), text_.size());
  return token(HoconTokenKind::quoted, begin, std::string(text_.substr(first, at_ - 3 - first)));
}

void HoconScanner::scan_escape(std::string& out) {
  const std::size_t begin = at_;
  constexpr std::string_view kLetters = "\"\\/bfnrt";
  constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
  const char letter = peek(1);
  at_ += 2;
  if (const std::size_t known = kLetters.find(letter); known != std::string_view::npos) {
    out += kMeant[known];
    return;
  }
  if (letter != 'u') fail(begin, "unknown escape after a backslash", "a backslash itself is written as two");
  std::uint32_t code = scan_code_unit();
  if (code >= 0xD800 && code < 0xDC00 && peek() == '\\' && peek(1) == 'u') {
    at_ += 2;
    const std::uint32_t low = scan_code_unit();
    code = low >= 0xDC00 && low < 0xE000 ? 0x10000 + ((code - 0xD800) << 10U) + (low - 0xDC00) : 0xD800;
  }
  if (code >= 0xD800 && code < 0xE000) fail(begin, "half of a surrogate pair");
  append_utf8(out, code);
}

std::uint32_t HoconScanner::scan_code_unit() {
  std::uint32_t code = 0;
  for (int i = 0; i < 4; ++i, ++at_) {
    const char c = peek();
    const bool digit = c >= '0' && c <= '9';
    const bool lower = c >= 'a' && c <= 'f';
    if (!digit && !lower && !(c >= 'A' && c <= 'F')) fail(at_, "\\u needs four hexadecimal digits");
    code = code * 16 + static_cast<std::uint32_t>(digit ? c - '0' : c - (lower ? 'a' : 'A') + 10);
  }
  return code;
}

HoconToken HoconScanner::scan_substitution(std::size_t begin) {
  if (peek(1) != '{') fail(begin, "a '$' without '{'", kQuoteIt);
  at_ += 2;
  HoconToken made = token(HoconTokenKind::substitution, begin);
  if (peek() == '?') {
    made.optional = true;
    ++at_;
  }
  Spaces spaces;
  for (;;) {
    const std::size_t before = at_;
    if (text_.substr(at_).starts_with("${")) fail(at_, "a substitution inside of a substitution");
    HoconToken found = scan(spaces);
    if (found.kind == HoconTokenKind::close_curly) return made;
    if (found.kind == HoconTokenKind::end) fail(begin, "a substitution '${' without '}'");
    if (!found.is_simple() || found.kind == HoconTokenKind::substitution)
      fail(before, "a substitution must contain a path", kQuoteIt);
    if (spaces.after_simple && !spaces.saved.empty())
      made.inner.push_back(token(HoconTokenKind::unquoted, spaces.offset, std::exchange(spaces.saved, {})));
    spaces.after_simple = true;
    made.inner.push_back(std::move(found));
  }
}

std::vector<Stretch> hocon_comments(const Sources& sources, SourceId source) {
  HoconScanner scanner(sources, source);
  while (scanner.next().kind != HoconTokenKind::end) {
  }
  return scanner.comments();
}

}  // namespace strata::text
