// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <cmath>

#include "puppet/language/lexer.hpp"
#include "puppet/language/word_characters.hpp"

namespace strata::puppet {

std::size_t wide_blank(std::string_view text) noexcept {
  for (const std::string_view blank : {"\u00A0", "\u1680", "\u202F", "\u205F", "\u3000"}) {
    if (text.starts_with(blank)) return blank.size();
  }
  // U+2000 to U+200A.
  const bool is_space =
      text.size() >= 3 && text.starts_with("\xE2\x80") && static_cast<unsigned char>(text[2]) <= 0x8AU;
  return is_space ? 3 : 0;
}

bool is_local_name(std::string_view name) noexcept {
  return !name.empty() && is_lower_or_underscore(name.front()) && std::ranges::all_of(name, is_word_character);
}

bool is_variable_name(std::string_view name) noexcept {
  if (!name.empty() && is_digit(name.front())) {
    return name.find_first_not_of("0123456789") == std::string_view::npos && (name.size() == 1 || name.front() != '0');
  }
  if (name.starts_with("::")) name.remove_prefix(2);
  return is_qualified_name(name);
}

bool is_qualified_name(std::string_view name) noexcept {
  for (std::size_t end = name.find("::"); end != std::string_view::npos; end = name.find("::")) {
    if (name.front() == '_' || !is_local_name(name.substr(0, end))) return false;
    name.remove_prefix(end + 2);
  }
  return is_local_name(name);
}

namespace {

TokenKind keyword(std::string_view word) noexcept {
  struct Keyword {
    std::string_view text;
    TokenKind kind;
  };
  static constexpr Keyword kKeywords[] = {
      {"if", TokenKind::if_},
      {"in", TokenKind::in},
      {"or", TokenKind::or_},
      {"and", TokenKind::and_},
      {"case", TokenKind::case_},
      {"else", TokenKind::else_},
      {"true", TokenKind::true_},
      {"node", TokenKind::node},
      {"type", TokenKind::type},
      {"attr", TokenKind::attr},
      {"elsif", TokenKind::elsif},
      {"false", TokenKind::false_},
      {"undef", TokenKind::undef},
      {"class", TokenKind::class_},
      {"unless", TokenKind::unless},
      {"define", TokenKind::define},
      {"default", TokenKind::default_},
      {"private", TokenKind::private_},
      {"function", TokenKind::function},
      {"inherits", TokenKind::inherits},
  };
  if (word.size() < 2 || word.size() > 8) return TokenKind::name;
  for (const Keyword& keyword : kKeywords) {
    if (keyword.text.size() < word.size()) continue;
    if (keyword.text.size() > word.size()) break;
    if (keyword.text.front() == word.front() && keyword.text == word) return keyword.kind;
  }
  return TokenKind::name;
}

}  // namespace

Token Lexer::name_or_keyword() {
  const std::size_t begin = at_;
  bool is_name = true;
  bool is_plain = true;
  if (text_[at_] == ':') {
    at_ += 2;
    is_plain = false;
  }
  for (;;) {
    if (text_[at_] == '_') is_name = false;
    std::size_t end = at_;  // Behind the last character that is no `-`.
    for (bool has_dash = false; is_word_character(look()) || look() == '-'; ++at_) {
      if (look() == '-') {
        has_dash = true;
        continue;
      }
      is_name = is_name && !has_dash;
      end = at_ + 1;
    }
    at_ = end;
    if (look() != ':' || look(1) != ':' || !is_lower_or_underscore(look(2))) break;
    at_ += 2;
    is_plain = false;
  }
  Token token = finish(is_name ? TokenKind::name : TokenKind::word, begin);
  if (is_plain && is_name) token.kind = keyword(token.text);
  return token;
}

Token Lexer::reference() {
  const std::size_t begin = at_;
  do {
    if (look() == ':') at_ += 2;
    while (is_word_character(look())) ++at_;
  } while (look() == ':' && look(1) == ':' && is_upper(look(2)));
  if (look() == ':' && look(1) == ':' && is_lower_or_underscore(look(2))) {
    throw error(begin, "'" + std::string(text_.substr(begin, at_ - begin)) + "::" + look(2) +
                           "…' is not a name: all of its parts begin with a capital, or none");
  }
  return finish(TokenKind::reference, begin);
}

Token Lexer::variable() {
  const std::size_t begin = at_;
  ++at_;
  if (look() == ':' && look(1) == ':' && is_word_character(look(2))) at_ += 2;
  if (!is_word_character(look())) throw error(begin, "'$' is not followed by the name of a variable");
  for (;;) {
    while (is_word_character(look())) ++at_;
    if (look() != ':' || look(1) != ':' || !is_word_character(look(2))) break;
    at_ += 2;
  }
  Token token = finish(TokenKind::variable, begin);
  token.text.remove_prefix(1);
  if (!is_variable_name(token.text)) {
    const bool is_number = is_digit(token.text.front());
    throw error(begin, "'$" + std::string(token.text) + "' is not a variable name")
        .hint(is_number ? "names of digits are the groups of the last match: $0, $1, …"
                        : "names begin with a small letter or, in the last part, with '_'");
  }
  return token;
}

Token Lexer::number() {
  const std::size_t begin = at_;
  bool is_hex = false;
  bool is_float = false;
  const auto digits = [this] {
    while (is_digit(look())) ++at_;
  };
  if (look() == '0' && lower(look(1)) == 'x') {
    is_hex = true;
    at_ += 2;
    while (is_hex_digit(look())) ++at_;
  } else {
    digits();
    if (look() == '.' && is_digit(look(1))) {
      is_float = true;
      ++at_;
      digits();
    }
    if (lower(look()) == 'e' && (is_digit(look(1)) || (look(1) == '-' && is_digit(look(2))))) {
      is_float = true;
      at_ += 2;
      digits();
    }
  }
  const bool is_octal = !is_hex && text_[begin] == '0' && at_ > begin + 1 && is_digit(text_[begin + 1]);
  std::string_view written = text_.substr(begin, at_ - begin);
  const bool bad_octal = is_octal && written.find_first_not_of("01234567") != std::string_view::npos;
  if (is_word_character(look()) || bad_octal || (is_hex && written.size() == 2)) {
    while (is_word_character(look())) ++at_;
    written = text_.substr(begin, at_ - begin);
    throw error(begin, "'" + std::string(written) + "' is not a number")
        .hint(bad_octal ? "a number that begins with 0 is octal"
                        : (is_hex ? "after 0x there are digits, and letters from a to f" : ""));
  }
  Token token = finish(TokenKind::number, begin);
  if (is_float) {
    double value = 0;
    const auto result = std::from_chars(written.data(), written.data() + written.size(), value);
    if (result.ec == std::errc::result_out_of_range && written.find('-') != std::string_view::npos)
      value = 0;  // Too near to zero.
    else if (result.ec != std::errc() || !std::isfinite(value))
      throw error(begin, "'" + std::string(written) + "' is too large for a floating point number");
    token.value = Value::floating(value);
    return token;
  }
  const std::string_view digits_only = written.substr(is_hex ? 2 : 0);
  std::int64_t value = 0;
  const auto result = std::from_chars(digits_only.data(), digits_only.data() + digits_only.size(), value,
                                      is_hex ? 16 : (is_octal ? 8 : 10));
  if (result.ec != std::errc())
    throw error(begin, "'" + std::string(written) + "' does not fit into an integer of 64 bits");
  token.value = Value::integer(value);
  return token;
}

}  // namespace strata::puppet
