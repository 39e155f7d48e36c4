// SPDX-License-Identifier: Apache-2.0
#include "strata/placeholders.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "strata/stack.hpp"
#include "strata/stop.hpp"

namespace strata::merge {

// Recursion: as placeholders lead to each other, bounded by the stack (check_stack).
Traced Placeholders::here(const Traced& value) {
  if (value.value.kind() != Kind::object || !is_placeholder(value.value)) return value;
  const Object* const object = &value.value.as_object();
  if (const auto known = here_.find(object); known != here_.end()) return known->second;
  if (const auto known = failed_.find(object); known != failed_.end()) std::rethrow_exception(known->second);
  const Chain<Name>::Step step(asked_, checked(asked_, value.value));
  try {
    const Traced made = resolve(value);
    here_.emplace(object, made);
    return made;
  } catch (const Error& error) {
    if (!error.ends_request()) failed_.emplace(object, std::current_exception());
    throw;
  }
}

namespace {

/// Whether a placeholder may stand in it, or deeper.
bool is_open(const Value& value) { return value.is_container() || value.kind() == Kind::object; }

/// Whether a container has members that are open.
bool has_open_members(const Value& container) {
  if (container.is_sequence()) return std::ranges::any_of(container.items(), is_open);
  return std::ranges::any_of(container.entries(), is_open, &Entry::value);
}

}  // namespace

// Recursion: as containers and placeholders are nested, bounded by the stack (check_stack).
Placeholders::Expanded Placeholders::expanded(const Traced& value) {
  if (value.value.kind() != Kind::object || !is_placeholder(value.value)) return with_members(value);
  const Object* const object = &value.value.as_object();
  if (const auto known = everywhere_.find(object); known != everywhere_.end()) return known->second;
  const Chain<Name>::Step step(opened_, checked(opened_, value.value));
  Traced now;
  try {
    now = here(value);
  } catch (const Error& error) {
    now = without(value, error);
  }
  const Expanded made = with_members(now);
  everywhere_.emplace(object, made);
  return made;
}

Placeholders::Expanded Placeholders::with_members(const Traced& container) {
  Expanded out{.value = container};
  if (!container.value.is_container()) return out;
  check_stack(limits_);
  const auto add = [&out](std::size_t nodes, std::size_t height) {
    out.nodes += nodes;
    out.height = std::max(out.height, height + 1);
  };
  const auto change = [this, &add](const Traced& member) {
    const Expanded made = expanded(member);
    add(made.nodes, made.height);
    return made.value;
  };
  // Most members are scalars and containers of scalars.
  const auto stays = [this, &add](const Value& member) {
    if (!is_open(member)) {
      add(1, 1);
      return true;
    }
    if (!member.is_container() || member.size() >= limits_.result || has_open_members(member)) return false;
    add(1 + member.size(), member.size() == 0 ? 1 : 2);
    return true;
  };
  out.value = make_.transform(container, change, stays);
  if (out.nodes > limits_.result) {
    throw Error("limit.result",
                fmt::format("with what references stand for, there are more than {} nodes", limits_.result))
        .at(sources_, container.value.origin())
        .hint("raise the limit with --limit result=NODES");
  }
  if (out.height > limits_.depth) {
    throw Error("limit.depth", fmt::format("with what references stand for, values are nested more than {} levels deep",
                                           limits_.depth))
        .at(sources_, container.value.origin());
  }
  return out;
}

Placeholders::Name Placeholders::checked(const Chain<Name>& chain, const Value& value) const {
  const Name name{.object = &value.as_object(), .origin = value.origin()};
  check_stack(limits_, sources_, value.origin());
  check_stop(limits_.stop);
  const auto circle = chain.circle(name);
  if (circle.empty()) return name;
  std::string texts;
  for (const Name& one : circle) {
    const std::string text = text_of(*one.object);
    if (!text.empty()) texts += text + " -> ";
  }
  Error error = Error(circle_, fmt::format("references lead in a circle: {}…", texts)).at(sources_, value.origin());
  for (const Name& one : circle) {
    if (one.object != name.object && !text_of(*one.object).empty())
      error.note(sources_, one.origin, "through this one");
  }
  throw Error(std::move(error));
}

}  // namespace strata::merge
