// SPDX-License-Identifier: Apache-2.0
#include "deckhand/path/lexer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "strata/error.hpp"
#include "text/unicode/characters.hpp"

namespace strata::deckhand::detail {
namespace {

namespace unicode = text::unicode;

bool is_digit_point(char32_t point) noexcept { return point >= '0' && point <= '9'; }

/// Beyond ASCII a name without quotes may have only the common Chinese characters and some faces.
bool begins_name(char32_t point) noexcept {
  return (point >= 'a' && point <= 'z') || (point >= 'A' && point <= 'Z') || point == '_' || point == '@' ||
         (point >= 0x4E00 && point <= 0x9FA5) || (point >= 0x1F600 && point <= 0x1F64F);
}

bool continues_name(char32_t point) noexcept { return begins_name(point) || is_digit_point(point) || point == '-'; }

/// As Python prints the number that was read: no leading zeros, no minus before zero.
std::string canonical_number(std::string_view digits) {
  const bool negative = digits.front() == '-';
  if (negative) digits.remove_prefix(1);
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size() - 1));
  return (negative && digits != "0" ? "-" : "") + std::string(digits);
}

}  // namespace

void Lexer::fail(std::size_t at, std::string_view reason) const {
  constexpr std::size_t kShown = 200;
  const std::string_view written = std::string_view(text_).substr(implied_);
  std::string shown(written.substr(0, kShown));
  if (shown.size() < written.size()) {
    while (!shown.empty() && (static_cast<unsigned char>(shown.back()) & 0xC0U) == 0x80U) shown.pop_back();
    if (!shown.empty() && static_cast<unsigned char>(shown.back()) >= 0x80U) shown.pop_back();
    shown += "…";
  }
  throw Error("deckhand.path-syntax",
              fmt::format("the path '{}' is wrong at column {}: {}", shown,
                          unicode::length(written.substr(0, at - std::min(at, implied_))) + 1, reason))
      .hint("keys of other characters than letters, digits, `_`, `@` and `-` are written in quotes: .a.'b/c'.d");
}

/// What is between quotes; a backslash takes the next character as it is.
std::string Lexer::quoted(char quote) {
  const std::size_t begin = at_++;
  std::string out;
  while (at_ < text_.size()) {
    const char c = text_[at_++];
    if (c == quote) return out;
    if (c != '\\') {
      out += c;
      continue;
    }
    if (at_ >= text_.size() || text_[at_] == '\n') fail(at_ - 1, "a backslash takes a character");
    const std::size_t from = at_;
    (void)unicode::decode(text_, at_);
    out.append(text_, from, at_ - from);
  }
  fail(begin, "this quote is not closed");
}

Token Lexer::next() {
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) ++at_;
  Token token{.at = at_};
  if (at_ == text_.size()) return token;
  const char c = text_[at_];
  std::size_t behind = at_;
  if (begins_name(unicode::decode(text_, behind))) {
    for (at_ = behind; at_ < text_.size() && continues_name(unicode::decode(text_, behind)); at_ = behind) {
    }
    token.text = text_.substr(token.at, at_ - token.at);
    token.type = token.text == "where"      ? Token::Type::where
                 : token.text == "wherenot" ? Token::Type::where_not
                                            : Token::Type::name;
  } else if (is_digit_point(static_cast<unsigned char>(c)) ||
             (c == '-' && at_ + 1 < text_.size() && is_digit_point(static_cast<unsigned char>(text_[at_ + 1])))) {
    at_ = std::min(text_.find_first_not_of("0123456789", at_ + 1), text_.size());
    token.type = Token::Type::number;
    token.text = canonical_number(std::string_view(text_).substr(token.at, at_ - token.at));
  } else if (c == '\'' || c == '"') {
    token.type = Token::Type::name;
    token.text = quoted(c);
  } else if (c == '`') {
    token.type = Token::Type::named_operator;
    token.text = quoted(c);
  } else if (text_.compare(at_, 2, "..") == 0) {
    token.type = Token::Type::double_dot;
    at_ += 2;
  } else if (std::string_view("*.[]()$,:|&~").find(c) != std::string_view::npos) {
    token.type = Token::Type::symbol;
    token.symbol = c;
    ++at_;
  } else {
    fail(at_, fmt::format("'{}' is not allowed here in a path", text_.substr(at_, behind - at_)));
  }
  return token;
}

}  // namespace strata::deckhand::detail
