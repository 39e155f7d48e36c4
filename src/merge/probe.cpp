#include "probe.hpp"

#include <algorithm>

#include "strata/merge.hpp"

namespace strata::merge {
namespace {

// NOLINTNEXTLINE(misc-no-recursion): bounded by Limits::depth.
void probe_at(const Strategy& strategy, const Strategy::Table& table, const Value& old, const Value& incoming) {
  switch (strategy.at(table, shape_of(old), shape_of(incoming))) {
    case Action::recurse:
      for (const Entry& entry : incoming.entries()) {
        const Value* member = old.find(entry.key);
        probe_at(strategy, strategy.member, member == nullptr ? Value() : *member, entry.value);
      }
      return;
    case Action::by_index:
    case Action::by_index_extend:
      for (std::size_t i = 0; i < std::min(old.size(), incoming.size()); ++i) probe_at(strategy, strategy.item, old.items()[i], incoming.items()[i]);
      return;
    case Action::keys_as_items:
    case Action::characters_as_items: {
      // Only the shape counts: no action on sequences that fails looks at their items.
      const Shape items = shape_of(incoming) == Shape::empty_mapping || shape_of(incoming) == Shape::empty_text ? Shape::empty_sequence : Shape::sequence;
      if (strategy.at(strategy.root, shape_of(old), items) == Action::fail) throw KindMismatch(old, incoming);
      return;
    }
    case Action::self_merge:
      probe_at(strategy, strategy.root, incoming, incoming);
      return;
    case Action::check_indexes:
      if (!has_indexes(old, incoming)) throw KindMismatch(old, incoming);
      return;
    case Action::fail:
      throw KindMismatch(old, incoming);
    default:
      return;
  }
}

}  // namespace

void probe(const Strategy& strategy, const Value& old, const Value& incoming) { probe_at(strategy, strategy.root, old, incoming); }

bool has_indexes(const Value& old, const Value& incoming) noexcept {
  const std::size_t common = std::min(old.size(), incoming.size());
  for (std::size_t i = 0; i < common; ++i) {
    if (incoming.find(Value::integer(static_cast<std::int64_t>(i))) == nullptr) return false;
  }
  return true;
}

}  // namespace strata::merge
