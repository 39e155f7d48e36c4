// SPDX-License-Identifier: Apache-2.0
// Properties of code points in the Unicode Character Database, in the references' versions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace strata::text::unicode {

/// A version of Unicode. In an older version, later characters are unassigned and have no case mappings.
enum class Version : std::uint8_t {
  v13 = 13,  ///< Ruby 3.1.
  v14 = 14,  ///< Python 3.11.
};

/// General categories, by the two letters of the standard.
enum class Category : std::uint8_t {
  Cn,
  Lu,
  Ll,
  Lt,
  Lm,
  Lo,
  Mn,
  Mc,
  Me,
  Nd,
  Nl,
  No,
  Pc,
  Pd,
  Ps,
  Pe,
  Pi,
  Pf,
  Po,
  Sm,
  Sc,
  Sk,
  So,
  Zs,
  Zl,
  Zp,
  Cc,
  Cf,
  Cs,
  Co
};

/// The category of a code point. `Cn` for unassigned ones and values above U+10FFFF.
[[nodiscard]] Category category(char32_t point, Version version) noexcept;

[[nodiscard]] constexpr bool is_letter(Category category) noexcept {
  return category >= Category::Lu && category <= Category::Lo;
}
[[nodiscard]] constexpr bool is_number(Category category) noexcept {
  return category >= Category::Nd && category <= Category::No;
}
[[nodiscard]] constexpr bool is_mark(Category category) noexcept {
  return category >= Category::Mn && category <= Category::Me;
}

/// The derived properties Uppercase and Lowercase.
[[nodiscard]] bool is_uppercase(char32_t point, Version version) noexcept;
[[nodiscard]] bool is_lowercase(char32_t point, Version version) noexcept;

/// The lower case if it is one code point (UnicodeData.txt); otherwise the same code point.
[[nodiscard]] char32_t simple_lower(char32_t point, Version version) noexcept;

/// Appends the upper case or title case of a code point, which may be several code points (SpecialCasing.txt): `ß` is
/// `SS` and `Ss`, `ŉ` is `ʼN`.
void append_upper(std::string& out, char32_t point, Version version);
void append_title(std::string& out, char32_t point, Version version);
/// Appends the case folding of a code point (CaseFolding.txt, full): `ß` is `ss`.
void append_case_folded(std::string& out, char32_t point, Version version);

/// 0 to 9 for a decimal digit of any script.
[[nodiscard]] std::optional<unsigned> decimal_digit(char32_t point, Version version) noexcept;

}  // namespace strata::text::unicode
