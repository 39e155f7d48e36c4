// SPDX-License-Identifier: Apache-2.0
// Merge strategies: tables that can be printed, compared and parsed. docs/internals/merge.md explains them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "strata/value.hpp"

namespace strata::merge {

/// What a strategy distinguishes in a value.
enum class Shape : std::uint8_t {
  absent,
  null,
  false_,
  true_,
  zero,    ///< An integer or float that is 0.
  number,  ///< Any other number.
  scalar,  ///< Dates, timestamps, binary data, objects.
  set,
  empty_text,
  text,
  empty_sequence,
  sequence,
  empty_mapping,
  mapping,
};
inline constexpr std::size_t kShapes = 14;
[[nodiscard]] Shape shape_of(const Value& value) noexcept;

namespace detail {

struct ShapeRange {
  Shape first;
  Shape last;
};
/// The shapes that values of a kind can have: one or two.
inline constexpr std::array<ShapeRange, 14> kShapeRanges{{{Shape::absent, Shape::absent},
                                                          {Shape::null, Shape::null},
                                                          {Shape::false_, Shape::true_},
                                                          {Shape::zero, Shape::number},
                                                          {Shape::number, Shape::number},
                                                          {Shape::zero, Shape::number},
                                                          {Shape::empty_text, Shape::text},
                                                          {Shape::scalar, Shape::scalar},
                                                          {Shape::scalar, Shape::scalar},
                                                          {Shape::scalar, Shape::scalar},
                                                          {Shape::empty_sequence, Shape::sequence},
                                                          {Shape::empty_mapping, Shape::mapping},
                                                          {Shape::set, Shape::set},
                                                          {Shape::scalar, Shape::scalar}}};
static_assert(static_cast<std::size_t>(Kind::object) + 1 == kShapeRanges.size());

}  // namespace detail

/// What to do with two values. Each quirk of a reference is an action of its own.
enum class Action : std::uint8_t {
  keep_old,
  take_new,
  take_new_noted,  ///< As take_new, and reported to the caller: people may not expect the result.
  keep_old_noted,  ///< As keep_old, and reported.
  recurse,   ///< Two mappings, by member, with the `member` table. Old members keep their places, new ones follow.
  append,    ///< Two sequences: old items, then new ones.
  prepend,   ///< Two sequences: new items, then old ones.
  union_,    ///< Two sequences: old items, then new ones, without duplicates.
  by_index,  ///< Two sequences, by index, with the `item` table. Surplus old items stay, surplus new items are dropped.
  by_index_extend,  ///< As by_index, but surplus new items are appended.
  join,             ///< Two texts: old, the separator, new.
  keys_as_items,    ///< Replaces the new mapping by the sequence of its keys, and decides again with the root table.
  characters_as_items,  ///< Replaces the new text by the sequence of its code points, and decides again with the root
                        ///< table.
  remove,               ///< Removes the member.
  self_merge,           ///< Merges the new value with itself and takes the result (deep_merge's copy of new members).
  self_merge_rest,  ///< Takes the new mapping after merging all members but the first with themselves (as deep_merge
                    ///< takes hashes).
  check_indexes,    ///< Keeps old. Fails unless new has the keys 0, 1, … up to the shorter size (cloud-init's
                    ///< list(no_replace)).
  fail,             ///< Error `merge.kind-mismatch`.
  merge_lists,      ///< Two sequences with the strategy's list options: knockout, merge by index or union, sort
                    ///< (deep_merge's lists).
  take_list,        ///< The new sequence, without the items that begin with the knockout prefix.
  take_text,        ///< The new text; "" if it begins with the knockout prefix.
  wait,             ///< Keeps both sides, with their histories, until `settle` folds them (strata/settle.hpp).
};
inline constexpr std::size_t kActions = 22;
/// The n-th function given with the strategy (lambdas, Lua): see Call.
[[nodiscard]] constexpr Action call_action(std::size_t n) noexcept { return static_cast<Action>(kActions + n); }

/// Whether an action is possible for two shapes: `join` needs two texts. It must not be used in other cells.
[[nodiscard]] bool can_apply(Action action, Shape old, Shape incoming) noexcept;

/// Options of `merge_lists`, `take_list`, `take_text` and `self_merge`. docs/internals/merge.md, "Knocking out".
struct ListOptions {
  /// Texts that begin with this prefix remove values from the result. Empty: none do. A pattern (StripPrefix finds its
  /// matches) or plain text.
  std::string knockout;
  bool knockout_is_pattern = false;
  bool sort = false;  ///< `merge_lists` sorts its result, comparing as Ruby does. Error `merge.unsortable`.
  bool by_index =
      false;  ///< `merge_lists` merges by index, with the `item` table, if all items of both sides are mappings.
  /// `self_merge` copies each list below a new member. deep_merge shares these lists, and loses items.
  bool independent_copies = false;
  friend bool operator==(const ListOptions&, const ListOptions&) = default;
};

/// A rule for members of a new mapping that `recurse` merges: a key that begins with the prefix stands for the key
/// without it, and the action takes the place of the `member` table's. The action must be possible for all shapes:
/// `take_new`, `keep_old`, `fail`, a call, ….
struct KeyRule {
  std::string prefix;  ///< Not empty.
  Action action;
  friend bool operator==(const KeyRule&, const KeyRule&) = default;
};

/// Three tables: for the root, for members of merged mappings, and for items merged by index.
struct Strategy {
  using Table = std::array<std::array<Action, kShapes>, kShapes>;  ///< [shape of old][shape of new]
  Table root{};
  Table member{};
  Table item{};
  std::string separator;  ///< For `join`.
  ListOptions lists;
  std::vector<KeyRule> keys;       ///< The first one whose prefix fits is followed.
  std::vector<std::string> calls;  ///< Names of the functions of call_action(n).

