// SPDX-License-Identifier: Apache-2.0
// Texts whose lines stand behind the line of their tag: `@("END":json/nt)`.
#include <algorithm>

#include "puppet/language/escapes.hpp"
#include "puppet/language/external_syntax.hpp"
#include "puppet/language/lexer.hpp"
#include "puppet/language/word_characters.hpp"

namespace strata::puppet {

struct Lexer::Heredoc {
  std::size_t begin = 0;      ///< Of `@`.
  std::string_view tag{};     ///< `END`.
  std::string_view syntax{};  ///< `json`.
  std::uint16_t escapes = 0;
  bool interpolates = false;
  std::size_t first = 0;   ///< First character of its lines.
  std::size_t end = 0;     ///< Behind the last one that counts.
  std::size_t behind = 0;  ///< Behind the line of the end tag.
  std::string_view margin{};
};

namespace {

std::string_view trimmed(std::string_view text) noexcept {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view right_trimmed(std::string_view line) noexcept {
  while (line.ends_with(' ') || line.ends_with('\t')) line.remove_suffix(1);
  return line;
}

constexpr std::string_view kForm =
    "a heredoc begins with @(TAG), @(\"TAG\") to replace expressions, @(TAG:syntax/flags)";

}  // namespace

void Lexer::read_flags(Heredoc& heredoc) {
  std::string_view seen = text_.substr(at_, 0);
  for (; is_word_character(look()) || look() == '$'; ++at_) {
    const char flag = look();
    const std::uint16_t bit = flag == 'L' ? kEscapesLineEnd : escape_bit(flag);
    if (bit == 0)
      throw error(at_, "'" + std::string(1, flag) + "' is not a flag of a heredoc")
          .hint("the flags are t, r, n, s, u, L and $");
    if (seen.find(flag) != std::string_view::npos)
      throw error(at_, "the flag '" + std::string(1, flag) + "' occurs twice");
    heredoc.escapes |= bit;
    seen = {seen.data(), seen.size() + 1};
  }
  heredoc.escapes = seen.empty() ? kHeredocEscapes : static_cast<std::uint16_t>(heredoc.escapes | kEscapesBackslash);
}

void Lexer::read_tag(Heredoc& heredoc) {
  const auto blanks = [this] {
    while (look() == ' ' || look() == '\t') ++at_;
  };
  const std::size_t begin = at_;
  at_ = std::min(text_.find_first_of(":/)\r\n", at_), limit_);
  heredoc.tag = trimmed(text_.substr(begin, at_ - begin));
  if (heredoc.tag.size() >= 2 && heredoc.tag.starts_with('"') && heredoc.tag.ends_with('"')) {
    heredoc.interpolates = true;
    heredoc.tag = trimmed(heredoc.tag.substr(1, heredoc.tag.size() - 2));
  }
  if (heredoc.tag.empty()) throw error(heredoc.begin, "this heredoc has no tag").hint(std::string(kForm));
  if (look() == ':') {
    ++at_;
    blanks();
    const std::size_t first = at_;
    while (is_word_character(look()) || look() == '+') ++at_;
    heredoc.syntax = text_.substr(first, at_ - first);
    if (heredoc.syntax.size() < 2 || heredoc.syntax.front() < 'a' || heredoc.syntax.front() > 'z') {
      throw error(
          first,
          "expected the name of a syntax after ':': two characters or more, of which the first is a small letter")
          .hint(std::string(kForm));
    }
    blanks();
  }
  if (look() == '/') {
    ++at_;
    read_flags(heredoc);
    blanks();
  }
  if (look() != ')') throw error(at_, "expected ')' at the end of the heredoc's tag").hint(std::string(kForm));
  ++at_;
}

void Lexer::find_end(Heredoc& heredoc) const {
  heredoc.first = heredoc_end_;
  if (heredoc.first == 0) {
    const std::size_t line_end = text_.find('\n', at_);
    if (line_end >= limit_)
      throw error(heredoc.begin, "no line follows this heredoc").hint("its text is in the next lines");
    heredoc.first = line_end + 1;
  }
  for (std::size_t line = heredoc.first; line < limit_;) {
    const std::size_t line_end = std::min(text_.find('\n', line), limit_);
    const std::string_view whole = text_.substr(line, line_end - line);
    std::string_view rest = whole;
    if (rest.ends_with('\r')) rest.remove_suffix(1);
    rest = right_trimmed(rest);
    if (rest.ends_with(heredoc.tag)) {
      // Only what is right before the tag is looked at, as Puppet does: whatever else stands in the line is dropped.
      rest = right_trimmed(rest.substr(0, rest.size() - heredoc.tag.size()));
      const bool drops_last = rest.ends_with('-');
      if (drops_last) rest = right_trimmed(rest.substr(0, rest.size() - 1));
      if (rest.ends_with('|')) {
        rest.remove_suffix(1);
        heredoc.margin = rest.substr(right_trimmed(rest).size());
      }
      heredoc.end = line;
      heredoc.behind = std::min(line_end + 1, limit_);
      if (drops_last && heredoc.end > heredoc.first) {
        --heredoc.end;
        if (heredoc.end > heredoc.first && text_[heredoc.end - 1] == '\r') --heredoc.end;
      }
      return;
    }
    line = line_end + 1;
  }
  throw error(heredoc.begin, "this heredoc is not closed")
      .hint("end it with a line that holds nothing but " + std::string(heredoc.tag));
}

Token Lexer::heredoc() {
  Heredoc heredoc;
  heredoc.begin = at_;
  at_ += 2;
  read_tag(heredoc);
  if (std::any_of(texts_.begin(), texts_.end(), [](const Interpolated& text) { return text.is_heredoc; })) {
    throw error(heredoc.begin, "a heredoc cannot be inside another one");
  }
  try {
    find_end(heredoc);
  } catch (const Error&) {
    stop();
    throw;
  }
  Interpolated text;
  text.outer_limit = limit_;
  text.resume = at_;
  text.heredoc_end = heredoc.behind;
  text.margin = heredoc.margin;
  text.begin = static_cast<std::uint32_t>(heredoc.begin);
  text.escapes = heredoc.escapes;
  text.is_heredoc = true;
  text.interpolates = heredoc.interpolates;
  texts_.push_back(text);
  heredoc_end_ = 0;
  at_ = heredoc.first;
  limit_ = heredoc.end;
  skip_margin(texts_.back().margin);
  Token token = text_part(TokenKind::text_begin, TokenKind::text, heredoc.begin);
  if (heredoc.syntax.empty()) return token;
  if (token.kind == TokenKind::text_begin) {
    token.value = tree_.arena().text(heredoc.syntax);
  } else if (const std::string problem = problem_of(heredoc.syntax, token.text, limits_); !problem.empty()) {
    throw error(heredoc.begin, problem);
  }
  return token;
}

}  // namespace strata::puppet
