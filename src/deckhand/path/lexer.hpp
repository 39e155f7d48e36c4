// SPDX-License-Identifier: Apache-2.0
// The tokens of a path.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace strata::deckhand::detail {

/// A token of a path.
struct Token {
  enum class Type : std::uint8_t { end, name, number, named_operator, double_dot, where, where_not, symbol };
  Type type = Type::end;
  char symbol = '\0';  ///< For a symbol: one of `*.[]()$,:|&~`.
  std::string text{};  ///< Names and named operators without quotes and escapes; numbers with canonical digits.
  std::size_t at = 0;  ///< Its first byte.

  [[nodiscard]] bool is(char wanted) const noexcept { return type == Type::symbol && symbol == wanted; }
};

/// Splits a path into tokens.
class Lexer {
 public:
  /// `implied`: bytes at the beginning that are not in the input.
  Lexer(std::string text, std::size_t implied) noexcept : text_(std::move(text)), implied_(implied) {}
  /// Error `deckhand.path-syntax`.
  [[nodiscard]] Token next();
  /// Throws a syntax error at a byte of the text.
  [[noreturn]] void fail(std::size_t at, std::string_view reason) const;

 private:
  [[nodiscard]] std::string quoted(char quote);
  std::string text_;
  std::size_t implied_;
  std::size_t at_ = 0;
};

}  // namespace strata::deckhand::detail
