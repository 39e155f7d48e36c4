// SPDX-License-Identifier: Apache-2.0
// The tokens of a HOCON text, as the hocon gem (1.3.1) finds them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "strata/origin.hpp"
#include "text/stretch.hpp"

namespace strata::text {

/// A piece of HOCON text.
struct HoconToken {
  enum class Kind : std::uint8_t {
    end,
    newline,
    comma,
    colon,
    equals,
    plus_equals,
    open_curly,
    close_curly,
    open_square,
    close_square,
    quoted,        ///< A string in quotes; `text` is its content.
    unquoted,      ///< Text without quotes, or the white space between two simple values.
    number,        ///< `text` is as written.
    word,          ///< `true`, `false`, `null`.
    substitution,  ///< `inner` is the path between the braces.
  };
  Kind kind = Kind::end;
  std::size_t offset = 0;
  std::string text;
  bool optional = false;          ///< For a substitution: `${?`.
  std::vector<HoconToken> inner;  ///< For a substitution.

  /// Whether it can be concatenated with adjacent tokens into one text.
  [[nodiscard]] bool is_simple() const noexcept { return kind >= Kind::quoted; }
};

using HoconTokenKind = HoconToken::Kind;

/// Splits a text into tokens, one at a time. Comments are skipped. White space is a token if it is part of a value:
/// between two simple values.
class HoconScanner {
 public:
  HoconScanner(const Sources& sources, SourceId source);

  /// The next token. At the end always `end`. Error `hocon.syntax`.
  HoconToken next();
  /// The comments before the last token.
  [[nodiscard]] const std::vector<Stretch>& comments() const noexcept { return comments_; }

  [[noreturn]] void fail(std::size_t offset, const std::string& message, const char* hint = "") const;

 private:
  /// Decides what the white space before a token is: between texts and substitutions it is text.
  struct Spaces {
    std::string saved;
    std::size_t offset = 0;
    bool after_simple = false;
  };
  void skip_spaces(Spaces& spaces);
  HoconToken scan(Spaces& spaces);
  HoconToken scan_number(std::size_t begin);
  HoconToken scan_unquoted(std::size_t begin);
  HoconToken scan_quoted(std::size_t begin);
  HoconToken scan_triple_quoted(std::size_t begin);
  HoconToken scan_substitution(std::size_t begin);
  void scan_escape(std::string& out);
  std::uint32_t scan_code_unit();
  [[nodiscard]] bool at_comment(std::size_t offset) const noexcept;
  [[nodiscard]] char peek(std::size_t ahead = 0) const noexcept;

  const Sources& sources_;
  SourceId source_;
  std::string_view text_;
  std::size_t at_ = 0;
  Spaces spaces_;
  std::vector<Stretch> comments_;
  std::vector<HoconToken> queue_;  ///< A token whose white space is returned first.
};

}  // namespace strata::text
