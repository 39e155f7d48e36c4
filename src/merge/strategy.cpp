// SPDX-License-Identifier: Apache-2.0
#include "strata/strategy.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

namespace strata::merge {
bool can_apply(Action action, Shape old, Shape incoming) noexcept {
  using enum Shape;
  const auto is_text = [](Shape shape) { return shape == text || shape == empty_text; };
  const auto is_sequence = [](Shape shape) { return shape == sequence || shape == empty_sequence; };
  const auto is_mapping = [](Shape shape) { return shape == mapping || shape == empty_mapping; };
  switch (action) {
    case Action::recurse:
      return (is_mapping(old) && is_mapping(incoming)) || (old == set && incoming == set);
    case Action::append:
    case Action::prepend:
    case Action::union_:
    case Action::by_index:
    case Action::by_index_extend:
      return is_sequence(old) && is_sequence(incoming);
    case Action::join:
      return is_text(old) && is_text(incoming);
    case Action::keys_as_items:
      return is_mapping(incoming) || incoming == set;
    case Action::characters_as_items:
      return is_text(incoming);
    case Action::merge_lists:
      return is_sequence(old) && is_sequence(incoming);
    case Action::take_list:
      return is_sequence(incoming);
    case Action::take_text:
      return is_text(incoming);
    case Action::self_merge:
      return incoming != absent;
    case Action::self_merge_rest:
      return is_mapping(incoming);
    case Action::check_indexes:
      return is_sequence(old) && is_mapping(incoming);
    default:
      return true;
  }
}

Shape shape_of(const Value& value) noexcept {
  switch (value.kind()) {
    case Kind::absent:
      return Shape::absent;
    case Kind::null:
      return Shape::null;
    case Kind::boolean:
      return value.as_boolean() ? Shape::true_ : Shape::false_;
    case Kind::integer:
      return value.as_integer() == 0 ? Shape::zero : Shape::number;
    case Kind::floating:
      return value.as_floating() == 0 ? Shape::zero : Shape::number;
    case Kind::big_integer:
      return Shape::number;
    case Kind::text:
      return value.text().empty() ? Shape::empty_text : Shape::text;
    case Kind::binary:
    case Kind::date:
    case Kind::timestamp:
    case Kind::object:
      return Shape::scalar;
    case Kind::set:
      return Shape::set;
    case Kind::sequence:
      return value.size() == 0 ? Shape::empty_sequence : Shape::sequence;
    case Kind::mapping:
      return value.size() == 0 ? Shape::empty_mapping : Shape::mapping;
  }
  return Shape::absent;
}

const KeyRule* Strategy::rule_for(const Value& key) const noexcept {
  if (keys.empty() || !key.is_text()) return nullptr;
  const auto found =
      std::ranges::find_if(keys, [&key](const KeyRule& rule) { return key.text().starts_with(rule.prefix); });
  return found == keys.end() ? nullptr : &*found;
}

namespace {

/// Actions that are still to be looked at, each once.
class Worklist {
 public:
  void add(Action action) noexcept {
    bool& is_known = known_[static_cast<std::uint8_t>(action)];
    if (!std::exchange(is_known, true)) open_[size_++] = action;
  }
  void add_all(const Strategy::Table& table) noexcept {
    // Most cells are like their neighbours.
    for (std::size_t i = 0; i < table.size(); ++i) {
      if (i > 0 && std::memcmp(&table[i], &table[i - 1], sizeof table[i]) == 0) continue;
      Action last = table[i].front();
      add(last);
      for (const Action action : table[i]) {
        if (action != last) add(last = action);
      }
    }
  }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  Action take() noexcept { return open_[--size_]; }

 private:
  std::array<bool, 256> known_{};
  std::array<Action, 256> open_;
  std::size_t size_ = 0;
};

}  // namespace

Strategy::Risk Strategy::risk(Shape old, Shape incoming) const noexcept {
  Worklist open;
  open.add(at(root, old, incoming));
  Risk risk = Risk::none;
  while (!open.empty()) {
    const Action action = open.take();
    switch (action) {
      case Action::recurse:
        open.add_all(member);
        for (const KeyRule& rule : keys) open.add(rule.action);
        break;
      case Action::by_index:
      case Action::by_index_extend:
        open.add_all(item);
        break;
      case Action::keys_as_items:
      case Action::characters_as_items:
        risk = std::max(risk, Risk::known);
        for (const auto& row : root) {
          open.add(row[static_cast<std::size_t>(Shape::sequence)]);
          open.add(row[static_cast<std::size_t>(Shape::empty_sequence)]);
        }
        break;
      case Action::self_merge_rest:
        open.add_all(member);
        break;
      case Action::self_merge:
        open.add_all(root);
        break;
      case Action::merge_lists:
        // A comparison or a pattern may fail anywhere, and which items meet is known only after the knocking out.
        if (lists.sort || lists.by_index || lists.knockout_is_pattern) return Risk::call;
        break;
      case Action::take_list:
      case Action::take_text:
        if (lists.knockout_is_pattern) return Risk::call;
        break;
      case Action::join:
      case Action::check_indexes:
      case Action::fail:
        risk = std::max(risk, Risk::known);
        break;
      default:
        if (static_cast<std::size_t>(action) >= kActions) return Risk::call;
        break;
    }
  }
  return risk;
}

void set_cells(Strategy::Table& table, std::initializer_list<Shape> old, std::initializer_list<Shape> incoming,
               Action action) {
  for (const Shape row : old) {
    for (const Shape column : incoming)
      table.at(static_cast<std::size_t>(row)).at(static_cast<std::size_t>(column)) = action;
  }
}

void fill(Strategy::Table& table, Action action) {
  for (auto& row : table) row.fill(action);
}

namespace {

Strategy always(Action action) {
  Strategy strategy;
  for (Strategy::Table* table : {&strategy.root, &strategy.member, &strategy.item}) fill(*table, action);
  return strategy;
}

/// `tables`: in which mappings are walked; everything else is replaced.
Strategy recursing(std::initializer_list<Strategy::Table Strategy::*> tables) {
  Strategy strategy = always(Action::take_new);
  const std::initializer_list<Shape> mappings{Shape::empty_mapping, Shape::mapping};
  for (Strategy::Table Strategy::*const table : tables) set_cells(strategy.*table, mappings, mappings, Action::recurse);
  return strategy;
}

}  // namespace

const Strategy& keep_all() {
  static const Strategy strategy = always(Action::keep_old);
  return strategy;
}

const Strategy& replace_all() {
  static const Strategy strategy = always(Action::take_new);
  return strategy;
}

const Strategy& shallow_replace() {
  static const Strategy strategy = recursing({&Strategy::root});
  return strategy;
}

const Strategy& deep_replace() {
  static const Strategy strategy = recursing({&Strategy::root, &Strategy::member});
  return strategy;
}

}  // namespace strata::merge
