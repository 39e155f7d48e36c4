// SPDX-License-Identifier: Apache-2.0
#include "jinja/lexer.hpp"

#include <algorithm>
#include <charconv>

#include "strata/error.hpp"
#include "strata/text.hpp"
#include "text/unicode/characters.hpp"

namespace strata::jinja {
namespace {

bool is_ascii_digit(char byte) { return byte >= '0' && byte <= '9'; }

void append_escape(std::string& out, char32_t point) {
  static constexpr char kDigits[] = "0123456789abcdef";
  const int digits = point < 0x100 ? 2 : point < 0x10000 ? 4 : 8;
  out += point < 0x100 ? 'x' : point < 0x10000 ? 'u' : 'U';
  for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4) out += kDigits[point >> shift & 0xF];
}

class Lexer {
 public:
  explicit Lexer(const TemplateText& source) : source_(source), text_(source.text()) {}

  std::vector<Token> run() {
    while (at_ < text_.size()) lex_data();
    push(TokenKind::end, at_, at_);
    return std::move(tokens_);
  }

 private:
  [[noreturn]] void fail(std::string message, std::size_t at, std::string_view code = "jinja.syntax") const {
    throw Error(code, std::move(message)).at(source_.sources(), source_.origin(at));
  }

  Token& push(TokenKind kind, std::size_t begin, std::size_t end, std::string value = {}) {
    Token& token = tokens_.emplace_back();
    token.kind = kind;
    token.at = static_cast<std::uint32_t>(begin);
    token.end = static_cast<std::uint32_t>(end);
    token.value = std::move(value);
    return token;
  }

  [[nodiscard]] bool looking_at(std::string_view what, std::size_t at) const {
    return text_.compare(at, what.size(), what) == 0;
  }

  [[nodiscard]] std::size_t skip_space(std::size_t at) const {
    while (at < text_.size()) {
      std::size_t next = at;
      if (!text::unicode::is_space(text::unicode::decode(text_, next))) break;
      at = next;
    }
    return at;
  }

  void push_data(std::size_t begin, std::size_t end, bool strip) {
    if (strip)
      end = begin + text::unicode::strip(std::string_view(text_).substr(begin, end - begin), false, true).size();
    if (end > begin) push(TokenKind::data, begin, end);
  }

  /// Literal text up to the next tag, and the tag.
  void lex_data() {
    const std::size_t begin = at_;
    std::size_t tag = begin;
    for (;; ++tag) {
      tag = text_.find('{', tag);
      if (tag == std::string::npos || tag + 1 >= text_.size()) {
        push_data(begin, text_.size(), false);
        at_ = text_.size();
        return;
      }
      const char second = text_[tag + 1];
      if (second == '{' || second == '%' || second == '#') break;
    }
    const char sign = tag + 2 < text_.size() ? text_[tag + 2] : '\0';
    const bool has_sign = sign == '-' || sign == '+';
    push_data(begin, tag, sign == '-');
    at_ = tag + (has_sign ? 3 : 2);
    if (text_[tag + 1] == '#') return skip_comment(tag);
    if (text_[tag + 1] == '%' && lex_raw(tag)) return;
    const bool block = text_[tag + 1] == '%';
    push(block ? TokenKind::block_begin : TokenKind::variable_begin, tag, at_);
    lex_code(block);
  }

  /// The end of a tag at `at`: `-%}` with white space, `+%}`, or `%}` with a line break; npos where there is none.
  [[nodiscard]] std::size_t tag_end(std::string_view end, std::size_t at, bool trims) const {
    if (at < text_.size() && text_[at] == '-' && looking_at(end, at + 1)) return skip_space(at + 1 + end.size());
    if (trims && at < text_.size() && text_[at] == '+' && looking_at(end, at + 1)) return at + 1 + end.size();
    if (!looking_at(end, at)) return std::string::npos;
    at += end.size();
    return trims && at < text_.size() && text_[at] == '\n' ? at + 1 : at;
  }

