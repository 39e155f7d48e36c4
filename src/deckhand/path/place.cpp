// SPDX-License-Identifier: Apache-2.0
#include "deckhand/path/place.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "python/data.hpp"
#include "strata/error.hpp"
#include "strata/stack.hpp"
#include "text/unicode/characters.hpp"

namespace strata::deckhand::detail {

using Type = Node::Type;

const Place& Place::root() const noexcept {
  const Place* here = this;
  while (here->above != nullptr) here = here->above;
  return *here;
}

Path::Step Place::step() const {
  if (above->value.is_sequence()) return position;
  return above->value.entries()[position].key;
}

Path Place::path() const {
  std::vector<const Place*> way;
  for (const Place* here = this; here->above != nullptr; here = here->above) {
    // What was taken for a list of one is what it was taken for.
    if (!here->is_part) way.push_back(here);
  }
  Path path;
  std::ranges::for_each(way.rbegin(), way.rend(), [&path](const Place* here) {
    std::visit([&path](const auto& step) { path.push(step); }, here->step());
  });
  return path;
}

Place Place::member(std::size_t index) const {
  return {.value = value.is_sequence() ? value.items()[index] : value.entries()[index].value,
          .above = this,
          .position = index};
}

/// A step of the walk: counts, and bounds the recursion.
class Walk::Level {
 public:
  explicit Level(Walk& walk) : walk_(walk) {
    walk_.rendering_.stop.tick();
    check_stack(walk_.rendering_.session.limits());
    constexpr std::size_t kDeepest =
        4000;  // Of the stack: data may be 1000 levels deep, and a path may have 2000 steps.
    if (++walk_.rendering_.steps > walk_.rendering_.session.limits().steps)
      throw Error("limit.steps", fmt::format("paths looked at more than {} places, the last one being '{}'",
                                             walk_.rendering_.session.limits().steps, walk_.plan_.text))
          .hint("raise --limit steps=NUMBER");
    if (++walk_.depth_ > kDeepest + walk_.rendering_.session.limits().depth)
      throw Error("limit.depth", fmt::format("the path '{}' goes up and down too often", walk_.plan_.text));
  }
  ~Level() { --walk_.depth_; }
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;