  /// The rule for a key of a new mapping. Null: there is none.
  [[nodiscard]] const KeyRule* rule_for(const Value& key) const noexcept;

  [[nodiscard]] Action at(const Table& table, Shape old, Shape incoming) const noexcept {
    return table[static_cast<std::size_t>(old)][static_cast<std::size_t>(incoming)];
  }
  /// The action for two values. Most tables do not distinguish the shapes of a kind; the values are then not inspected.
  [[nodiscard]] Action at(const Table& table, const Value& old, const Value& incoming) const noexcept {
    const auto [old_first, old_last] = detail::kShapeRanges[static_cast<std::size_t>(old.kind())];
    const auto [new_first, new_last] = detail::kShapeRanges[static_cast<std::size_t>(incoming.kind())];
    const Action action = at(table, old_first, new_first);
    if (action == at(table, old_first, new_last) && action == at(table, old_last, new_first) &&
        action == at(table, old_last, new_last))
      return action;
    return at(table, shape_of(old), shape_of(incoming));
  }
  /// How merging values of two shapes may throw.
  enum class Risk : std::uint8_t {
    none,
    known,  ///< By a mismatch or a text that is too long: known before anything is changed.
    call,   ///< A function is called.
  };
  [[nodiscard]] Risk risk(Shape old, Shape incoming) const noexcept;

  /// The canonical text. parse_strategy of it gives an equal strategy. Grammar: docs/internals/merge.md.
  [[nodiscard]] std::string to_string() const;
  friend bool operator==(const Strategy&, const Strategy&) = default;
};

/// Parses the output of Strategy::to_string. Error `strategy.syntax`, with the line, or the cell that has an impossible
/// action.
[[nodiscard]] Strategy parse_strategy(std::string_view text);

// Stock strategies, which several dialects use without options. They live as long as the process and never fail.

/// Keeps the old value.
[[nodiscard]] const Strategy& keep_all();
/// Takes the new value.
[[nodiscard]] const Strategy& replace_all();
/// Merges mappings one level deep: new members replace old ones. Everything else is replaced.
[[nodiscard]] const Strategy& shallow_replace();
/// Merges mappings recursively and replaces everything else: the plain deep merge.
[[nodiscard]] const Strategy& deep_replace();

/// Sets the cells for all of `old` and all of `incoming`.
void set_cells(Strategy::Table& table, std::initializer_list<Shape> old, std::initializer_list<Shape> incoming,
               Action action);
/// Sets all cells.
void fill(Strategy::Table& table, Action action);

}  // namespace strata::merge
