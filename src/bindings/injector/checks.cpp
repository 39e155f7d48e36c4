// What must hold of the effective bindings.
#include <fmt/format.h>

#include <algorithm>

#include "bindings/composition/constants.hpp"
#include "bindings/injector/state.hpp"
#include "bindings/types/names.hpp"

namespace strata::bindings {

namespace {

constexpr std::size_t kMostNotes = 50;
constexpr std::size_t kMostAliases = 200;

}  // namespace

void InjectorState::note_candidates(Error& error, std::uint32_t key, const std::function<std::string(const Candidate&)>& describe) const {
  std::size_t told = 0;
  std::size_t more = 0;
  Origin next;
  for (const Candidate& candidate : composition_->candidates(key)) {
    const std::string note = describe(candidate);
    if (note.empty()) continue;
    if (told < kMostNotes) {
      ++told;
      add_note(error, sources_, Composition::origin(candidate), note);
    } else if (more++ == 0) {
      next = Composition::origin(candidate);
    }
  }
  if (more != 0) add_note(error, sources_, next, fmt::format("and {} more", more));
}

void InjectorState::note_ineffective(Error& error, std::uint32_t key) const {
  note_candidates(error, key, [this](const Candidate& candidate) {
    if (composition_->rank(candidate) != 0) return std::string();
    return fmt::format("bound here, but {}", composition_->not_in_effect(*candidate.binding->statement));
  });
}

Error InjectorState::abstract_error(std::uint32_t key, const Candidate& winner) {
  Error error("bindings.abstract", fmt::format("{} must be bound: it is abstract in layer '{}' ({})", composition_->readable(key),
                                               composition_->layer_name(winner.layer), composition_->told(winner).document));
  place_at(error, sources_, Composition::origin(winner));
  const Rank top = composition_->rank(winner);
  note_candidates(error, key, [this, top](const Candidate& candidate) {
    const Rank rank = composition_->rank(candidate);
    if (rank >= top || candidate.binding->is_abstract || rank == 0) return std::string();
    return fmt::format("hidden by it: bound here, in layer '{}'", composition_->layer_name(candidate.layer));
  });
  note_ineffective(error, key);
  return std::move(error).hint("bind it in a higher layer or a more specific category");
}

Error InjectorState::override_error(std::uint32_t key, const Candidate& winner) {
  const KeyText text = composition_->text(key);
  std::string hint = "remove 'override', or bind it in a lower layer or category";
  const std::vector<std::string> near = near_names(text.type, text.name);
  if (!near.empty()) hint = fmt::format("did you mean {}?", fmt::join(near, ", "));
  Error error = Error("bindings.override", fmt::format("{} overrides nothing", composition_->readable(key)))
                    .at(sources_, Composition::origin(winner))
                    .hint(std::move(hint));
  note_ineffective(error, key);
  return error;
}

/// What a rebind takes; a null pointer where a source between the two has it.
const Candidate* InjectorState::rebound(std::uint32_t key, const Candidate& rebind) {
  const Rank rank = composition_->rank(rebind);
  const Effective lower = composition_->below(key, rank);
  if (has_source_between(key, lower.winner == nullptr ? 0 : composition_->rank(*lower.winner), rank)) return nullptr;
  if (lower.winner == nullptr) {
    throw Error("bindings.rebind", fmt::format("nothing to rebind: {} has no binding of lower precedence", composition_->readable(key)))
        .at(sources_, Composition::origin(rebind));
  }
  if (lower.is_tied) throw composition_->conflict(key, *lower.winner);
  if (lower.winner->binding->is_abstract) throw abstract_error(key, *lower.winner);
  return lower.winner;
}

/// What a candidate comes to, through all rebinds.
const Candidate* InjectorState::behind_rebinds(std::uint32_t key, const Candidate& candidate) {
  const Candidate* at = &candidate;
  while (at != nullptr && at->binding->statement->form == Form::rebind) at = rebound(key, *at);
  return at;
}

void InjectorState::check_effective() {
  const std::uint32_t keys = composition_->key_count();
  for (std::uint32_t key = 0; key < keys && !problems_.is_full(); ++key) {
    const Effective effective = composition_->effective(key);
    if (effective.winner == nullptr) continue;
    const Candidate& winner = *effective.winner;
    if (!effective.is_tied && (winner.flags & (Candidate::kAbstract | Candidate::kOverride | Candidate::kOtherName)) == 0) continue;
    const Binding& binding = *winner.binding;
    const Form form = binding.statement->form;
    problems_.guard([&] {
      const Rank rank = composition_->rank(winner);
      if (has_source_between(key, rank, UINT64_MAX)) return;  // It is shadowed.
      if (effective.is_tied) throw composition_->conflict(key, winner);
      if (binding.is_override && form != Form::alias && form != Form::renamed && composition_->below(key, rank).winner == nullptr &&
          !has_source_between(key, 0, rank)) {
        throw override_error(key, winner);
      }
      if (binding.is_abstract) throw abstract_error(key, winner);
      if (form == Form::rebind) static_cast<void>(behind_rebinds(key, winner));
      if (form == Form::alias || form == Form::renamed) check_alias(key, winner);
    });
  }
  // A source that was renamed is gone, whether or not its new name is the effective one.
  for (std::uint32_t key = 0; key < keys && !problems_.is_full() && composition_->has_other_names(); ++key) {
    for (const Candidate& candidate : composition_->candidates(key)) {
      if ((candidate.flags & Candidate::kOtherName) == 0 || candidate.binding->statement->form != Form::renamed || composition_->rank(candidate) == 0)
        continue;
      problems_.guard([&] {
        const std::uint32_t source = source_key(candidate);
        if (source != key) renamed_.emplace(source, key);
        if (composition_->effective(key).winner != &candidate) check_alias(key, candidate);
      });
    }
  }
  if (!problems_.is_full()) check_multibind_ids();
}

/// The source is bound, and not by way of its own alias.
void InjectorState::check_alias(std::uint32_t key, const Candidate& candidate) {
  const Candidate* at = &candidate;
  std::vector<std::uint32_t> chain{key};
  for (;;) {
    const std::uint32_t source = source_key(*at);
    const bool seen = std::find(chain.begin(), chain.end(), source) != chain.end();
    chain.push_back(source);
    if (seen) {
      std::vector<std::string> names;
      names.reserve(chain.size());
      for (const std::uint32_t each : chain) names.push_back(composition_->readable(each));
      throw Error("bindings.loop", fmt::format("lookup loop: {}", fmt::join(names, " → "))).at(sources_, Composition::origin(candidate));
    }
    const Effective effective = composition_->effective(source);
    const Rank rank = effective.winner == nullptr ? 0 : composition_->rank(*effective.winner);
    if (has_source_between(source, rank, UINT64_MAX)) return;
    if (effective.winner == nullptr || effective.winner->binding->is_abstract) {
      const KeyText text = composition_->text(source);
      if (effective.winner == nullptr && text.type.empty() && is_special(text.name)) return;
      Error error("bindings.not-bound", fmt::format("{} can not have another name: {}", composition_->readable(source),
                                                    effective.winner == nullptr ? "nothing is bound for it" : "it is abstract"));
      const std::vector<std::string> near = near_names(text.type, text.name);
      if (!near.empty()) set_hint(error, fmt::format("did you mean {}?", fmt::join(near, ", ")));
      throw std::move(error).at(sources_, at->binding->statement->origin);
    }
    const Form form = effective.winner->binding->statement->form;
    if (form != Form::alias && form != Form::renamed) return;
    if (chain.size() > kMostAliases) {
      throw Error("limit.depth", fmt::format("more than {} aliases of aliases", kMostAliases)).at(sources_, Composition::origin(candidate));
    }
    at = effective.winner;
  }
}

void InjectorState::check_multibind_ids() {
  std::unordered_map<std::string_view, std::pair<std::uint32_t, const Candidate*>> known;
  const std::uint32_t keys = composition_->key_count();
  for (std::uint32_t key = 0; key < keys && !problems_.is_full(); ++key) {
    const Effective effective = composition_->effective(key);
    if (effective.winner == nullptr || (effective.winner->flags & (Candidate::kMultibind | Candidate::kOtherName)) == 0) continue;
    const Candidate* multibind = nullptr;
    try {
      multibind = behind_rebinds(key, *effective.winner);
    } catch (const Error&) {
      continue;  // It was told above.
    }
    if (multibind == nullptr) continue;
    problems_.guard([&] {
      const auto id = id_of(*multibind);
      if (!id) return;
      const auto added = known.emplace(*id, std::make_pair(key, multibind));
      if (added.second) return;
      const auto& first = added.first->second;
      throw Error("bindings.multibind-id", fmt::format("the multibinds {} and {} have the same id '{}'", composition_->readable(first.first),
                                                       composition_->readable(key), *id))
          .at(sources_, multibind->binding->statement->origin)
          .note(sources_, first.second->binding->statement->origin, "the other one is here");
    });
  }
}

/// `Type[X]` must be a type that an extension registered.
void InjectorState::check_extensions() {
  const Registry* all = services_.extensions;
  const std::uint32_t documents = composition_->document_count();
  for (std::uint32_t d = 0; d < documents && !problems_.is_full(); ++d) {
    for (const Prepared::Needed& needed : composition_->document(d).prepared->needed) {
      const std::string& name = needed.type->texts[0];
      using As = Prepared::Needed::As;
      const auto has = [&](As as) {
        if (all == nullptr) return false;
        if (as == As::producer) return all->producer(name) != nullptr;
        return as == As::combinator ? all->combinator(name) != nullptr : all->type(name) != nullptr;
      };
      const bool known = has(needed.as) || (needed.as == As::value && (has(As::producer) || has(As::combinator)));
      if (!known) problems_.add(Error("bindings.runtime-type", fmt::format("no runtime type {} is registered", name)).at(sources_, needed.origin));
    }
  }
}

}  // namespace strata::bindings
