// SPDX-License-Identifier: Apache-2.0
// The tokens of the Puppet language.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "puppet/language/ast.hpp"
#include "strata/error.hpp"
#include "strata/limits.hpp"

namespace strata::puppet {

enum class TokenKind : std::uint8_t {
  end,
  name,       ///< `one`, `ntp::server`.
  word,       ///< A bare word that is not a name: `a-b`, `_x`.
  reference,  ///< `Integer`, `Foo::Bar`.
  variable,   ///< `$a::b`.
  number,
  text,  ///< A text without interpolation, of any form.
  /// The text up to its first `$…`. The tokens of an expression follow, then text_middle or text_end.
  text_begin,
  text_middle,  ///< The text between two expressions.
  text_end,     ///< The text after the last one.
  regex,
  // Keywords.
  and_,
  or_,
  in,
  undef,
  true_,
  false_,
  default_,
  case_,
  if_,
  elsif,
  else_,
  unless,
  class_,
  define,
  node,
  function,
  type,
  inherits,
  attr,      ///< Reserved.
  private_,  ///< Reserved.
  // Marks.
  left_brace,
  right_brace,
  left_bracket,  ///< `[` directly after the expression that it indexes.
  list_start,    ///< `[` after a blank.
  right_bracket,
  left_paren,
  right_paren,
  comma,
  semicolon,
  colon,
  dot,
  question,
  query,  ///< `??`.
  pipe,
  fat_arrow,        ///< `=>`.
  append_arrow,     ///< `+>`.
  assign,           ///< `=`.
  add_assign,       ///< `+=`.
  subtract_assign,  ///< `-=`.
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  match,              ///< `=~`.
  not_match,          ///< `!~`.
  match_reversed,     ///< `~=`, in queries.
  no_match_reversed,  ///< `~!`, in queries.
  not_,
  plus,
  minus,
  times,
  divide,
  modulo,
  shift_left,
  shift_right,
  before,             ///< `->`.
  notifies,           ///< `~>`.
  before_reversed,    ///< `<-`.
  notifies_reversed,  ///< `<~`.
  collect_begin,      ///< `<|`.
  collect_end,        ///< `|>`.
  export_begin,       ///< `<<|`.
  export_end,         ///< `|>>`.
  at,
  at_at,
};

/// A token of a text in the Sources. Views point into that text or into the SyntaxTree.
struct Token {
  TokenKind kind = TokenKind::end;
  bool after_blank = false;  ///< It is preceded by blanks, a line break, a comment or nothing.
  bool first_of_line = false;
  bool is_braced = false;  ///< text_begin, text_middle: `${` follows, not `$name`.
  std::uint32_t offset = 0;
  std::uint32_t length = 0;
  /// name, word, reference: as written. variable: without `$`, including a leading `::`. Texts: with escapes resolved.
  /// regex: the pattern. Others: as written.
  std::string_view text{};
  /// number: its value, without origin. text_begin of a heredoc: the name of its syntax; absent if it has none.
  Value value{};
};

/// `'}'`, `a name`, `the keyword 'if'`: a kind of token, for messages.
[[nodiscard]] std::string_view describe(TokenKind kind) noexcept;
/// A token as found: `'foo'`, `the text 'x'`, `the end of the text`.
[[nodiscard]] std::string describe(const Token& token);

/// Reads tokens one by one. Each byte is visited a bounded number of times. Errors: `puppet.syntax`, with the place.
class Lexer {
 public:
  /// All must outlive the lexer. Texts with escapes are kept in `tree`. Errors: `limit.input`, `puppet.syntax` (not
  /// UTF-8).
  Lexer(const Sources& sources, SourceId source, SyntaxTree& tree, const Limits& limits);

