// SPDX-License-Identifier: Apache-2.0
#include "heat/merge_strategies.hpp"

#include <array>

namespace strata::heat {
namespace {

using enum merge::Shape;
using merge::Action;
using merge::Shape;
using merge::Strategy;

/// What counts as nothing gives way to anything.
constexpr auto kFalsy = std::to_array<Shape>({absent, null, false_, zero, empty_text, empty_sequence, empty_mapping});

/// Nothing gives way to all, everything else meets nothing.
Strategy falsy_gives_way() {
  Strategy strategy;
  merge::fill(strategy.root, Action::fail);
  for (const Shape shape : kFalsy) strategy.root.at(static_cast<std::size_t>(shape)).fill(Action::take_new);
  return strategy;
}

Strategy json(bool deep) {
  Strategy strategy = falsy_gives_way();
  for (const Shape shape : {true_, number, scalar, set, text, sequence, mapping})
    merge::set_cells(strategy.root, {shape}, {empty_mapping}, Action::keep_old);
  merge::set_cells(strategy.root, {mapping}, {mapping}, Action::recurse);
  merge::fill(strategy.item, Action::take_new);

  auto& member = strategy.member;
  merge::fill(member, Action::take_new);
  if (deep) {
    for (auto& row : member) {
      for (const Shape shape : {mapping, sequence, empty_sequence, text, empty_text})
        row.at(static_cast<std::size_t>(shape)) = Action::fail;
      row.at(static_cast<std::size_t>(empty_mapping)) = Action::keep_old;
    }
    // Nothing gives way to mappings and sequences, but not to texts.
    merge::set_cells(member, {absent, null, false_, zero, empty_text, empty_sequence, empty_mapping},
                     {mapping, empty_mapping, sequence, empty_sequence}, Action::take_new);
    merge::set_cells(member, {mapping}, {mapping}, Action::recurse);
    merge::set_cells(member, {sequence}, {sequence, empty_sequence}, Action::append);
    merge::set_cells(member, {absent}, {text, empty_text}, Action::take_new);
    merge::set_cells(member, {text, empty_text}, {text, empty_text}, Action::join);
  }
  for (auto& row : member) row.at(static_cast<std::size_t>(null)) = Action::keep_old;
  return strategy;
}

Strategy list() {
  Strategy strategy = falsy_gives_way();
  merge::set_cells(strategy.root, {sequence}, {sequence, empty_sequence}, Action::append);
  merge::set_cells(strategy.root, {text}, {text, empty_text}, Action::join);
  strategy.separator = ",";
  return strategy;
}

Strategy texts(bool is_string) {
  Strategy strategy;
  merge::fill(strategy.root, Action::fail);
  merge::set_cells(strategy.root, {text, empty_text}, {text, empty_text}, Action::join);
  if (is_string) {
    merge::set_cells(strategy.root, {absent}, {text, empty_text}, Action::take_new);
  } else {  // The reference adds, which joins lists as well.
    merge::set_cells(strategy.root, {sequence, empty_sequence}, {sequence, empty_sequence}, Action::append);
  }
  return strategy;
}

Strategy refused() {
  Strategy strategy;
  merge::fill(strategy.root, Action::fail);
  return strategy;
}

}  // namespace

std::string_view to_string(MergeStrategy kind) noexcept {
  switch (kind) {
    case MergeStrategy::overwrite:
      return "overwrite";
    case MergeStrategy::merge:
      return "merge";
    case MergeStrategy::deep_merge:
      break;
  }
  return "deep_merge";
}

const Strategy& kernel_strategy(ParameterType type, MergeStrategy kind) {
  static const Strategy shallow = json(false);
  static const Strategy deep = json(true);
  static const Strategy lists = list();
  static const Strategy strings = texts(true);
  static const Strategy numbers = texts(false);
  static const Strategy booleans = refused();
  if (kind == MergeStrategy::overwrite) return merge::replace_all();
  switch (type) {
    case ParameterType::json:
      return kind == MergeStrategy::deep_merge ? deep : shallow;
    case ParameterType::comma_delimited_list:
      return lists;
    case ParameterType::string:
      return strings;
    case ParameterType::number:
      return numbers;
    case ParameterType::boolean:
      break;
  }
  return booleans;
}

const Strategy& one_level_strategy() {
  static const Strategy strategy = [] {
    Strategy made = merge::shallow_replace();
    for (auto& row : made.member) row.at(static_cast<std::size_t>(null)) = Action::keep_old;
    return made;
  }();
  return strategy;
}

const Strategy& registry_strategy() {
  static const Strategy strategy = [] {
    Strategy made = merge::shallow_replace();
    for (auto& row : made.member) row.at(static_cast<std::size_t>(null)) = Action::remove;
    return made;
  }();
  return strategy;
}

const Strategy& removal_strategy() {
  static const Strategy strategy = [] {
    Strategy made = merge::shallow_replace();
    merge::fill(made.member, Action::remove);
    return made;
  }();
  return strategy;
}

}  // namespace strata::heat
