// SPDX-License-Identifier: Apache-2.0
#include "bindings/injector/collection.hpp"

#include <initializer_list>

namespace strata::bindings {
namespace {

using enum merge::Shape;
using merge::Action;
using merge::Strategy;

Strategy of_sequences(Action action) {
  Strategy strategy;
  merge::fill(strategy.root, Action::fail);
  merge::set_cells(strategy.root, {empty_sequence, sequence}, {empty_sequence, sequence}, action);
  return strategy;
}

}  // namespace

const Strategy& append_strategy() {
  static const Strategy strategy = of_sequences(Action::append);
  return strategy;
}

merge::Traced distinct_items(const merge::Traced& list, Arena& arena, const Limits& limits, merge::Recorder& recorder) {
  static const Strategy strategy = of_sequences(Action::union_);
  // A union leaves out what the older sequence repeats as well.
  return merge::merge(list, {arena.sequence(), {}}, strategy, arena, limits, recorder);
}

}  // namespace strata::bindings
