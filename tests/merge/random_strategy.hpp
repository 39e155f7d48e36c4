// SPDX-License-Identifier: Apache-2.0
// Random strategies whose cells make sense.
#pragma once

#include <random>

#include "strata/strategy.hpp"

namespace strata::merge {

struct StrategyOptions {
  bool may_fail = false;
  bool self_merge = true;
  std::size_t calls = 0;
};

inline Strategy random_strategy(std::uint64_t seed, const StrategyOptions& options = {}) {
  std::mt19937_64 random(seed);
  Strategy strategy;
  for (std::size_t i = 0; i < options.calls; ++i) strategy.calls.push_back("call" + std::to_string(i));
  const auto fits = [&](const Strategy::Table& table, Action action, Shape old, Shape incoming) {
    if (action == Action::wait) return false;  // Its result is no data.
    if (!options.may_fail && (action == Action::fail || action == Action::check_indexes)) return false;
    // A value that is merged with itself by merging it with itself has no end.
    if (action == Action::self_merge && (!options.self_merge || (&table == &strategy.root && old == incoming)))
      return false;
    return can_apply(action, old, incoming);
  };
  for (Strategy::Table* table : {&strategy.root, &strategy.member, &strategy.item}) {
    for (std::size_t old = 0; old < kShapes; ++old) {
      for (std::size_t incoming = 0; incoming < kShapes; ++incoming) {
        Action action = Action::take_new;
        // Containers are walked more often than not.
        const bool walk = random() % 2 == 0;
        do {
          action = static_cast<Action>(random() % (kActions + options.calls));
          if (walk && can_apply(Action::recurse, static_cast<Shape>(old), static_cast<Shape>(incoming)))
            action = Action::recurse;
          if (action == Action::fail && random() % 4 != 0) action = Action::keep_old;
        } while (!fits(*table, action, static_cast<Shape>(old), static_cast<Shape>(incoming)));
        (*table)[old][incoming] = action;
      }
    }
  }
  strategy.lists.knockout = random() % 2 == 0 ? "" : random() % 2 == 0 ? "a" : "\n\"\\";
  strategy.lists.sort = options.may_fail && random() % 2 == 0;
  strategy.lists.by_index = random() % 2 == 0;
  strategy.lists.independent_copies = random() % 2 == 0;
  if (random() % 4 == 0) {
    strategy.keys.push_back({.prefix = random() % 2 == 0 ? "a" : "\"\n\":",
                             .action = random() % 2 == 0 ? Action::take_new : Action::remove});
  }
  if (random() % 2 == 0) strategy.separator = random() % 2 == 0 ? ", " : "\n\"\\";
  return strategy;
}

}  // namespace strata::merge
