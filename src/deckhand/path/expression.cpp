// SPDX-License-Identifier: Apache-2.0
#include "deckhand/path/expression.hpp"

#include "deckhand/path/place.hpp"
#include "deckhand/path/plan.hpp"

namespace strata::deckhand {

using detail::Place;
using detail::Plan;
using detail::Walk;
using merge::Traced;

PathExpression PathExpression::parse(std::string_view text) {
  return PathExpression(std::make_shared<const Plan>(detail::parse_path(text)));
}

const std::string& PathExpression::text() const noexcept { return plan_->text; }

namespace {

/// The place that keys lead to.
std::optional<Match> match_of_keys(const Value& root, const Plan& plan, Rendering& rendering) {
  ++rendering.steps;
  const auto steps = detail::steps_of_keys(root, plan.keys);
  if (!steps) return std::nullopt;
  Match match{.path = {}, .value = root, .is_part = false};
  for (const Path::Step& step : *steps) {
    const Value& key = std::get<Value>(step);
    match.path.push(key);
    match.value = *match.value.find(key);
  }
  return match;
}

}  // namespace

bool PathExpression::is_root() const noexcept { return plan_->is_simple && plan_->keys.empty(); }

std::vector<Match> PathExpression::find(const Value& root, Rendering& rendering) const {
  std::vector<Match> matches;
  if (plan_->is_simple) {
    if (auto match = match_of_keys(root, *plan_, rendering)) matches.push_back(std::move(*match));
    return matches;
  }
  Walk(*plan_, rendering).each(plan_->root, Place{.value = root}, [&matches](const Place& place) {
    matches.push_back({.path = place.path(), .value = place.value, .is_part = place.is_part});
    return true;
  });
  return matches;
}

std::optional<Match> PathExpression::first(const Value& root, Rendering& rendering) const {
  if (plan_->is_simple) return match_of_keys(root, *plan_, rendering);
  std::optional<Match> match;
  Walk(*plan_, rendering).each(plan_->root, Place{.value = root}, [&](const Place& place) {
    if (!match) match = Match{.path = place.path(), .value = place.value, .is_part = place.is_part};
    return plan_->may_fail_late;
  });
  return match;
}

namespace {

/// The history of a place: the way down again, with the root's.
// Recursion: bounded by the walk that made the place.
Traced with_history(const Place& place, const Traced& root, merge::Recorder& recorder) {
  if (place.above == nullptr) return root;
  const Traced above = with_history(*place.above, root, recorder);
  if (!place.is_part) return merge::Recorder::member(above, place.position);
  // A mapping that was taken for a list of one is itself.
  if (!above.value.is_text()) return above;
  return recorder.derive(place.value, {{above}});
}

Value with_secrecy(const Place& place) {
  Value value = place.value;
  for (const Place* here = place.above; here != nullptr && !value.is_secret(); here = here->above)
    value = value.with_secret(here->value.is_secret());
  return value;
}

}  // namespace

std::optional<Traced> PathExpression::read(const Traced& root, Rendering& rendering) const {
  if (plan_->is_simple) {
    ++rendering.steps;
    Traced here = root;
    for (const std::string& key : plan_->keys) {
      if (!here.value.is_mapping()) return std::nullopt;
      const std::size_t position = detail::position_of_key(here.value, key);
      if (position == Arena::npos) return std::nullopt;
      here = merge::Recorder::member(here, position);
    }
    return here;
  }
  std::optional<Traced> found;
  Walk(*plan_, rendering).each(plan_->root, Place{.value = root.value}, [&](const Place& place) {
    if (!found)
      found = rendering.session.recorder().keeps() ? with_history(place, root, rendering.session.recorder())
                                                   : Traced{with_secrecy(place), {}};
    return plan_->may_fail_late;
  });
  return found;
}

}  // namespace strata::deckhand