  void skip_comment(std::size_t tag) {
    if (at_ >= text_.size()) return;  // The reference forgives a tag that is the last thing there is.
    const std::size_t end = text_.find("#}", at_);
    if (end == std::string::npos) fail("the comment is not closed", tag);
    const bool has_sign = end > at_ && (text_[end - 1] == '-' || text_[end - 1] == '+');
    at_ = tag_end("#}", has_sign ? end - 1 : end, true);
  }

  bool lex_raw(std::size_t tag) {
    std::size_t at = skip_space(at_);
    if (!looking_at("raw", at)) return false;
    at = skip_space(at + 3);
    if (looking_at("-%}", at)) {
      at = skip_space(at + 3);
    } else if (looking_at("%}", at)) {
      at += 2;
    } else {
      return false;
    }
    at_ = at;
    if (at >= text_.size()) return true;
    for (std::size_t end = text_.find("{%", at); end != std::string::npos; end = text_.find("{%", end + 1)) {
      const char sign = end + 2 < text_.size() ? text_[end + 2] : '\0';
      std::size_t name = skip_space(end + (sign == '-' || sign == '+' ? 3 : 2));
      if (!looking_at("endraw", name)) continue;
      const std::size_t behind = tag_end("%}", skip_space(name + 6), true);
      if (behind == std::string::npos) continue;
      push_data(at, end, sign == '-');
      at_ = behind;
      return true;
    }
    fail("the raw block is not closed", tag);
  }

  void lex_code(bool block) {
    const std::size_t tag = tokens_.back().at;
    std::string open;
    for (;;) {
      if (at_ >= text_.size()) return;  // The parser says what is missing.
      if (open.empty()) {
        const std::size_t end = tag_end(block ? "%}" : "}}", at_, block);
        if (end != std::string::npos) {
          push(block ? TokenKind::block_end : TokenKind::variable_end, at_, end);
          at_ = end;
          return;
        }
      }
      const std::size_t behind = skip_space(at_);
      if (behind != at_) {
        at_ = behind;
      } else if (!lex_number() && !lex_name() && !lex_text() && !lex_symbol(open)) {
        std::size_t next = at_;
        text::unicode::decode(text_, next);
        fail("unexpected character '" + text_.substr(at_, next - at_) + "'", at_);
      }
      if (tokens_.size() > 5'000'000) fail("the template is too long", tag);
    }
  }

  /// Digits of `base` with single underscores between them; the end of them.
  [[nodiscard]] std::size_t digits(std::size_t at, int base) const {
    const auto is = [&](std::size_t index) {
      if (index >= text_.size()) return false;
      const char byte = text_[index];
      if (base == 16) return is_ascii_digit(byte) || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'f');
      return byte >= '0' && byte < '0' + base;
    };
    if (!is(at)) return at;
    while (is(at) || (text_[at] == '_' && is(at + 1))) {
      if (++at >= text_.size()) break;
    }
    return at;
  }

  [[nodiscard]] std::string plain(std::size_t begin, std::size_t end) const {
    std::string out = text_.substr(begin, end - begin);
    std::erase(out, '_');
    return out;
  }

  bool lex_number() {
    if (!is_ascii_digit(text_[at_])) return false;
    const std::size_t begin = at_;
    const std::size_t integer_end = digits(begin, 10);
    std::size_t end = integer_end;
    if (begin == 0 || text_[begin - 1] != '.') {
      if (end + 1 < text_.size() && text_[end] == '.' && is_ascii_digit(text_[end + 1])) end = digits(end + 1, 10);
      if (end < text_.size() && (text_[end] | 0x20) == 'e') {
        const std::size_t sign = end + 1 < text_.size() && (text_[end + 1] == '+' || text_[end + 1] == '-') ? 2 : 1;
        if (end + sign < text_.size() && is_ascii_digit(text_[end + sign])) end = digits(end + sign, 10);
      }
    }
    if (end != integer_end) {
      const std::string number = plain(begin, end);
      Token& token = push(TokenKind::floating, begin, end);
      const auto [behind, error] = std::from_chars(number.data(), number.data() + number.size(), token.floating);
      static_cast<void>(behind);
      if (error != std::errc()) fail("the number is out of range", begin);
      at_ = end;
      return true;
    }
    lex_integer(begin, integer_end);
    return true;
  }

