// SPDX-License-Identifier: Apache-2.0
#include "bindings/injector/usage.hpp"

#include <algorithm>

#include "bindings/composition/constants.hpp"
#include "strata/scalar_text.hpp"

namespace strata::bindings {

Usage::Usage() : state_(std::make_unique<State>()) {}
Usage::~Usage() = default;

std::vector<Usage::Statement> Usage::take() { return std::exchange(state_->news, {}); }

std::optional<std::string> Usage::value(std::string_view category) const {
  const auto found = state_->values.find(category);
  return found == state_->values.end() ? std::nullopt : std::optional(found->second);
}

void Usage::State::learn(const Composition& composition, LayerSources& layers) {
  composition_ = &composition;
  layers_ = &layers;
  values.clear();
  for (const CategoryTable::One& one : composition.categories().all()) {
    if (one.category->value) values.emplace(one.category->name, *one.category->value);
  }
  for (std::uint32_t key = 0; key < composition.key_count(); ++key) {
    if (composition.is_key(key)) learn_key(key);
  }
  composition.for_each_conditional([this](const PlannedDocument& one) { learn_blocks(one); });
}

void Usage::State::learn_key(std::uint32_t key) {
  const Winners winning = winners(key);
  for (const Candidate& candidate : composition_->candidates(key)) {
    const PlannedDocument& of = composition_->document(candidate.document);
    if (of.document->in_node_category) continue;
    const Binding& binding = *candidate.binding;
    const Name name(binding.statement, binding.member < Binding::kReady ? binding.member + std::size_t{1} : 0);
    const Origin origin = Composition::origin(candidate);
    if (binding.is_abstract) {
      see(of, Kind::abstract, name, origin, is_bound_otherwise(key, candidate), {});
    } else {
      const bool is_used = std::ranges::find(winning.candidates, &candidate) != winning.candidates.end();
      // One that is not in effect has no rival.
      const bool has_rival = composition_->rank(candidate) != 0;
      see(of, Kind::binding, name, origin, is_used, has_rival ? winning.origin : Origin());
    }
  }
}

Usage::State::Winners Usage::State::winners(std::uint32_t key) {
  Winners out;
  const Candidate* winner = composition_->effective(key).winner;
  const Rank rank = winner == nullptr ? 0 : composition_->rank(*winner);
  if (const LayerSources::Found found = in_sources(key, rank + 1); found.source != nullptr) {
    out.origin = found.value.value.origin();
    return out;
  }
  if (winner == nullptr) return out;
  out.origin = Composition::origin(*winner);
  // Two of one rank are an error of their own.
  for (const Candidate& candidate : composition_->candidates(key)) {
    if (composition_->rank(candidate) == rank) out.candidates.push_back(&candidate);
  }
  while (winner != nullptr && winner->binding->statement->form == Form::rebind) {
    winner = composition_->below(key, composition_->rank(*winner)).winner;
    if (winner != nullptr) out.candidates.push_back(winner);
  }
  return out;
}

bool Usage::State::is_bound_otherwise(std::uint32_t key, const Candidate& candidate) {
  const auto candidates = composition_->candidates(key);
  const bool is_bound = std::ranges::any_of(candidates, [&](const Candidate& other) {
    return other.binding != candidate.binding && composition_->rank(other) != 0;
  });
  return is_bound || in_sources(key, 0).source != nullptr;
}

LayerSources::Found Usage::State::in_sources(std::uint32_t key, Rank above) {
  if (layers_->empty()) return {};
  try {
    return layers_->ask_sources(key, above);
  } catch (const Error& error) {
    // Whoever asks for the key tells what is wrong.
    if (error.ends_request()) throw;
    return {};
  }
}

void Usage::State::learn_blocks(const PlannedDocument& one) {
  const Guards& guards = one.prepared->guards;
  for (std::uint32_t guard = Guards::kNode + 1; guard < guards.size(); ++guard) {
    if (!composition_->in_effect(one.guard(guards.outer(guard)))) continue;
    const When* when = guards.when(guard);
    see(one, Kind::when, {when, 0}, when->origin, composition_->in_effect(one.guard(guard)), {}, when);
  }
}

void Usage::State::see(const PlannedDocument& of, Kind kind, const Name& name, Origin origin, bool is_used,
                       Origin rival, const When* when) {
  const auto [place, is_new] = known_.try_emplace(name);
  Known& known = place->second;
  const bool says_more = is_used || (rival && !known.has_rival);
  if (!is_new && (known.is_used || !says_more)) return;
  if (is_new) documents_.insert(of.document);
  known.is_used = known.is_used || is_used;
  known.has_rival = known.has_rival || rival;
  Statement told{.kind = kind, .where = excerpt(origin), .is_used = known.is_used};
  if (!told.where.place.line) return;  // An extension made it.
  if (rival && !is_used) told.rival = excerpt(rival);
  if (when != nullptr) {
    const When own{.guard = when->guard, .outer = nullptr, .origin = when->origin};
    for_each_predicate(&own, [&told](const Predicate& predicate) {
      const Value* value = scalar_constant(*predicate.value);
      if (value != nullptr)
        told.conditions.emplace_back(predicate.category,
                                     value->is_text() ? std::string(value->text()) : scalar_text(*value));
    });
  }
  news.push_back(std::move(told));
}

Excerpt Usage::State::excerpt(Origin origin) const { return excerpt_at(composition_->sources(), origin); }

}  // namespace strata::bindings
