// SPDX-License-Identifier: Apache-2.0
// Paths in Deckhand documents: a JSONPath dialect.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "deckhand/path/rendering.hpp"
#include "strata/path.hpp"

namespace strata::deckhand {

namespace detail {
struct Plan;
}

/// One match of a path.
struct Match {
  Path path;  ///< From the root. For a part: the path of the whole.
  Value
      value;  ///< A character of a text lives in the arena of the rendering, everything else in the arena of the root.
  /// A character of a text, or a scalar or mapping that `[*]` treated as a list of one. It cannot be replaced.
  bool is_part = false;
};

/// A path of an action or a substitution, parsed once and used often. Rule: the grammar and the lookup of
/// jsonpath-ng 1.8, including bugs that are visible in results: a quoted `'*'` is the wildcard, `[n]` fails on a
/// mapping of more than n members. Difference: a path that refers to no value there (`parent` of the root) is an error.
/// Immutable; copies share the parsed path. May be used from several threads at once.
class PathExpression {
 public:
  /// `.` is the root, and so is a leading `$`, which a leading dot implies. Error `deckhand.path-syntax`, with the path
  /// and the column. Cost: linear in the text.
  [[nodiscard]] static PathExpression parse(std::string_view text);

  /// As written.
  [[nodiscard]] const std::string& text() const noexcept;
  /// Whether it is only the root.
  [[nodiscard]] bool is_root() const noexcept;

  /// All matches, in the order of the document. Errors: `deckhand.path-lookup` (an invalid index), `limit.steps`,
  /// `limit.depth`. Cost: the places visited.
  [[nodiscard]] std::vector<Match> find(const Value& root, Rendering& rendering) const;
  /// The first match. Stops there, unless later matches could fail, because then the reference fails too.
  [[nodiscard]] std::optional<Match> first(const Value& root, Rendering& rendering) const;
  /// The value of the first match with its history. Cost for a path of keys: one lookup per key.
  [[nodiscard]] std::optional<merge::Traced> read(const merge::Traced& root, Rendering& rendering) const;

  /// For writing.
  [[nodiscard]] const detail::Plan& plan() const noexcept { return *plan_; }

 private:
  explicit PathExpression(std::shared_ptr<const detail::Plan> plan) noexcept : plan_(std::move(plan)) {}
  std::shared_ptr<const detail::Plan> plan_;
};

}  // namespace strata::deckhand
