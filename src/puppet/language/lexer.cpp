// SPDX-License-Identifier: Apache-2.0
#include "puppet/language/lexer.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "puppet/language/word_characters.hpp"
#include "strata/text.hpp"
#include "text/unicode/characters.hpp"

namespace strata::puppet {

Lexer::Lexer(const Sources& sources, SourceId source, SyntaxTree& tree, const Limits& limits)
    : sources_(sources),
      begin_(sources.at(source, 0)),
      tree_(tree),
      limits_(limits),
      text_(sources.text(source)),
      limit_(text_.size()) {
  if (text_.size() > limits.input) {
    throw Error("limit.input", "the text has " + std::to_string(text_.size()) + " bytes, more than the " +
                                   std::to_string(limits.input) + " allowed")
        .in(sources.file(source))
        .hint("raise it with --limit input=BYTES");
  }
  if (const std::size_t bad = text::find_invalid_utf8(text_); bad != std::string_view::npos)
    throw error(bad, "this byte is not UTF-8");
  if (text_.starts_with("\xEF\xBB\xBF"))
    throw error(0, "the text begins with a byte order mark").hint("save the file as UTF-8 without one");
}

Error Lexer::error(std::size_t offset, std::string message) const {
  return Error("puppet.syntax", std::move(message)).at(sources_, origin(std::min(offset, text_.size())));
}

Token Lexer::finish(TokenKind kind, std::size_t begin) {
  Token token;
  token.kind = kind;
  token.offset = static_cast<std::uint32_t>(begin);
  token.length = static_cast<std::uint32_t>(at_ - begin);
  token.text = text_.substr(begin, at_ - begin);
  return token;
}

void Lexer::open(char bracket, std::size_t offset) {
  if (nesting() >= limits_.depth) {
    throw Error("limit.depth", "brackets are nested more than " + std::to_string(limits_.depth) + " deep")
        .at(sources_, origin(offset))
        .hint("raise the limit with --limit depth=LEVELS");
  }
  open_.push_back({bracket, static_cast<std::uint32_t>(offset)});
}

void Lexer::stop() noexcept {
  texts_.clear();
  open_.clear();
  at_ = limit_ = text_.size();
  heredoc_end_ = 0;
  variable_next_ = text_next_ = false;
}

void Lexer::close(char bracket) {
  // The nearest one that it fits; what is open within it will never be closed. One that fits nothing is the parser's to
  // refuse.
  for (std::size_t i = open_.size(); i-- > 0;) {
    const char candidate = open_[i].bracket;
    if (candidate == bracket) {
      open_.resize(i);
      return;
    }
    if (candidate == '$') return;
  }
}

Token Lexer::next() {
  try {
    return read();
  } catch (...) {
    if (!texts_.empty()) stop();
    throw;
  }
}

Token Lexer::read() {
  if (variable_next_) {
    variable_next_ = false;
    text_next_ = true;
    return variable();
  }
  if (text_next_) {
    text_next_ = false;
    return text_part(TokenKind::text_middle, TokenKind::text_end, at_);
  }
  Token blanks;
  skip_blanks(blanks);
  Token token = at_ >= limit_ ? finish(TokenKind::end, at_) : mark();
  token.after_blank = blanks.after_blank;
  token.first_of_line = blanks.first_of_line;
  previous_ = token.kind;
  previous_text_ = token.text;
  return token;
}

void Lexer::skip_comment() {
  const std::size_t comment = at_;
  if (look() == '#') {
    at_ = std::min(text_.find('\n', at_), limit_);
    comments_.push_back({comment, at_});
    return;
  }
  const std::size_t end = text_.find("*/", at_ + 2);
  if (end == std::string_view::npos || end + 2 > limit_) {
    const std::size_t begin = std::exchange(at_, limit_);
    throw error(begin, "this comment is not closed").hint("end it with */");
  }
  at_ = end + 2;
  comments_.push_back({comment, at_});
}

void Lexer::skip_blanks(Token& token) {
  token.after_blank = token.first_of_line = at_ == 0;
  for (; at_ < limit_; token.after_blank = true) {
    const char c = text_[at_];
    if (c == '\n') {
      token.first_of_line = true;
      ++at_;
      if (heredoc_end_ != 0) at_ = std::exchange(heredoc_end_, 0);
    } else if (c == ' ' || c == '\t' || c == '\r') {
      ++at_;
    } else if (c == '#' || (c == '/' && look(1) == '*')) {
      skip_comment();
    } else if (const std::size_t wide =
                   static_cast<unsigned char>(c) < 0x80U ? 0 : wide_blank(text_.substr(at_, limit_ - at_));
               wide != 0) {
      at_ += wide;
    } else {
      return;
    }
  }
}

bool Lexer::regex_may_follow() const noexcept {
  switch (previous_) {
    case TokenKind::name:
    case TokenKind::reference:
      return std::ranges::find(words_before_operands_, previous_text_) != words_before_operands_.end();
    case TokenKind::word:
    case TokenKind::variable:
    case TokenKind::number:
    case TokenKind::text:
    case TokenKind::text_end:
    case TokenKind::regex:
    case TokenKind::true_:
    case TokenKind::false_:
    case TokenKind::right_paren:
    case TokenKind::right_bracket:
    case TokenKind::collect_end:
    case TokenKind::export_end:
      return false;
    default:
      return true;
  }
}

namespace {

struct Mark {
  std::string_view text;
  TokenKind kind;
};

/// By their first character; longer ones before those that they begin with.
constexpr auto kMarks = std::to_array<Mark>({
    {"!=", TokenKind::not_equal},
    {"!~", TokenKind::not_match},
    {"!", TokenKind::not_},
    {"%", TokenKind::modulo},
    {"*", TokenKind::times},
    {"+=", TokenKind::add_assign},
    {"+>", TokenKind::append_arrow},
    {"+", TokenKind::plus},
    {",", TokenKind::comma},
    {"->", TokenKind::before},
    {"-=", TokenKind::subtract_assign},
    {"-", TokenKind::minus},
    {".", TokenKind::dot},
    {"/", TokenKind::divide},
    {":", TokenKind::colon},
    {";", TokenKind::semicolon},
    {"<<|", TokenKind::export_begin},
    {"<=", TokenKind::less_equal},
    {"<<", TokenKind::shift_left},
    {"<|", TokenKind::collect_begin},
    {"<-", TokenKind::before_reversed},
    {"<~", TokenKind::notifies_reversed},
    {"<", TokenKind::less},
    {"=>", TokenKind::fat_arrow},
    {"==", TokenKind::equal},
    {"=~", TokenKind::match},
    {"=", TokenKind::assign},
    {">=", TokenKind::greater_equal},
    {">>", TokenKind::shift_right},
    {">", TokenKind::greater},
    {"?\?", TokenKind::query},
    {"?", TokenKind::question},
    {"@@", TokenKind::at_at},
    {"@", TokenKind::at},
    {"|>>", TokenKind::export_end},
    {"|>", TokenKind::collect_end},
    {"|", TokenKind::pipe},
    {"~>", TokenKind::notifies},
    {"~=", TokenKind::match_reversed},
    {"~!", TokenKind::no_match_reversed},
});

/// Where the marks with a first character begin in the table; its size where there are none.
constexpr auto kFirstMarks = [] {
  std::array<std::uint8_t, 128> first{};
  first.fill(kMarks.size());
  for (std::size_t i = kMarks.size(); i-- > 0;)
    first[static_cast<unsigned char>(kMarks[i].text.front())] = static_cast<std::uint8_t>(i);
  return first;
}();

}  // namespace

Token Lexer::right_brace() {
  const std::size_t begin = at_++;
  const auto inner = std::find_if(open_.rbegin(), open_.rend(),
                                  [](const Open& open) { return open.bracket == '{' || open.bracket == '$'; });
  if (inner != open_.rend() && inner->bracket == '$') {
    open_.erase(inner.base() - 1, open_.end());
    return text_part(TokenKind::text_middle, TokenKind::text_end, begin);
  }
  close('{');
  return finish(TokenKind::right_brace, begin);
}

Token Lexer::mark() {
  const std::size_t begin = at_;
  const char c = text_[at_];
  if (is_lower_or_underscore(c)) return name_or_keyword();
  if (is_upper(c)) return reference();
  if (is_digit(c)) return number();
  switch (c) {
    case '$':
      return variable();
    case '\'':
      return single_quoted();
    case '"':
      return double_quoted();
    case '/':
      if (Token token; regex_may_follow() && regex(token)) return token;
      break;
    case '@':
      if (look(1) == '(') return heredoc();
      break;
    case ':':
      if (look(1) != ':') break;
      if (is_lower_or_underscore(look(2))) return name_or_keyword();
      if (is_upper(look(2))) return reference();
      break;
    case '{':
    case '(':
      ++at_;
      open(c, begin);
      return finish(c == '{' ? TokenKind::left_brace : TokenKind::left_paren, begin);
    case '[':
      ++at_;
      open(c, begin);
      return finish(begin == 0 || is_blank(text_[begin - 1]) ? TokenKind::list_start : TokenKind::left_bracket, begin);
    case ')':
    case ']':
      ++at_;
      close(c == ')' ? '(' : '[');
      return finish(c == ')' ? TokenKind::right_paren : TokenKind::right_bracket, begin);
    case '}':
      return right_brace();
    default:
      break;
  }
  const auto first = static_cast<unsigned char>(c);
  for (std::size_t i = first < kFirstMarks.size() ? kFirstMarks[first] : kMarks.size();
       i < kMarks.size() && kMarks[i].text.front() == c; ++i) {
    if (!looking_at(kMarks[i].text)) continue;
    at_ += kMarks[i].text.size();
    return finish(kMarks[i].kind, begin);
  }
  text::unicode::decode(text_, at_);
  const std::string character(text_.substr(begin, at_ - begin));
  throw error(begin, first < ' ' || first == 0x7F ? "there is a control character here"
                                                  : "unexpected character '" + character + "'");
}

}  // namespace strata::puppet
