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
  word,       ///< A bare word that is no name: `a-b`, `_x`.
  reference,  ///< `Integer`, `Foo::Bar`.
  variable,   ///< `$a::b`.
  number,
  text,         ///< A text without interpolation, of any form.
  text_begin,   ///< The text up to the first `$…` in it; the tokens of an expression follow, then text_middle or text_end.
  text_middle,  ///< The text between two expressions.
  text_end,     ///< The text behind the last one.
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
  left_bracket,  ///< `[` right behind what it takes a part of.
  list_start,    ///< `[` behind a blank.
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

/// A token of a text that the Sources keep; views go into that text or into the SyntaxTree.
struct Token {
  TokenKind kind = TokenKind::end;
  bool after_blank = false;  ///< Blanks, a line end, a comment or nothing is before it.
  bool first_of_line = false;
  bool is_braced = false;  ///< text_begin, text_middle: `${` follows, not `$name`.
  std::uint32_t offset = 0;
  std::uint32_t length = 0;
  /// name, word, reference: as written. variable: without `$`, a leading `::` included. Texts: what they stand for, escapes resolved. regex: the
  /// pattern. Anything else: as written.
  std::string_view text{};
  Value value{};  ///< number: its value, without origin. text_begin of a heredoc: the name of its syntax; absent where it has none.
};

/// `'}'`, `a name`, `the keyword 'if'`: a kind of token, for messages.
[[nodiscard]] std::string_view describe(TokenKind kind) noexcept;
/// A token as found: `'foo'`, `the text 'x'`, `the end of the text`.
[[nodiscard]] std::string describe(const Token& token);

/// Reads tokens one by one; each byte is looked at a bounded number of times. Errors: `puppet.syntax`, with the place.
class Lexer {
 public:
  /// All must outlive the lexer; texts with escapes are kept in `tree`. Errors: `limit.input`, `puppet.syntax` (not UTF-8).
  Lexer(const Sources& sources, SourceId source, SyntaxTree& tree, const Limits& limits);

  Token next();
  /// Words of a grammar behind which an operand comes, so that `/` begins a regular expression there. They must outlive the lexer.
  void set_words_before_operands(std::span<const std::string_view> words) noexcept { words_before_operands_ = words; }
  /// Brackets, braces, parentheses and interpolated texts that are open behind the last token.
  [[nodiscard]] std::size_t nesting() const noexcept { return open_.size() + texts_.size(); }
  /// The text as a whole.
  [[nodiscard]] std::string_view text() const noexcept { return text_; }
  [[nodiscard]] Origin origin(std::size_t offset) const noexcept {
    return {begin_.location + static_cast<std::uint32_t>(std::min(offset, text_.size()))};
  }
  /// An error at a place of the text.
  [[nodiscard]] Error error(std::size_t offset, std::string message) const;

 private:
  /// A text with expressions in it.
  struct Interpolated {
    std::size_t outer_limit = 0;  ///< Where the text around it ends.
    std::size_t resume = 0;       ///< heredoc: where reading goes on behind it.
    std::size_t heredoc_end = 0;  ///< heredoc: behind all of those that begin in the same line.
    std::string_view margin{};    ///< heredoc, and what stands inside of one: the blanks that are taken from lines that begin with them.
    std::uint32_t begin = 0;      ///< Where it begins, for messages.
    std::uint16_t escapes = 0;    ///< escapes.hpp.
    bool is_heredoc = false;
    bool interpolates = true;
  };
  /// What is open: a bracket, or an expression inside of a text.
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
  /// The text from here to the next expression or the end of the innermost text.
  Token text_part(TokenKind at_expression, TokenKind at_end, std::size_t begin);
  void leave_text();
  /// Resolves the escape at `at_`, which is a backslash.
  void escape(const Interpolated& text, std::string& out);
  void unicode_escape(std::string& out);
  void skip_margin(std::string_view margin);
  /// Of the heredoc that is read.
  [[nodiscard]] std::string_view margin() const noexcept { return texts_.empty() ? std::string_view() : texts_.back().margin; }
  [[nodiscard]] bool regex_may_follow() const noexcept;
  [[nodiscard]] bool looking_at(std::string_view characters) const noexcept { return text_.substr(at_, characters.size()) == characters; }
  [[nodiscard]] char look(std::size_t ahead = 0) const noexcept { return at_ + ahead < limit_ ? text_[at_ + ahead] : '\0'; }
  Token finish(TokenKind kind, std::size_t begin);
  void open(char bracket, std::size_t offset);
  void close(char bracket);
  /// Nothing more is read: behind an error inside of a text nobody knows where it ends.
  void stop() noexcept;

  const Sources& sources_;
  Origin begin_;  ///< Of the text.
  SyntaxTree& tree_;
  const Limits& limits_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t limit_ = 0;        ///< Where the text ends that is read now: the text's end, or that of a heredoc.
  std::size_t heredoc_end_ = 0;  ///< Behind the heredocs that begin in this line; 0: there are none.
  TokenKind previous_ = TokenKind::end;
  std::string_view previous_text_;
  std::span<const std::string_view> words_before_operands_;
  bool variable_next_ = false;  ///< Behind a text_begin or text_middle that is followed by `$name`.
  bool text_next_ = false;      ///< Behind that variable.
  std::vector<Open> open_;
  std::vector<Interpolated> texts_;
  std::string scratch_;
};

}  // namespace strata::puppet
