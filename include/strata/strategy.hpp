// How two values meet, as tables that can be printed, compared and parsed. docs/internals/merge.md explains them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "strata/value.hpp"

namespace strata::merge {

/// What a strategy distinguishes of a value.
enum class Shape : std::uint8_t {
  absent,
  null,
  false_,
  true_,
  zero,    ///< An integer or float that is 0.
  number,  ///< Any other one.
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
/// The shapes that values of a kind may have: one or two.
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

/// What is done where two values meet. A quirk of a reference is an action of its own.
enum class Action : std::uint8_t {
  keep_old,
  take_new,
  take_new_noted,       ///< As take_new, and told to the caller: a result that people do not expect.
  recurse,              ///< Two mappings, member by member under the `member` table: old members keep their places, new ones follow.
  append,               ///< Two sequences: old items, then new ones.
  prepend,              ///< Two sequences: new items, then old ones.
  union_,               ///< Two sequences: old items, then new ones, each distinct item once.
  by_index,             ///< Two sequences, item by item under the `item` table; old items beyond stay, new items beyond are dropped.
  by_index_extend,      ///< As by_index, but new items beyond are appended.
  join,                 ///< Two texts: old, the separator, new.
  keys_as_items,        ///< The new mapping counts as the sequence of its keys; then decided again under the root table.
  characters_as_items,  ///< The new text counts as the sequence of its code points; then decided again under the root table.
  remove,               ///< The member goes.
  self_merge,           ///< The new value is merged with itself, then taken (deep_merge's copy of new members).
  self_merge_rest,      ///< The new mapping, of which all members but the first are merged with themselves (deep_merge's taking of hashes).
  check_indexes,        ///< Keeps old, but fails unless new has the keys 0, 1, … up to the shorter size (cloud-init's list(no_replace)).
  fail,                 ///< Error `merge.kind-mismatch`.
  merge_lists,          ///< Two sequences under the strategy's list options: knock out, by index or union, sort (deep_merge's lists).
  take_list,            ///< The new sequence, without the items that begin with the knockout prefix.
  take_text,            ///< The new text; "" where it begins with the knockout prefix.
};
inline constexpr std::size_t kActions = 20;
/// The n-th function given beside the strategy (lambdas, Lua): see Call.
[[nodiscard]] constexpr Action call_action(std::size_t n) noexcept { return static_cast<Action>(kActions + n); }

/// Whether an action makes sense for two shapes: `join` needs two texts. In other cells it must not stand.
[[nodiscard]] bool can_apply(Action action, Shape old, Shape incoming) noexcept;

/// What `merge_lists`, `take_list`, `take_text` and `self_merge` do beyond their tables. docs/internals/merge.md, "Knocking out".
struct ListOptions {
  /// Texts that begin with it strike out what is below; empty: none do. As a pattern (StripPrefix says where it matches) or as plain text.
  std::string knockout;
  bool knockout_is_pattern = false;
  bool sort = false;                ///< `merge_lists` sorts what it made, as Ruby compares. Error `merge.unsortable`.
  bool by_index = false;            ///< `merge_lists` merges by index, under the `item` table, where all items of both sides are mappings.
  bool independent_copies = false;  ///< `self_merge` gives each list below a new member a copy of its own; deep_merge shares them, and loses items.
  friend bool operator==(const ListOptions&, const ListOptions&) = default;
};

/// Three tables, for the root, for a member of mappings that are walked, and for an item merged by index.
struct Strategy {
  using Table = std::array<std::array<Action, kShapes>, kShapes>;  ///< [shape of old][shape of new]
  Table root{};
  Table member{};
  Table item{};
  std::string separator;  ///< Of `join`.
  ListOptions lists;
  std::vector<std::string> calls;  ///< Names of the functions that call_action(n) stands for.

  [[nodiscard]] Action at(const Table& table, Shape old, Shape incoming) const noexcept {
    return table[static_cast<std::size_t>(old)][static_cast<std::size_t>(incoming)];
  }
  /// The action for two values. Most tables do not tell the shapes of a kind apart; then the values are not looked into.
  [[nodiscard]] Action at(const Table& table, const Value& old, const Value& incoming) const noexcept {
    const auto [old_first, old_last] = detail::kShapeRanges[static_cast<std::size_t>(old.kind())];
    const auto [new_first, new_last] = detail::kShapeRanges[static_cast<std::size_t>(incoming.kind())];
    const Action action = at(table, old_first, new_first);
    if (action == at(table, old_first, new_last) && action == at(table, old_last, new_first) && action == at(table, old_last, new_last))
      return action;
    return at(table, shape_of(old), shape_of(incoming));
  }
  /// What merging values of two shapes under it may lead to that throws.
  enum class Risk : std::uint8_t {
    none,
    known,  ///< A mismatch, or texts that grow beyond a limit: known before anything is changed.
    call,   ///< A function is called.
  };
  [[nodiscard]] Risk risk(Shape old, Shape incoming) const noexcept;

  /// One canonical text; parse_strategy gives an equal strategy back. Grammar: docs/internals/merge.md.
  [[nodiscard]] std::string to_string() const;
  friend bool operator==(const Strategy&, const Strategy&) = default;
};

/// Reads what Strategy::to_string prints. Error `strategy.syntax`, naming the line or the cell in which an action makes no sense.
[[nodiscard]] Strategy parse_strategy(std::string_view text);

// The stock strategies: what several dialects need, without options. They are made once, live as long as the process, and never fail.

/// The old value stays, whatever it is.
[[nodiscard]] const Strategy& keep_all();
/// The new value is taken, whatever it is.
[[nodiscard]] const Strategy& replace_all();
/// Mappings one level deep: members of the new mapping replace those of the old one. Everything else is replaced.
[[nodiscard]] const Strategy& shallow_replace();
/// Mappings recursively, everything else replaced: the plain deep merge.
[[nodiscard]] const Strategy& deep_replace();

/// Sets cells of a table: all of `old` against all of `incoming`.
void set_cells(Strategy::Table& table, std::initializer_list<Shape> old, std::initializer_list<Shape> incoming, Action action);
/// Sets all cells.
void fill(Strategy::Table& table, Action action);

}  // namespace strata::merge