 private:
  Walk& walk_;
};

void Walk::fail(std::string_view reason, const Value& at) const {
  throw Error("deckhand.path-lookup", fmt::format("the path '{}' {} {}", plan_.text, reason, describe(at.kind())));
}

// Recursion: bounded by Level.
bool Walk::each(const Node& node, const Place& place, const Visitor& visit) {
  const Level level(*this);
  switch (node.type) {
    case Type::root:
      return visit(place.root());
    case Type::self:
      return visit(place);
    case Type::parent:
      if (place.above == nullptr) fail("asks for what is above the root,", place.value);
      return visit(*place.above);
    case Type::fields:
      return each_field(node, place, visit);
    case Type::indexes:
      return each_index(node, place, visit);
    case Type::slice:
      return each_item(node, place, visit);
    case Type::sequence:
      return each_step(node, 0, node.operands.size(), place, visit);
    case Type::deep:
      return each_below(node, place, visit);
    case Type::where:
    case Type::where_not:
      return each(node.operands[0], place, [&](const Place& left) {
        bool found = false;
        each(node.operands[1], left, [&](const Place&) {
          found = true;
          return plan_.may_fail_late;
        });
        return found != (node.type == Type::where) || visit(left);
      });
    case Type::either:
      return each(node.operands[0], place, visit) && each(node.operands[1], place, visit);
    case Type::intersect:
      throw Error(
          "deckhand.path-lookup",
          fmt::format("the path '{}' asks for an intersection (`&`), which Deckhand does not support", plan_.text));
  }
  return true;
}

// Recursion: bounded by Level, through each.
bool Walk::each_step(const Node& sequence, std::size_t from, std::size_t to, const Place& place, const Visitor& visit) {
  if (from == to) return visit(place);
  return each(sequence.operands[from], place,
              [&](const Place& next) { return each_step(sequence, from + 1, to, next, visit); });
}

bool Walk::each_field(const Node& node, const Place& place, const Visitor& visit) {
  if (!place.value.is_mapping()) return true;
  if (node.all) {
    for (std::size_t i = 0; i < place.value.size(); ++i) {
      rendering_.stop.tick();
      if (!visit(place.member(i))) return false;
    }
    return true;
  }
  return std::ranges::all_of(node.names, [&](const std::string& name) {
    const std::size_t position = position_of_key(place.value, name);
    return position == Arena::npos || visit(place.member(position));
  });
}

bool Walk::each_index(const Node& node, const Place& place, const Visitor& visit) {
  const Value& value = place.value;
  if (!python::truth(value)) return true;  // It has no items to ask for.
  if (!value.is_container() && !value.is_text()) fail("asks for an item of", value);
  const auto size = static_cast<std::int64_t>(value.is_text() ? text::unicode::length(value.text()) : value.size());
  for (const std::int64_t number : node.numbers) {
    if (number >= size) continue;
    if (!value.is_sequence() && !value.is_text()) fail(fmt::format("asks for item {} of", number), value);
    if (number < -size) fail(fmt::format("asks for item {} of {} in", number, size), value);
    const auto index = static_cast<std::size_t>(number < 0 ? number + size : number);
    if (value.is_sequence()) {
      if (!visit(place.member(index))) return false;
      continue;
    }
    std::size_t behind = text::unicode::offset(value.text(), index);
    const std::size_t begin = behind;
    (void)text::unicode::decode(value.text(), behind);
    const Value character = rendering_.arena.text(value.text().substr(begin, behind - begin))
                                .with_origin(value.origin())
                                .with_secret(value.is_secret());
    if (!visit(Place{.value = character, .above = &place, .position = index, .is_part = true})) return false;
  }
  return true;
}

namespace {

/// A bound of a slice as Python cuts it.
std::int64_t cut_bound(std::int64_t bound, std::int64_t size, bool forward) noexcept {
  if (bound < 0) return std::max<std::int64_t>(bound < -size ? -1 : bound + size, forward ? 0 : -1);
  return std::min(bound, forward ? size : size - 1);
}

}  // namespace

bool Walk::each_item(const Node& node, const Place& place, const Visitor& visit) const {
  if (place.value.is_null()) return true;
  const bool is_list = place.value.is_sequence();
  const auto size = static_cast<std::int64_t>(is_list ? place.value.size() : 1);
  const std::int64_t step = node.step.value_or(1);
  if (step == 0) fail("asks for each item with a step of 0 of", place.value);
  const bool forward = step > 0;
  std::int64_t at = node.start ? cut_bound(*node.start, size, forward) : forward ? 0 : size - 1;
  const std::int64_t stop = node.stop ? cut_bound(*node.stop, size, forward) : forward ? size : -1;
  for (; forward ? at < stop : at > stop;) {
    rendering_.stop.tick();
    const Place item = is_list ? place.member(static_cast<std::size_t>(at))
                               : Place{.value = place.value, .above = &place, .is_part = true};
    if (!visit(item)) return false;
    // A step may be as large as numbers get.
    if (forward ? step >= stop - at : step <= stop - at) break;
    at += step;
  }
  return true;
}

// Recursion: bounded by Level.
bool Walk::each_below(const Node& node, const Place& place, const Visitor& visit) {
  const Level level(*this);
  if (!each(node.operands[0], place, visit)) return false;
  if (!place.value.is_container()) return true;
  for (std::size_t i = 0; i < place.value.size(); ++i) {
    const Place below = place.member(i);
    if (!each_below(node, below, visit)) return false;
  }
  return true;
}

std::size_t position_of_key(const Value& mapping, std::string_view key) noexcept {
  const Value* found = mapping.find(key);
  if (found == nullptr) return Arena::npos;
  const auto bytes =
      reinterpret_cast<const char*>(found) - reinterpret_cast<const char*>(&mapping.entries().front().value);
  return static_cast<std::size_t>(bytes) / sizeof(Entry);
}

std::optional<std::vector<Path::Step>> steps_of_keys(const Value& root, const std::vector<std::string>& keys) {
  std::vector<Path::Step> steps;
  steps.reserve(keys.size());
  Value here = root;
  for (const std::string& key : keys) {
    if (!here.is_mapping()) return std::nullopt;
    const std::size_t position = position_of_key(here, key);
    if (position == Arena::npos) return std::nullopt;
    steps.emplace_back(here.entries()[position].key);
    here = here.entries()[position].value;
  }
  return steps;
}

}  // namespace strata::deckhand::detail
