// SPDX-License-Identifier: Apache-2.0
// Splits a template into tokens.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "strata/origin.hpp"

namespace strata::jinja {

/// The text of a template with line breaks as `\n`, without the last one, and the mapping to the source.
class TemplateText {
 public:
  TemplateText(const Sources& sources, SourceId source, std::size_t begin);

  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  [[nodiscard]] Origin origin(std::size_t at) const { return sources_.at(source_, offset(at)); }
  [[nodiscard]] const Sources& sources() const noexcept { return sources_; }
  /// The end of the range around `at` that is unchanged from the source.
  [[nodiscard]] std::size_t verbatim_end(std::size_t at) const noexcept;
  /// The text ended with a line break, which rendering restores.
  [[nodiscard]] bool ends_with_newline() const noexcept { return ends_with_newline_; }

 private:
  [[nodiscard]] std::size_t offset(std::size_t at) const noexcept;

  const Sources& sources_;
  SourceId source_;
  std::size_t begin_;
  std::string text_;
  std::vector<std::uint32_t>
      joints_;  ///< Positions of removed CRs: later text in `text_` is one byte further in the source.
  bool ends_with_newline_ = false;
};

enum class TokenKind : std::uint8_t {
  data,
  variable_begin,
  variable_end,
  block_begin,
  block_end,
  name,
  text,
  integer,
  floating,
  symbol,
  end
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::uint32_t at = 0;   ///< First byte.
  std::uint32_t end = 0;  ///< After the last byte (for data: of the shown part).
  std::string value;      ///< For a name, text or symbol.
  std::int64_t integer = 0;
  double floating = 0;

  [[nodiscard]] bool is(TokenKind of, std::string_view spelling) const noexcept {
    return kind == of && value == spelling;
  }
  [[nodiscard]] bool is_symbol(std::string_view spelling) const noexcept { return is(TokenKind::symbol, spelling); }
  [[nodiscard]] bool is_name(std::string_view spelling) const noexcept { return is(TokenKind::name, spelling); }
};

/// Splits a template. Errors: `jinja.syntax`, `jinja.unsupported`.
[[nodiscard]] std::vector<Token> tokenize(const TemplateText& text);

}  // namespace strata::jinja
