// SPDX-License-Identifier: Apache-2.0
// Texts in quotes, regular expressions, and what stands between the expressions of an interpolated text.
#include "puppet/language/escapes.hpp"
#include "puppet/language/lexer.hpp"
#include "puppet/language/word_characters.hpp"
#include "strata/text.hpp"

namespace strata::puppet {

Token Lexer::single_quoted() {
  const std::size_t begin = at_++;
  const std::string_view margin = this->margin();
  std::size_t piece = at_;
  bool is_copied = false;
  scratch_.clear();
  for (;; ++at_) {
    while (at_ < limit_ && text_[at_] != '\'' && text_[at_] != '\\' && (text_[at_] != '\n' || margin.empty())) ++at_;
    if (at_ >= limit_) throw error(begin, "this text is not closed").hint("end it with '");
    if (text_[at_] == '\'') break;
    const bool ends_line = text_[at_] == '\n';
    if (!ends_line && look(1) != '\\' && look(1) != '\'') continue;
    is_copied = true;
    scratch_.append(text_.substr(piece, at_ + (ends_line ? 1 : 0) - piece));
    piece = ++at_;
    if (!ends_line) continue;
    skip_margin(margin);
    piece = at_--;
  }
  const std::string_view rest = text_.substr(piece, at_ - piece);
  ++at_;
  Token token = finish(TokenKind::text, begin);
  token.text = is_copied ? tree_.keep(scratch_.append(rest)) : rest;
  return token;
}

Token Lexer::double_quoted() {
  const std::size_t begin = at_++;
  Interpolated text;
  text.outer_limit = limit_;
  text.begin = static_cast<std::uint32_t>(begin);
  text.margin = margin();
  text.escapes = kQuotedEscapes;
  texts_.push_back(text);
  return text_part(TokenKind::text_begin, TokenKind::text, begin);
}

bool Lexer::regex(Token& token) {
  const std::size_t begin = at_;
  std::size_t end = begin + 1;
  bool is_escaped = false;
  for (;; ++end) {
    if (end >= limit_) return false;
    if (text_[end] == '/' && !is_escaped) break;
    is_escaped = text_[end] == '\\' && !is_escaped;
  }
  at_ = end + 1;
  token = finish(TokenKind::regex, begin);
  token.text = text_.substr(begin + 1, end - begin - 1);
  if (token.text.find("\\/") == std::string_view::npos) return true;
  scratch_.clear();
  for (std::size_t i = 0; i < token.text.size(); ++i) {
    if (token.text[i] != '\\') {
      scratch_ += token.text[i];
      continue;
    }
    if (token.text[i + 1] != '/') scratch_ += '\\';
    scratch_ += token.text[++i];
  }
  token.text = tree_.keep(scratch_);
  return true;
}

void Lexer::skip_margin(std::string_view margin) {
  if (text_.substr(at_, limit_ - at_).starts_with(margin)) at_ += margin.size();
}

void Lexer::leave_text() {
  const Interpolated& text = texts_.back();
  limit_ = text.outer_limit;
  if (text.is_heredoc) {
    at_ = text.resume;
    heredoc_end_ = text.heredoc_end;
  }
  texts_.pop_back();
}

Token Lexer::text_part(TokenKind at_expression, TokenKind at_end, std::size_t begin) {
  const Interpolated& text = texts_.back();
  const char quote = text.is_heredoc ? '\0' : '"';
  std::size_t piece = at_;
  bool is_copied = false;
  scratch_.clear();
  const auto flush = [&] {
    is_copied = true;
    scratch_.append(text_.substr(piece, at_ - piece));
  };
  const auto part = [&](TokenKind kind, std::size_t end) {
    const std::string_view rest = text_.substr(piece, end - piece);
    Token token = finish(kind, begin);
    if (token.offset > at_) token.length = 0;
    token.text = is_copied ? tree_.keep(scratch_.append(rest)) : rest;
    previous_ = kind;
    return token;
  };
  for (;;) {
    if (at_ >= limit_) {
      if (!text.is_heredoc) throw error(text.begin, "this text is not closed").hint("end it with \"");
      const std::size_t end = at_;
      leave_text();
      return part(at_end, end);
    }
    const char c = text_[at_];
    if (c == quote && quote != '\0') {
      const std::size_t end = at_++;
      leave_text();
      return part(at_end, end);
    }
    if (c == '$' && text.interpolates) {
      const bool is_braced = look(1) == '{';
      const bool is_variable =
          is_word_character(look(1)) || (look(1) == ':' && look(2) == ':' && is_word_character(look(3)));
      if (is_braced || is_variable) {
        Token token = part(at_expression, at_);
        token.is_braced = is_braced;
        variable_next_ = !is_braced;
        if (is_braced) {
          open('$', at_);
          at_ += 2;
        }
        return token;
      }
      ++at_;
    } else if (c == '\\' && text.escapes != 0) {
      flush();
      escape(text, scratch_);
      piece = at_;
    } else if (c == '\n' && !text.margin.empty()) {
      ++at_;
      if (at_ < limit_ && (text_[at_] == ' ' || text_[at_] == '\t')) {
        flush();
        skip_margin(text.margin);
        piece = at_;
      }
    } else {
      ++at_;
    }
  }
}

void Lexer::escape(const Interpolated& text, std::string& out) {
  const char c = look(1);
  const auto line_end = c == '\n' ? 1U : (c == '\r' && look(2) == '\n' ? 2U : 0U);
  if (line_end != 0 && (text.escapes & kEscapesLineEnd) != 0) {
    at_ += 1 + line_end;
    if (!text.margin.empty()) skip_margin(text.margin);
    return;
  }
  const std::uint16_t bit = escape_bit(c);
  if (line_end != 0 || bit == 0 || (text.escapes & bit) == 0) {
    out += '\\';
    ++at_;
    return;
  }
  if (c == 'u') return unicode_escape(out);
  at_ += 2;
  switch (c) {
    case 'n':
      out += '\n';
      return;
    case 't':
      out += '\t';
      return;
    case 'r':
      out += '\r';
      return;
    case 's':
      out += ' ';
      return;
    default:
      out += c;
  }
}

void Lexer::unicode_escape(std::string& out) {
  const std::size_t begin = at_;
  const bool in_braces = look(2) == '{';
  std::size_t at = begin + (in_braces ? 3 : 2);
  const std::size_t most = in_braces ? 6 : 4;
  char32_t code = 0;
  std::size_t digits = 0;
  for (; at < limit_ && digits < most && is_hex_digit(text_[at]); ++at, ++digits) {
    const char c = lower(text_[at]);
    code = code * 16 + static_cast<char32_t>(is_digit(c) ? c - '0' : c - 'a' + 10);
  }
  const bool is_whole = in_braces ? digits > 0 && at < limit_ && text_[at] == '}' : digits == most;
  if (!is_whole) {  // Stays as it is written.
    out += '\\';
    ++at_;
    return;
  }
  at_ = at + (in_braces ? 1 : 0);
  if (!is_code_point(code))
    throw error(begin, "'" + std::string(text_.substr(begin, at_ - begin)) + "' is not a character");
  text::append_utf8(out, code);
}

}  // namespace strata::puppet
