// SPDX-License-Identifier: Apache-2.0
// The tokens of type expressions.
#pragma once

#include <string>
#include <string_view>

#include "strata/puppet.hpp"

namespace strata::puppet {

enum class TypeTokenKind : std::uint8_t {
  end,
  reference,  ///< A capitalised name: `Integer`.
  word,       ///< Any other name.
  text,
  integer,
  floating,
  regex,
  mark,  ///< One of `[ ] { } , =>  -`.
};

struct TypeToken {
  TypeTokenKind kind = TypeTokenKind::end;
  std::string text{};  ///< Its value: a text without quotes, an integer in decimal.
  double number = 0;
  std::size_t offset = 0;
  std::size_t length = 0;
};

/// Reads tokens one by one. Blanks and comments are skipped. Throws `puppet.type`.
class TypeLexer {
 public:
  explicit TypeLexer(std::string_view source) : source_(source) {}
  TypeToken next();
  /// `column 7`, or `line 2, column 7` if there are several lines.
  [[nodiscard]] std::string place(std::size_t offset) const;
  [[nodiscard]] std::string_view source() const noexcept { return source_; }

 private:
  void skip_blanks();
  TypeToken name();
  TypeToken number();
  TypeToken single_quoted();
  TypeToken double_quoted();
  TypeToken regex();
  [[noreturn]] void fail(std::size_t offset, std::string_view what) const;

  std::string_view source_;
  std::size_t at_ = 0;
};

}  // namespace strata::puppet
