// What must hold of the effective bindings. Rule: bindings 10.3 to 10.7, 11.7.
#include <fmt/format.h>

#include <algorithm>

#include "bindings/composition/constants.hpp"
#include "bindings/injector/state.hpp"
#include "bindings/types/names.hpp"

namespace strata::bindings {

namespace {

constexpr std::size_t kMostNotes = 5;
constexpr std::size_t kMostAliases = 200;

}  // namespace

Error InjectorState::abstract_error(std::uint32_t key, const Candidate& winner) {
  Error error("bindings.abstract", fmt::format("{} must be bound: it is abstract in layer '{}' ({})", composition_->readable(key),
                                               composition_->layer_name(winner.layer), composition_->told(winner).document));
  place_at(error, sources_, Composition::origin(winner));
  std::size_t notes = 0;
  for (const Candidate& candidate : composition_->candidates(key)) {
    const Rank rank = composition_->rank(candidate);
    if (&candidate == &winner || candidate.binding->is_abstract || notes == kMostNotes) continue;
    if (rank == 0) {
      add_note(error, sources_, Composition::origin(candidate),
               fmt::format("bound here, but {}", composition_->not_in_effect(*candidate.binding->statement)));
    } else {
      add_note(error, sources_, Composition::origin(candidate),
               fmt::format("hidden by it: bound here, in layer '{}'", composition_->layer_name(candidate.layer)));
    }
    ++notes;
  }
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
  std::size_t notes = 0;
  for (const Candidate& candidate : composition_->candidates(key)) {
    if (&candidate == &winner || composition_->rank(candidate) != 0 || notes++ == kMostNotes) continue;
    add_note(error, sources_, Composition::origin(candidate),
             fmt::format("bound here, but {}", composition_->not_in_effect(*candidate.binding->statement)));
  }
  return error;
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
      if (form == Form::rebind && composition_->below(key, rank).winner == nullptr && !has_source_between(key, 0, rank)) {
        throw Error("bindings.rebind", fmt::format("nothing to rebind: {} has no binding of lower precedence", composition_->readable(key)))
            .at(sources_, Composition::origin(winner));
      }
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
  std::unordered_map<std::string_view, std::uint32_t> known;
  const std::uint32_t keys = composition_->key_count();
  for (std::uint32_t key = 0; key < keys && !problems_.is_full(); ++key) {
    const Effective effective = composition_->effective(key);
    if (effective.winner == nullptr || (effective.winner->flags & Candidate::kMultibind) == 0) continue;
    problems_.guard([&] {
      const auto id = id_of(*effective.winner);
      if (!id) return;
      const auto added = known.emplace(*id, key);
      if (added.second) return;
      const Candidate& first = *composition_->effective(added.first->second).winner;
      throw Error("bindings.multibind-id", fmt::format("the multibinds {} and {} have the same id '{}'", composition_->readable(added.first->second),
                                                       composition_->readable(key), *id))
          .at(sources_, effective.winner->binding->statement->origin)
          .note(sources_, first.binding->statement->origin, "the other one is here");
    });
  }
}

/// `Type[X]` must be a type that an extension registered. Rule: bindings 18.
void InjectorState::check_extensions() {
  const Registry* all = services_.extensions;
  const std::uint32_t documents = composition_->document_count();
  for (std::uint32_t d = 0; d < documents && !problems_.is_full(); ++d) {
    for (const Prepared::Needed& needed : composition_->document(d).prepared->needed) {
      const std::string& name = needed.type->texts[0];
      const bool known = all != nullptr && (all->combinator(name) != nullptr ||
                                            (!needed.is_combinator && (all->type(name) != nullptr || all->producer(name) != nullptr)));
      if (!known) problems_.add(Error("bindings.runtime-type", fmt::format("no runtime type {} is registered", name)).at(sources_, needed.origin));
    }
  }
}

}  // namespace strata::bindings
