// The paths of Deckhand's documents: a JSONPath dialect.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "deckhand/path/render_context.hpp"
#include "strata/path.hpp"

namespace strata::deckhand {

namespace detail {
struct Plan;
}

/// One place that a path leads to.
struct Match {
  Path path;             ///< From the root. Of a part: the way to what it is part of.
  Value value;           ///< A character of a text lives in the arena of the context, everything else in that of the root.
  bool is_part = false;  ///< A character of a text, or a scalar or mapping that `[*]` took for a list of one: it cannot be replaced.
};

/// A path of an action or a substitution, read once and asked often. Rule: the grammar and the lookup of jsonpath-ng 1.8, bugs included where they
/// can be told from the result: a quoted `'*'` is the wildcard, `[n]` on a mapping of more than n members fails.
/// Differs: what stands for no value at all there (`parent` of the root) is an error.
/// Immutable; copies share what was read. May be used from several threads at once.
class PathExpression {
 public:
  /// `.` is the root, and so is a leading `$`, which a leading dot implies. Error `deckhand.path-syntax`, which names the path and the column.
  /// Cost: linear in the text.
  [[nodiscard]] static PathExpression parse(std::string_view text);

  /// As it was given.
  [[nodiscard]] const std::string& text() const noexcept;
  /// Whether it is nothing but the root.
  [[nodiscard]] bool is_root() const noexcept;

  /// All places that it leads to, in the order of the document.
  /// Errors: `deckhand.path-lookup` (an index where there is none), `limit.steps`, `limit.depth`. Cost: what the path looks at.
  [[nodiscard]] std::vector<Match> find(const Value& root, RenderContext& context) const;
  /// The first one. Stops there, unless what follows could fail: then the reference fails, too.
  [[nodiscard]] std::optional<Match> first(const Value& root, RenderContext& context) const;
  /// The value of the first one with its history. Cost of a path of keys: one look-up a key.
  [[nodiscard]] std::optional<merge::Traced> read(const merge::Traced& root, RenderContext& context) const;

  /// For what writes by it.
  [[nodiscard]] const detail::Plan& plan() const noexcept { return *plan_; }

 private:
  explicit PathExpression(std::shared_ptr<const detail::Plan> plan) noexcept : plan_(std::move(plan)) {}
  std::shared_ptr<const detail::Plan> plan_;
};

}  // namespace strata::deckhand
