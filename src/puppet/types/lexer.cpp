// SPDX-License-Identifier: Apache-2.0
#include "puppet/types/lexer.hpp"

#include <charconv>

#include "puppet/characters.hpp"
#include "puppet/types/make.hpp"
#include "strata/error.hpp"
#include "strata/text.hpp"

namespace strata::puppet {
namespace {}  // namespace

std::string TypeLexer::place(std::size_t offset) const {
  std::size_t line = 1;
  std::size_t start = 0;
  for (std::size_t i = 0; i < offset && i < source_.size(); ++i) {
    if (source_[i] != '\n') continue;
    ++line;
    start = i + 1;
  }
  const std::string column = "column " + std::to_string(character_count(source_.substr(start, offset - start)) + 1);
  return line == 1 && source_.find('\n') == std::string_view::npos ? column
                                                                   : "line " + std::to_string(line) + ", " + column;
}

void TypeLexer::fail(std::size_t offset, std::string_view what) const {
  throw Error("puppet.type", "Syntax error in the type: " + std::string(what) + " at " + place(offset));
}

void TypeLexer::skip_blanks() {
  while (at_ < source_.size()) {
    const char c = source_[at_];
    if (c == '#') {
      at_ = std::min(source_.find('\n', at_), source_.size());
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      ++at_;
    } else {
      return;
    }
  }
}

TypeToken TypeLexer::next() {
  skip_blanks();
  const std::size_t start = at_;
  TypeToken token;
  if (at_ < source_.size()) {
    const char c = source_[at_];
    if (is_digit(c)) {
      token = number();
    } else if (is_word_character(c)) {
      token = name();
    } else if (source_.substr(at_, 2) == "::" && at_ + 2 < source_.size() && is_upper(source_[at_ + 2])) {
      at_ += 2;  // The top scope, where all types are.
      token = name();
    } else if (c == '\'') {
      token = single_quoted();
    } else if (c == '"') {
      token = double_quoted();
    } else if (c == '/') {
      token = regex();
    } else if (source_.substr(at_, 2) == "=>") {
      token = {.kind = TypeTokenKind::mark, .text = "=>"};
      at_ += 2;
    } else if (std::string_view("[]{},-").find(c) != std::string_view::npos) {
      token = {.kind = TypeTokenKind::mark, .text = std::string(1, c)};
      ++at_;
    } else {
      fail(at_, "a character that is not allowed in types");
    }
  }
  token.offset = start;
  token.length = at_ - start;
  return token;
}

TypeToken TypeLexer::name() {
  const std::size_t start = at_;
  const auto rest = [this] { return source_.substr(at_); };
  while (at_ < source_.size() && (is_word_character(source_[at_]) ||
                                  (rest().starts_with("::") && rest().size() > 2 && is_word_character(rest()[2])))) {
    at_ += source_[at_] == ':' ? 2 : 1;
  }
  return {.kind = is_upper(source_[start]) ? TypeTokenKind::reference : TypeTokenKind::word,
          .text = std::string(source_.substr(start, at_ - start))};
}

TypeToken TypeLexer::number() {
  const std::size_t start = at_;
  bool real = false;
  while (at_ < source_.size()) {
    const char c = source_[at_];
    const bool hex = source_.substr(start, 2) == "0x" || source_.substr(start, 2) == "0X";
    const bool point = c == '.' && at_ + 1 < source_.size() && is_digit(source_[at_ + 1]);
    const bool exponent = !hex && (c == 'e' || c == 'E');
    if (!is_word_character(c) && !point) break;
    real = real || point || exponent;
    at_ += exponent && at_ + 1 < source_.size() && source_[at_ + 1] == '-' ? 2 : 1;
  }
  const std::string_view digits = source_.substr(start, at_ - start);
  const char* end = digits.data() + digits.size();
  if (real) {
    TypeToken token{.kind = TypeTokenKind::floating};
    const auto read = std::from_chars(digits.data(), end, token.number);
    if (read.ec != std::errc{} || read.ptr != end) fail(start, "a number that cannot be read");
    return token;
  }
  const bool prefixed = digits.size() > 1 && digits[0] == '0';
  const bool hex = prefixed && (digits[1] == 'x' || digits[1] == 'X');
  std::int64_t value = 0;
  const auto read = std::from_chars(digits.data() + (hex ? 2 : 0), end, value, hex ? 16 : prefixed ? 8 : 10);
  if (read.ec != std::errc{} || read.ptr != end) fail(start, "a number that cannot be read");
  return {.kind = TypeTokenKind::integer, .text = std::to_string(value)};
}

TypeToken TypeLexer::single_quoted() {
  const std::size_t start = at_++;
  TypeToken token{.kind = TypeTokenKind::text};
  for (; at_ < source_.size() && source_[at_] != '\''; ++at_) {
    const bool escape =
        source_[at_] == '\\' && at_ + 1 < source_.size() && (source_[at_ + 1] == '\'' || source_[at_ + 1] == '\\');
    if (escape) ++at_;
    token.text += source_[at_];
  }
  if (at_ == source_.size()) fail(start, "a text that does not end, begun");
  ++at_;
  return token;
}

TypeToken TypeLexer::double_quoted() {
  const std::size_t start = at_++;
  TypeToken token{.kind = TypeTokenKind::text};
  while (at_ < source_.size() && source_[at_] != '"') {
    const char c = source_[at_++];
    if (c == '$' && at_ < source_.size() && (source_[at_] == '{' || is_word_character(source_[at_])))
      fail(at_ - 1, "a variable, which types cannot have,");
    if (c != '\\' || at_ == source_.size()) {
      token.text += c;
      continue;
    }
    const char escaped = source_[at_++];
    static constexpr std::string_view kLetters = "ntrs\"'\\$";
    static constexpr std::string_view kMeanings = "\n\t\r \"'\\$";
    if (const std::size_t i = kLetters.find(escaped); i != std::string_view::npos) {
      token.text += kMeanings[i];
      continue;
    }
    if (escaped == 'u') {
      const bool braces = at_ < source_.size() && source_[at_] == '{';
      if (braces) ++at_;
      std::uint32_t code = 0;
      const std::size_t most = std::min<std::size_t>(braces ? 6 : 4, source_.size() - at_);
      const auto read = std::from_chars(source_.data() + at_, source_.data() + at_ + most, code, 16);
      if (read.ec != std::errc{} || !is_code_point(code)) fail(at_, "an invalid escape");
      at_ = static_cast<std::size_t>(read.ptr - source_.data());
      if (braces && at_ < source_.size() && source_[at_] == '}') ++at_;
      text::append_utf8(token.text, code);
      continue;
    }
    token.text += c;
    token.text += escaped;
  }
  if (at_ == source_.size()) fail(start, "a text that does not end, begun");
  ++at_;
  return token;
}

TypeToken TypeLexer::regex() {
  const std::size_t start = at_++;
  TypeToken token{.kind = TypeTokenKind::regex};
  for (; at_ < source_.size() && source_[at_] != '/' && source_[at_] != '\n'; ++at_) {
    if (source_[at_] == '\\' && at_ + 1 < source_.size() && source_[at_ + 1] != '\n') {
      // An escaped slash is a slash.
      if (source_[at_ + 1] != '/') token.text += '\\';
      ++at_;
    }
    token.text += source_[at_];
  }
  if (at_ == source_.size() || source_[at_] != '/') fail(start, "a regular expression that does not end, begun");
  ++at_;
  return token;
}

}  // namespace strata::puppet
