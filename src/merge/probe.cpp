#include "probe.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "items_of.hpp"
#include "strata/merge.hpp"

namespace strata::merge {
namespace {

class Probe {
 public:
  Probe(const Strategy& strategy, const Limits& limits, const Sources& sources) : strategy_(strategy), limits_(limits), sources_(sources) {}

  // Recursion: bounded by Limits::depth.
  void meet(const Strategy::Table& table, const Value& old, const Value& incoming, std::size_t depth) {
    switch (strategy_.at(table, old, incoming)) {
      case Action::recurse:
        check_depth(limits_, depth);
        for (const Entry& entry : incoming.entries()) {
          const Value* member = old.find(entry.key);
          meet(strategy_.member, member == nullptr ? Value() : *member, entry.value, depth + 1);
        }
        return;
      case Action::by_index:
      case Action::by_index_extend:
        check_depth(limits_, depth);
        for (std::size_t i = 0; i < std::min(old.size(), incoming.size()); ++i) meet(strategy_.item, old.items()[i], incoming.items()[i], depth + 1);
        return;
      case Action::keys_as_items:
        meet(strategy_.root, old, keys_of(scratch_, incoming), depth);
        return;
      case Action::characters_as_items:
        meet(strategy_.root, old, characters_of(scratch_, limits_, incoming), depth);
        return;
      case Action::self_merge:
        check_depth(limits_, depth);
        meet(strategy_.root, incoming, incoming, depth + 1);
        return;
      case Action::self_merge_rest:
        check_depth(limits_, depth);
        for (std::size_t i = 1; i < incoming.size(); ++i) {
          const Value& member = incoming.entries()[i].value;
          meet(strategy_.member, member, member, depth + 1);
        }
        return;
      case Action::join:
        (void)joined_size(strategy_, limits_, old, incoming);
        return;
      case Action::check_indexes:
        if (!has_indexes(old, incoming)) throw KindMismatch(old, incoming, sources_);
        return;
      case Action::fail:
        throw KindMismatch(old, incoming, sources_);
      default:
        return;
    }
  }

 private:
  const Strategy& strategy_;
  const Limits& limits_;
  const Sources& sources_;
  Arena scratch_;
};

}  // namespace

void probe(const Strategy& strategy, const Limits& limits, const Sources& sources, const Value& old, const Value& incoming) {
  Probe(strategy, limits, sources).meet(strategy.root, old, incoming, 0);
}

void check_depth(const Limits& limits, std::size_t depth) {
  if (depth < limits.depth) return;
  throw Error("limit.depth", fmt::format("values that are merged are nested deeper than {} levels", limits.depth))
      .hint("raise the limit with --limit depth=LEVELS");
}

std::size_t joined_size(const Strategy& strategy, const Limits& limits, const Value& old, const Value& incoming) {
  const std::size_t size = old.text().size() + strategy.separator.size() + incoming.text().size();
  if (size > limits.input) {
    throw Error("limit.result", fmt::format("a joined text has more than {} bytes", limits.input)).hint("raise the limit with --limit input=BYTES");
  }
  return size;
}

bool has_indexes(const Value& old, const Value& incoming) noexcept {
  const std::size_t common = std::min(old.size(), incoming.size());
  for (std::size_t i = 0; i < common; ++i) {
    if (incoming.find(Value::integer(static_cast<std::int64_t>(i))) == nullptr) return false;
  }
  return true;
}

}  // namespace strata::merge