  Token next();
  /// Words of a grammar that an operand follows, so that `/` after them begins a regular expression. They must outlive
  /// the lexer.
  void set_words_before_operands(std::span<const std::string_view> words) noexcept { words_before_operands_ = words; }
  /// Number of brackets, braces, parentheses and interpolated texts that are open after the last token.
  [[nodiscard]] std::size_t nesting() const noexcept { return open_.size() + texts_.size(); }
  /// A comment: the bytes from `begin` to before `end`, without a final line feed.
  struct Comment {
    std::size_t begin;
    std::size_t end;
  };
  /// Those before the last token.
  [[nodiscard]] const std::vector<Comment>& comments() const noexcept { return comments_; }
  /// The whole text.
  [[nodiscard]] std::string_view text() const noexcept { return text_; }
  [[nodiscard]] Origin origin(std::size_t offset) const noexcept {
    return {begin_.location + static_cast<std::uint32_t>(std::min(offset, text_.size()))};
  }
  /// An error at a place of the text.
  [[nodiscard]] Error error(std::size_t offset, std::string message) const;

 private:
  /// A text that contains expressions.
  struct Interpolated {
    std::size_t outer_limit = 0;  ///< The end of the text around it.
    std::size_t resume = 0;       ///< heredoc: where reading continues after it.
    std::size_t heredoc_end = 0;  ///< heredoc: after all heredocs that begin in the same line.
    /// heredoc, and nested texts: the blanks that are removed from lines that begin with them.
    std::string_view margin{};
    std::uint32_t begin = 0;    ///< Where it begins, for messages.
    std::uint16_t escapes = 0;  ///< escapes.hpp.
    bool is_heredoc = false;
    bool interpolates = true;
  };
  /// An open bracket, or an expression inside a text.
  struct Open {
    char bracket;  ///< `{`, `[`, `(`, or `$` for `${`.
    std::uint32_t offset;
  };
  struct Heredoc;

  Token read();
  void skip_blanks(Token& token);
  void skip_comment();
  Token mark();
  Token right_brace();
  Token name_or_keyword();
  Token reference();
  Token variable();
  Token number();
  Token single_quoted();
  Token double_quoted();
  bool regex(Token& token);
  Token heredoc();
  void read_tag(Heredoc& heredoc);
  void read_flags(Heredoc& heredoc);
  void find_end(Heredoc& heredoc) const;
  /// The text from here to the next expression or to the end of the innermost text.
  Token text_part(TokenKind at_expression, TokenKind at_end, std::size_t begin);
  void leave_text();
  /// Resolves the escape at `at_`, which is a backslash.
  void escape(const Interpolated& text, std::string& out);
  void unicode_escape(std::string& out);
  void skip_margin(std::string_view margin);
  /// For the current heredoc.
  [[nodiscard]] std::string_view margin() const noexcept {
    return texts_.empty() ? std::string_view() : texts_.back().margin;
  }
  [[nodiscard]] bool regex_may_follow() const noexcept;
  [[nodiscard]] bool looking_at(std::string_view characters) const noexcept {
    return text_.substr(at_, characters.size()) == characters;
  }
  [[nodiscard]] char look(std::size_t ahead = 0) const noexcept {
    return at_ + ahead < limit_ ? text_[at_ + ahead] : '\0';
  }
  Token finish(TokenKind kind, std::size_t begin);
  void open(char bracket, std::size_t offset);
  void close(char bracket);
  /// Stops reading: after an error inside a text, its end is unknown.
  void stop() noexcept;

  const Sources& sources_;
  Origin begin_;  ///< Of the text.
  SyntaxTree& tree_;
  const Limits& limits_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t limit_ = 0;        ///< The end of the text being read: of the whole text, or of a heredoc.
  std::size_t heredoc_end_ = 0;  ///< After the heredocs that begin in this line. 0: there are none.
  TokenKind previous_ = TokenKind::end;
  std::string_view previous_text_;
  std::span<const std::string_view> words_before_operands_;
  bool variable_next_ = false;  ///< After a text_begin or text_middle that `$name` follows.
  bool text_next_ = false;      ///< After that variable.
  std::vector<Open> open_;
  std::vector<Interpolated> texts_;
  std::vector<Comment> comments_;
  std::string scratch_;
};

}  // namespace strata::puppet
