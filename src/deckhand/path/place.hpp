// SPDX-License-Identifier: Apache-2.0
// Places in a value during the walk of a path.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "deckhand/path/plan.hpp"
#include "deckhand/path/rendering.hpp"
#include "strata/path.hpp"
#include "strata/value.hpp"

namespace strata::deckhand::detail {

/// A value and the way to it. Lives on the stack of the walk, like all places above it.
struct Place {
  Value value{};
  const Place* above = nullptr;
  std::size_t position = 0;  ///< Among the members of the place above.
  bool is_part = false;      ///< Not a member, but a part of the place above, or that place treated as a list of one.

  [[nodiscard]] const Place& root() const noexcept;
  /// The path from the root to the place, or to the value that it is part of.
  [[nodiscard]] Path path() const;
  /// The step from the place above.
  [[nodiscard]] Path::Step step() const;
  [[nodiscard]] Place member(std::size_t index) const;
};

/// Called for each place; false ends the walk. Does not own the function.
class Visitor {
 public:
  template <class Visit>
  Visitor(const Visit& visit) noexcept
      : object_(&visit),
        call_([](const void* object, const Place& place) { return (*static_cast<const Visit*>(object))(place); }) {}
  bool operator()(const Place& place) const { return call_(object_, place); }

 private:
  const void* object_;
  bool (*call_)(const void*, const Place&);
};

/// Walks the matches of a plan.
class Walk {
 public:
  Walk(const Plan& plan, Rendering& rendering) noexcept : plan_(plan), rendering_(rendering) {}
  /// Calls `visit` for all matches of `node` from `place`, in order. False if a visit ended the walk.
  /// Errors: `deckhand.path-lookup`, `limit.steps`, `limit.depth`; as Stop::check.
  bool each(const Node& node, const Place& place, const Visitor& visit);
  /// The same for the operands [from, to) of a sequence.
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
  Rendering& rendering_;
  std::size_t depth_ = 0;
};

/// Index of a key in the entries of a mapping; Arena::npos if it is missing.
[[nodiscard]] std::size_t position_of_key(const Value& mapping, std::string_view key) noexcept;

/// The path of keys from a value, each into a mapping. No value if a key is missing.
[[nodiscard]] std::optional<std::vector<Path::Step>> steps_of_keys(const Value& root,
                                                                   const std::vector<std::string>& keys);

}  // namespace strata::deckhand::detail
