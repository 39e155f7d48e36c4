// SPDX-License-Identifier: Apache-2.0
#include "dry_run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "items_of.hpp"
#include "strata/merge.hpp"
#include "strata/stack.hpp"

namespace strata::merge {
namespace {

class DryRun {
 public:
  DryRun(const Strategy& strategy, const Limits& limits, const Sources& sources, StopCheck& stop)
      : strategy_(strategy), limits_(limits), sources_(sources), stop_(stop) {}

  // Recursion: bounded by Limits::depth.
  void meet(const Strategy::Table& table, const Value& old, const Value& incoming, std::size_t depth) {
    act(strategy_.at(table, old, incoming), old, incoming, depth);
  }

 private:
  // Recursion: bounded by Limits::depth.
  void act(Action action, const Value& old, const Value& incoming, std::size_t depth) {
    stop_.tick();
    switch (action) {
      case Action::recurse:
        check_depth(old, incoming, depth);
        for (const Entry& entry : incoming.entries()) {
          const KeyRule* const rule = strategy_.rule_for(entry.key);
          const Value* found =
              rule == nullptr ? old.find(entry.key) : old.find(entry.key.text().substr(rule->prefix.size()));
          const Value member = found == nullptr ? Value() : *found;
          const Action next = rule == nullptr ? strategy_.at(strategy_.member, member, entry.value) : rule->action;
          act(next, member, entry.value, depth + 1);
        }
        return;
      case Action::by_index:
      case Action::by_index_extend:
        check_depth(old, incoming, depth);
        for (std::size_t i = 0; i < std::min(old.size(), incoming.size()); ++i)
          meet(strategy_.item, old.items()[i], incoming.items()[i], depth + 1);
        return;
      case Action::keys_as_items:
        meet(strategy_.root, old, keys_of(scratch_, incoming), depth);
        return;
      case Action::characters_as_items:
        meet(strategy_.root, old, characters_of(scratch_, limits_, incoming, stop_), depth);
        return;
      case Action::self_merge:
        check_depth(old, incoming, depth);
        meet(strategy_.root, incoming, incoming, depth + 1);
        return;
      case Action::self_merge_rest:
        check_depth(old, incoming, depth);
        for (std::size_t i = 1; i < incoming.size(); ++i) {
          const Value& member = incoming.entries()[i].value;
          meet(strategy_.member, member, member, depth + 1);
        }
        return;
      case Action::join:
        (void)joined_size(strategy_, limits_, sources_, old, incoming);
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

  void check_depth(const Value& old, const Value& incoming, std::size_t depth) const {
    if (depth >= limits_.depth) fail_depth(limits_, sources_, old, incoming);
    check_stack(limits_);
  }

  const Strategy& strategy_;
  const Limits& limits_;
  const Sources& sources_;
  StopCheck& stop_;
  Arena scratch_;
};

/// With both places, but not the lines that stand there: nobody knows yet whether they hold what is hidden.
Error beyond_limit(std::string code, std::string message, std::string_view option, const Sources& sources,
                   const Value& old, const Value& incoming) {
  Diagnostic told{.code = std::move(code), .message = std::move(message), .where = {}, .notes = {}, .hint = {}};
  told.where.place = sources.place(incoming.origin());
  if (old && old.origin() != incoming.origin())
    told.notes.push_back({.place = sources.place(old.origin()), .line = {}, .message = "the existing value"});
  told.hint = fmt::format("raise the limit with --limit {}", option);
  return Error(std::move(told));
}

}  // namespace

void dry_run(const Strategy& strategy, const Limits& limits, const Sources& sources, StopCheck& stop, const Value& old,
             const Value& incoming) {
  DryRun(strategy, limits, sources, stop).meet(strategy.root, old, incoming, 0);
}

void fail_depth(const Limits& limits, const Sources& sources, const Value& old, const Value& incoming) {
  throw beyond_limit("limit.depth",
                     fmt::format("values that are merged are nested deeper than {} levels", limits.depth),
                     "depth=LEVELS", sources, old, incoming);
}

std::size_t joined_size(const Strategy& strategy, const Limits& limits, const Sources& sources, const Value& old,
                        const Value& incoming) {
  const std::size_t size = old.text().size() + strategy.separator.size() + incoming.text().size();
  if (size > limits.input)
    throw beyond_limit("limit.result", fmt::format("a joined text has more than {} bytes", limits.input), "input=BYTES",
                       sources, old, incoming);
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
