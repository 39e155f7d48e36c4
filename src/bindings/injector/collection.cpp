#include "bindings/injector/collection.hpp"

#include <initializer_list>

namespace strata::bindings {
namespace {

using enum merge::Shape;
using merge::Action;
using merge::Strategy;

Strategy of_root(Action action) {
  Strategy strategy;
  merge::fill(strategy.root, action);
  return strategy;
}

/// For values that are known to be sequences.
Strategy of_sequences(Action action) {
  Strategy strategy = of_root(Action::fail);
  merge::set_cells(strategy.root, {empty_sequence, sequence}, {empty_sequence, sequence}, action);
  return strategy;
}

}  // namespace

const Strategy& append_strategy() {
  static const Strategy strategy = of_sequences(Action::append);
  return strategy;
}

const Strategy& distinct_strategy() {
  static const Strategy strategy = of_sequences(Action::union_);
  return strategy;
}

const Strategy& first_strategy() {
  static const Strategy strategy = of_root(Action::keep_old);
  return strategy;
}

const Strategy& hash_strategy() {
  static const Strategy strategy = [] {
    Strategy made = of_root(Action::take_new);
    merge::set_cells(made.root, {empty_mapping, mapping}, {empty_mapping, mapping}, Action::recurse);
    merge::fill(made.member, Action::take_new);
    return made;
  }();
  return strategy;
}

}  // namespace strata::bindings
