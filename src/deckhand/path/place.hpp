// Places in a value, on the way of a path.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "deckhand/path/plan.hpp"
#include "deckhand/path/render_context.hpp"
#include "strata/path.hpp"
#include "strata/value.hpp"

namespace strata::deckhand::detail {

/// A value and the way to it. Lives on the stack of the walk, as everything above it does.
struct Place {
  Value value{};
  const Place* above = nullptr;
  std::size_t position = 0;  ///< Among the members of what is above.
  bool is_part = false;      ///< No member, but a part of what is above, or that taken for a list of one.

  [[nodiscard]] const Place& root() const noexcept;
  /// The way from the root to it, or to what it is part of.
  [[nodiscard]] Path path() const;
  /// The step that leads to it from what is above.
  [[nodiscard]] Path::Step step() const;
  [[nodiscard]] Place member(std::size_t index) const;
};

/// What is called for each place; false ends the walk. Borrows what it calls.
class Visitor {
 public:
  template <class Visit>
  Visitor(const Visit& visit) noexcept
      : object_(&visit), call_([](const void* object, const Place& place) { return (*static_cast<const Visit*>(object))(place); }) {}
  bool operator()(const Place& place) const { return call_(object_, place); }

 private:
  const void* object_;
  bool (*call_)(const void*, const Place&);
};

/// Walks what a plan leads to.
class Walk {
 public:
  Walk(const Plan& plan, RenderContext& context) noexcept : plan_(plan), context_(context) {}
  /// Calls `visit` for all that `node` leads to from `place`, in order; false where a visit ended it.
  /// Errors: `deckhand.path-lookup`, `limit.steps`, `limit.depth`; as Stop::check.
  bool each(const Node& node, const Place& place, const Visitor& visit);
  /// The same for the operands of a sequence from `from` up to `to`.
  bool each_step(const Node& sequence, std::size_t from, std::size_t to, const Place& place, const Visitor& visit);
  /// Throws `deckhand.path-lookup`.
  [[noreturn]] void fail(std::string_view reason, const Value& at) const;

 private:
  class Level;
  bool each_field(const Node& node, const Place& place, const Visitor& visit);
  bool each_index(const Node& node, const Place& place, const Visitor& visit);
  bool each_item(const Node& node, const Place& place, const Visitor& visit) const;
  bool each_below(const Node& node, const Place& place, const Visitor& visit);

  const Plan& plan_;
  RenderContext& context_;
  std::size_t depth_ = 0;
};

/// The position of a key among the entries of a mapping; Arena::npos where it is none of them.
[[nodiscard]] std::size_t position_of_key(const Value& mapping, std::string_view key) noexcept;

/// The way that keys lead from a value, each into a mapping; none where it is not all there.
[[nodiscard]] std::optional<std::vector<Path::Step>> steps_of_keys(const Value& root, const std::vector<std::string>& keys);

}  // namespace strata::deckhand::detail
