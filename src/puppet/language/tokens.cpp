// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "puppet/language/lexer.hpp"
#include "strata/text.hpp"

namespace strata::puppet {

std::string_view describe(TokenKind kind) noexcept {
  switch (kind) {
    case TokenKind::end:
      return "the end of the text";
    case TokenKind::name:
      return "a name";
    case TokenKind::word:
      return "a word";
    case TokenKind::reference:
      return "a name with a capital";
    case TokenKind::variable:
      return "a variable";
    case TokenKind::number:
      return "a number";
    case TokenKind::text:
    case TokenKind::text_begin:
      return "a text";
    case TokenKind::text_middle:
    case TokenKind::text_end:
      return "'}'";
    case TokenKind::regex:
      return "a regular expression";
    case TokenKind::and_:
      return "'and'";
    case TokenKind::or_:
      return "'or'";
    case TokenKind::in:
      return "'in'";
    case TokenKind::undef:
      return "'undef'";
    case TokenKind::true_:
      return "'true'";
    case TokenKind::false_:
      return "'false'";
    case TokenKind::default_:
      return "'default'";
    case TokenKind::case_:
      return "'case'";
    case TokenKind::if_:
      return "'if'";
    case TokenKind::elsif:
      return "'elsif'";
    case TokenKind::else_:
      return "'else'";
    case TokenKind::unless:
      return "'unless'";
    case TokenKind::class_:
      return "'class'";
    case TokenKind::define:
      return "'define'";
    case TokenKind::node:
      return "'node'";
    case TokenKind::function:
      return "'function'";
    case TokenKind::type:
      return "'type'";
    case TokenKind::inherits:
      return "'inherits'";
    case TokenKind::attr:
      return "'attr'";
    case TokenKind::private_:
      return "'private'";
    case TokenKind::left_brace:
      return "'{'";
    case TokenKind::right_brace:
      return "'}'";
    case TokenKind::left_bracket:
    case TokenKind::list_start:
      return "'['";
    case TokenKind::right_bracket:
      return "']'";
    case TokenKind::left_paren:
      return "'('";
    case TokenKind::right_paren:
      return "')'";
    case TokenKind::comma:
      return "','";
    case TokenKind::semicolon:
      return "';'";
    case TokenKind::colon:
      return "':'";
    case TokenKind::dot:
      return "'.'";
    case TokenKind::question:
      return "'?'";
    case TokenKind::query:
      return "'?\?'";
    case TokenKind::pipe:
      return "'|'";
    case TokenKind::fat_arrow:
      return "'=>'";
    case TokenKind::append_arrow:
      return "'+>'";
    case TokenKind::assign:
      return "'='";
    case TokenKind::add_assign:
      return "'+='";
    case TokenKind::subtract_assign:
      return "'-='";
    case TokenKind::equal:
      return "'=='";
    case TokenKind::not_equal:
      return "'!='";
    case TokenKind::less:
      return "'<'";
    case TokenKind::less_equal:
      return "'<='";
    case TokenKind::greater:
      return "'>'";
    case TokenKind::greater_equal:
      return "'>='";
    case TokenKind::match:
      return "'=~'";
    case TokenKind::not_match:
      return "'!~'";
    case TokenKind::match_reversed:
      return "'~='";
    case TokenKind::no_match_reversed:
      return "'~!'";
    case TokenKind::not_:
      return "'!'";
    case TokenKind::plus:
      return "'+'";
    case TokenKind::minus:
      return "'-'";
    case TokenKind::times:
      return "'*'";
    case TokenKind::divide:
      return "'/'";
    case TokenKind::modulo:
      return "'%'";
    case TokenKind::shift_left:
      return "'<<'";
    case TokenKind::shift_right:
      return "'>>'";
    case TokenKind::before:
      return "'->'";
    case TokenKind::notifies:
      return "'~>'";
    case TokenKind::before_reversed:
      return "'<-'";
    case TokenKind::notifies_reversed:
      return "'<~'";
    case TokenKind::collect_begin:
      return "'<|'";
    case TokenKind::collect_end:
      return "'|>'";
    case TokenKind::export_begin:
      return "'<<|'";
    case TokenKind::export_end:
      return "'|>>'";
    case TokenKind::at:
      return "'@'";
    case TokenKind::at_at:
      return "'@@'";
  }
  return "";
}

namespace {

/// The beginning of a text, for a message.
std::string shortened(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  const std::size_t line = text.find_first_of("\r\n");
  std::size_t end = std::min(text.size(), line);
  bool is_cut = end < text.size();
  if (end > kLongest) {
    end = kLongest;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
    is_cut = true;
  }
  return std::string(text.substr(0, end)) + (is_cut ? "…" : "");
}

}  // namespace

std::string describe(const Token& token) {
  switch (token.kind) {
    case TokenKind::name:
    case TokenKind::word:
    case TokenKind::reference:
    case TokenKind::number:
      return "'" + shortened(token.text) + "'";
    case TokenKind::variable:
      return "'$" + shortened(token.text) + "'";
    case TokenKind::text:
    case TokenKind::text_begin:
      return "the text '" + shortened(token.text) + "'";
    case TokenKind::text_middle:
    case TokenKind::text_end:
      return "the '}' that ends an interpolation";
    case TokenKind::regex:
      return "the regular expression /" + shortened(token.text) + "/";
    case TokenKind::if_:
    case TokenKind::elsif:
    case TokenKind::else_:
    case TokenKind::unless:
    case TokenKind::case_:
    case TokenKind::in:
    case TokenKind::and_:
    case TokenKind::or_:
    case TokenKind::class_:
    case TokenKind::define:
    case TokenKind::node:
    case TokenKind::function:
    case TokenKind::type:
    case TokenKind::inherits:
    case TokenKind::attr:
    case TokenKind::private_:
    case TokenKind::default_:
      return "the keyword " + std::string(describe(token.kind));
    default:
      return std::string(describe(token.kind));
  }
}

}  // namespace strata::puppet
