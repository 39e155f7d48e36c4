// Texts with references: `${path:to:parameter}`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "strata/value.hpp"

namespace strata::reclass {

struct ReferencePart;
/// A text whose parts are texts and references, whose paths may contain references.
using ReferenceText = std::vector<ReferencePart>;
struct ReferencePart {
  std::string text = {};    ///< Without escapes.
  ReferenceText path = {};  ///< Not empty: a reference.
};

/// Stands in the place of a text with references until they are followed.
class Reference final : public Object {
 public:
  Reference(std::string text, ReferenceText parts) : text_(std::move(text)), parts_(std::move(parts)) {}

  [[nodiscard]] const ReferenceText& parts() const noexcept { return parts_; }
  [[nodiscard]] std::string to_string() const override { return text_; }
  [[nodiscard]] bool equals(const Object& other) const override { return this == &other; }
  [[nodiscard]] std::size_t hash() const override { return std::hash<const void*>{}(this); }

 private:
  std::string text_;  ///< As written.
  ReferenceText parts_;
};

/// Null if the value is no Reference.
[[nodiscard]] const Reference* reference_of(const Value& value) noexcept;

/// Whether a text must be parsed: it may have references or escapes.
[[nodiscard]] bool may_refer(std::string_view text) noexcept;
/// The parts of a text. Recursion: bounded by kMostNested. Errors: `reclass.reference`, for what is not closed, empty or nested too deeply;
/// `reclass.query`, for a query of other nodes, `$[…]`.
[[nodiscard]] ReferenceText parse_references(std::string_view text);
inline constexpr std::size_t kMostNested = 100;
/// Whether any part is a reference.
[[nodiscard]] bool has_references(const ReferenceText& parts) noexcept;

/// The steps of a path: what stands between colons. `\:` is no separator; the backslash stays.
[[nodiscard]] std::vector<std::string_view> steps_of(std::string_view path);
/// The item that a step names in a list of `size` items, as Python's int() reads it; negative ones count from the end. No value if there is none.
[[nodiscard]] std::optional<std::size_t> index_of(std::string_view step, std::size_t size) noexcept;

}  // namespace strata::reclass
