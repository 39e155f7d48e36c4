// SPDX-License-Identifier: Apache-2.0
// Texts with references: `${path:to:value}`, nested and escaped.
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "strata/origin.hpp"
#include "strata/value.hpp"

namespace strata::text {

/// How references are written.
struct ReferenceGrammar {
  std::string_view opening = "${";
  std::string_view closing = "}";
  char escape = '\\';  ///< Before an opening: it is text. Two of them before an opening or closing: one.
  char separator = ':';
  // Another mark. Behind an escape it is text.
  std::string_view reserved = {};  ///< Its opening. Empty: there is none.
  std::string_view reserved_closing = {};
  bool has_queries = false;  ///< What the other mark encloses is a query of its own. Otherwise it is an error.
};

struct ReferencePart;
/// A text whose parts are texts, queries, and references whose paths may contain references.
using ReferenceText = std::vector<ReferencePart>;
struct ReferencePart {
  std::string text = {};    ///< Without escapes; for a query, what its mark encloses, as written.
  ReferenceText path = {};  ///< Not empty: a reference.
  bool is_query = false;
};

/// Whether a text must be parsed: it has an opening.
[[nodiscard]] bool may_refer(std::string_view text, const ReferenceGrammar& grammar) noexcept;
/// Whether any part is a reference or a query.
[[nodiscard]] bool has_references(const ReferenceText& parts) noexcept;
/// The parts of a text. As in reclass, an escape counts only where a run of text begins: `a\\}` keeps both backslashes.
/// Errors, at `place`: `reference.syntax`, for what is not closed, empty or nested more than kMostNested levels deep;
/// `reference.reserved`.
[[nodiscard]] ReferenceText parse_references(std::string_view text, const ReferenceGrammar& grammar,
                                             const Sources& sources, Origin place);
inline constexpr std::size_t kMostNested = 100;

/// Stands in the place of a text with references until they are followed. Two are never equal.
class Reference final : public Object {
 public:
  Reference(std::string_view written, ReferenceText parts) : text_(written), parts_(std::move(parts)) {}

  [[nodiscard]] const ReferenceText& parts() const noexcept { return parts_; }
  /// The memory that it takes, nearly: its characters twice, and about a hundred bytes for each part.
  [[nodiscard]] std::size_t bytes() const noexcept {
    return sizeof(Reference) + 2 * text_.size() + 128 * parts_.size();
  }
  [[nodiscard]] std::string to_string() const override { return text_; }
  [[nodiscard]] bool equals(const Object& other) const override { return this == &other; }
  [[nodiscard]] std::size_t hash() const override { return std::hash<const void*>{}(this); }

 private:
  std::string text_;  ///< As written.
  ReferenceText parts_;
};
/// Null if the value is no Reference.
[[nodiscard]] const Reference* reference_of(const Value& value) noexcept;
/// What stands for a text with these parts: a Reference, or the text without escapes.
[[nodiscard]] Value with_references(Arena& arena, const Value& text, ReferenceText parts);
/// The text of parts, with `value_of(path)` in the place of each reference. `value_of` gets paths without references.
template <std::invocable<const std::string&> ValueOf>
[[nodiscard]] std::string spelled(const ReferenceText& parts, const ValueOf& value_of) {
  std::string out;
  // Recursion: bounded by kMostNested.
  for (const ReferencePart& part : parts) {
    out += part.text;
    if (!part.path.empty()) out += value_of(spelled(part.path, value_of));
  }
  return out;
}

/// The steps of a path: what stands between separators. An escaped separator is none; the escape stays.
[[nodiscard]] std::vector<std::string_view> steps_of(std::string_view path, const ReferenceGrammar& grammar);
/// The item that a step names in a list of `size` items; negative ones count from the end. No value if there is none.
[[nodiscard]] std::optional<std::size_t> index_of(std::string_view step, std::size_t size) noexcept;

}  // namespace strata::text