  void lex_integer(std::size_t begin, std::size_t end) {
    int base = 10;
    std::size_t first = begin;
    if (text_[begin] == '0' && begin + 1 < text_.size()) {
      const char mark = static_cast<char>(text_[begin + 1] | 0x20);
      const int marked = mark == 'x' ? 16 : mark == 'o' ? 8 : mark == 'b' ? 2 : 10;
      const std::size_t start = begin + 2 + (begin + 2 < text_.size() && text_[begin + 2] == '_' ? 1 : 0);
      if (marked != 10 && digits(start, marked) > start) {
        base = marked;
        first = start;
        end = digits(start, marked);
      } else {
        // Zeros before other digits are a number of their own.
        end = begin;
        while (end < text_.size() &&
               (text_[end] == '0' || (text_[end] == '_' && end + 1 < text_.size() && text_[end + 1] == '0')))
          ++end;
      }
    }
    const std::string number = plain(first, end);
    Token& token = push(TokenKind::integer, begin, end);
    const auto [behind, error] = std::from_chars(number.data(), number.data() + number.size(), token.integer, base);
    static_cast<void>(behind);
    if (error != std::errc())
      fail("an integer beyond 64 bits is not supported in templates", begin, "jinja.unsupported");
    at_ = end;
  }

  bool lex_name() {
    const std::size_t begin = at_;
    std::size_t end = begin;
    while (end < text_.size()) {
      std::size_t next = end;
      const char32_t point = text::unicode::decode(text_, next);
      if (!(point == '_' || (begin == end ? text::unicode::is_alpha(point) : text::unicode::is_alnum(point)))) break;
      end = next;
    }
    if (end == begin) return false;
    push(TokenKind::name, begin, end, text_.substr(begin, end - begin));
    at_ = end;
    return true;
  }

  bool lex_text() {
    const char quote = text_[at_];
    if (quote != '\'' && quote != '"') return false;
    const std::size_t begin = at_;
    std::size_t end = begin + 1;
    while (end < text_.size() && text_[end] != quote) end += text_[end] == '\\' ? 2 : 1;
    if (end >= text_.size()) fail("the text has no closing quote", begin);
    at_ = end + 1;
    push(TokenKind::text, begin, at_, unescape(begin + 1, end));
    return true;
  }

  std::string unescape(std::size_t at, std::size_t end) const {
    std::string out;
    while (at < end) {
      if (text_[at] != '\\') {
        out += text_[at++];
        continue;
      }
      const std::size_t escape = at++;
      const char kind = text_[at++];
      switch (kind) {
        case '\n':
          break;
        case 'a':
          out += '\a';
          break;
        case 'b':
          out += '\b';
          break;
        case 'f':
          out += '\f';
          break;
        case 'n':
          out += '\n';
          break;
        case 'r':
          out += '\r';
          break;
        case 't':
          out += '\t';
          break;
        case 'v':
          out += '\v';
          break;
        case '\\':
        case '\'':
        case '"':
          out += kind;
          break;
        case 'x':
          append_code(out, escape, at, end, 2);
          break;
        case 'u':
          append_code(out, escape, at, end, 4);
          break;
        case 'U':
          append_code(out, escape, at, end, 8);
          break;
        case 'N':
          fail("a character by name is not supported in templates", escape, "jinja.unsupported");
        default:
          append_other(out, kind, at, end);
      }
    }
    return out;
  }

