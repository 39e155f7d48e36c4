// Texts with references: `${path:to:value}`, nested and escaped.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "strata/origin.hpp"

namespace strata::text {

/// How references are written.
struct ReferenceGrammar {
  std::string_view opening = "${";
  std::string_view closing = "}";
  char escape = '\\';  ///< Before an opening: it is text. Two of them before an opening or closing: one.
  char separator = ':';
  // Another mark that may not stand in a text, except behind an escape.
  std::string_view reserved = {};  ///< Its opening. Empty: there is none.
  std::string_view reserved_closing = {};
};

struct ReferencePart;
/// A text whose parts are texts and references, whose paths may contain references.
using ReferenceText = std::vector<ReferencePart>;
struct ReferencePart {
  std::string text = {};    ///< Without escapes.
  ReferenceText path = {};  ///< Not empty: a reference.
};

/// Whether a text must be parsed: it has an opening.
[[nodiscard]] bool may_refer(std::string_view text, const ReferenceGrammar& grammar) noexcept;
/// Whether any part is a reference.
[[nodiscard]] bool has_references(const ReferenceText& parts) noexcept;
/// The parts of a text. As in reclass, an escape counts only where a run of text begins: `a\\}` keeps both backslashes.
/// Errors, at `place`: `reference.syntax`, for what is not closed, empty or nested more than kMostNested levels deep; `reference.reserved`.
[[nodiscard]] ReferenceText parse_references(std::string_view text, const ReferenceGrammar& grammar, const Sources& sources, Origin place);
inline constexpr std::size_t kMostNested = 100;

/// The steps of a path: what stands between separators. An escaped separator is none; the escape stays.
[[nodiscard]] std::vector<std::string_view> steps_of(std::string_view path, const ReferenceGrammar& grammar);
/// The item that a step names in a list of `size` items; negative ones count from the end. No value if there is none.
[[nodiscard]] std::optional<std::size_t> index_of(std::string_view step, std::size_t size) noexcept;

}  // namespace strata::text