  void append_code(std::string& out, std::size_t escape, std::size_t& at, std::size_t end, std::size_t count) const {
    std::uint32_t point = 0;
    const char* first = text_.data() + at;
    if (at + count > end) fail("the escape is too short", escape);
    const auto [behind, error] = std::from_chars(first, first + count, point, 16);
    if (error != std::errc() || behind != first + count || point > 0x10FFFF)
      fail("the escape names no character", escape);
    if (point >= 0xD800 && point < 0xE000)
      fail("half of a surrogate pair is not supported in templates", escape, "jinja.unsupported");
    text::append_utf8(out, point);
    at += count;
  }

  void append_other(std::string& out, char kind, std::size_t& at, std::size_t end) const {
    if (kind >= '0' && kind <= '7') {
      char32_t point = static_cast<char32_t>(kind - '0');
      for (int more = 0; more < 2 && at < end && text_[at] >= '0' && text_[at] <= '7'; ++more)
        point = point * 8 + static_cast<char32_t>(text_[at++] - '0');
      text::append_utf8(out, point);
      return;
    }
    out += '\\';
    if (static_cast<unsigned char>(kind) < 0x80) {
      out += kind;
      return;
    }
    // The reference writes such a character as an escape first, and the backslash then escapes that backslash.
    --at;
    append_escape(out, text::unicode::decode(text_, at));
  }

  bool lex_symbol(std::string& open) {
    static constexpr std::string_view kSymbols[] = {"//", "**", "==", "!=", ">=", "<=", "+", "-", "/",
                                                    "*",  "%",  "~",  "[",  "]",  "(",  ")", "{", "}",
                                                    ">",  "<",  "=",  ".",  ":",  "|",  ",", ";"};
    const auto* found = std::find_if(std::begin(kSymbols), std::end(kSymbols),
                                     [&](std::string_view symbol) { return looking_at(symbol, at_); });
    if (found == std::end(kSymbols)) return false;
    if (*found == "(" || *found == "[" || *found == "{") {
      open += *found == "(" ? ')' : *found == "[" ? ']' : '}';
    } else if (*found == ")" || *found == "]" || *found == "}") {
      if (open.empty()) fail("unexpected '" + std::string(*found) + "'", at_);
      if (open.back() != found->front())
        fail("unexpected '" + std::string(*found) + "', expected '" + open.back() + "'", at_);
      open.pop_back();
    }
    push(TokenKind::symbol, at_, at_ + found->size(), std::string(*found));
    at_ += found->size();
    return true;
  }

  const TemplateText& source_;
  const std::string& text_;
  std::size_t at_ = 0;
  std::vector<Token> tokens_;
};

}  // namespace

TemplateText::TemplateText(const Sources& sources, SourceId source, std::size_t begin)
    : sources_(sources), source_(source), begin_(begin) {
  const std::string_view bytes = sources.text(source).substr(begin);
  text_.reserve(bytes.size());
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    if (bytes[at] != '\r') {
      text_ += bytes[at];
    } else if (at + 1 < bytes.size() && bytes[at + 1] == '\n') {
      joints_.push_back(static_cast<std::uint32_t>(text_.size()));
    } else {
      text_ += '\n';
    }
  }
  ends_with_newline_ = bytes.ends_with('\n');
  if (text_.ends_with('\n')) text_.pop_back();
}

std::size_t TemplateText::offset(std::size_t at) const noexcept {
  const auto left_out = std::upper_bound(joints_.begin(), joints_.end(), at) - joints_.begin();
  return begin_ + at + static_cast<std::size_t>(left_out);
}

std::size_t TemplateText::verbatim_end(std::size_t at) const noexcept {
  const auto next = std::upper_bound(joints_.begin(), joints_.end(), at);
  return next == joints_.end() ? text_.size() + 1 : *next;
}

std::vector<Token> tokenize(const TemplateText& text) { return Lexer(text).run(); }

}  // namespace strata::jinja
