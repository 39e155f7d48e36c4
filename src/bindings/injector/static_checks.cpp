// SPDX-License-Identifier: Apache-2.0
#include "bindings/injector/static_checks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bindings/injector/fault.hpp"
#include "bindings/injector/lists.hpp"
#include "bindings/injector/lookup.hpp"
#include "bindings/types/names.hpp"
#include "value/seeded_hash.hpp"

namespace strata::bindings {

namespace {

constexpr std::size_t kMostAliases = 200;

}  // namespace

Error StaticChecks::override_error(std::uint32_t key, const Candidate& winner) {
  const KeyText text = composition_.text(key);
  std::string hint = "remove 'override', or bind it in a lower layer or category";
  const std::vector<std::string> near = lookup_.near_names(text.type, text.name);
  if (!near.empty()) hint = fmt::format("did you mean {}?", fmt::join(near, ", "));
  Error error = Error("bindings.override", fmt::format("{} overrides nothing", composition_.readable(key)))
                    .at(sources_, Composition::origin(winner))
                    .hint(std::move(hint));
  references_.note_ineffective(error, key);
  return error;
}

void StaticChecks::check_effective() {
  for (const std::uint32_t key : composition_.notable()) {
    if (problems_.is_full()) return;
    const Effective effective = composition_.effective(key);
    if (effective.winner == nullptr) continue;
    const Candidate& winner = *effective.winner;
    if (!effective.is_tied &&
        (winner.flags & (Candidate::kAbstract | Candidate::kOverride | Candidate::kOtherName)) == 0)
      continue;
    const Binding& binding = *winner.binding;
    const Form form = binding.statement->form;
    problems_.guard([&] {
      const Rank rank = composition_.rank(winner);
      if (layers_.has_source_between(key, rank, UINT64_MAX)) return;  // It is shadowed.
      if (effective.is_tied) throw composition_.conflict(key, winner);
      if (binding.is_override && form != Form::alias && form != Form::renamed &&
          composition_.below(key, rank).winner == nullptr && !layers_.has_source_between(key, 0, rank)) {
        throw override_error(key, winner);
      }
      if (binding.is_abstract) throw references_.abstract_error(key, winner);
      if (form == Form::rebind) static_cast<void>(references_.behind_rebinds(key, winner));
      if (form == Form::alias || form == Form::renamed) check_alias(key, winner);
    });
  }
  // A source that was renamed is gone, whether or not its new name is the effective one.
  for (const std::uint32_t key : composition_.notable()) {
    if (problems_.is_full() || !composition_.has_other_names()) break;
    for (const Candidate& candidate : composition_.candidates(key)) {
      if ((candidate.flags & Candidate::kOtherName) == 0 || candidate.binding->statement->form != Form::renamed ||
          composition_.rank(candidate) == 0)
        continue;
      problems_.guard([&] {
        const std::uint32_t source = references_.source_key(candidate);
        if (source != key) lookup_.rename(source, key);
        if (composition_.effective(key).winner != &candidate) check_alias(key, candidate);
      });
    }
  }
  if (!problems_.is_full()) check_multibind_ids();
}

/// The source is bound, and not by way of its own alias.
void StaticChecks::check_alias(std::uint32_t key, const Candidate& candidate) {
  const Candidate* at = &candidate;
  std::vector<std::uint32_t> chain{key};
  for (;;) {
    const std::uint32_t source = references_.source_key(*at);
    const bool seen = std::find(chain.begin(), chain.end(), source) != chain.end();
    chain.push_back(source);
    if (seen) {
      std::vector<std::string> names;
      names.reserve(chain.size());
      for (const std::uint32_t each : chain) names.push_back(composition_.readable(each));
      throw Error("bindings.loop", fmt::format("lookup loop: {}", fmt::join(names, " → ")))
          .at(sources_, Composition::origin(candidate));
    }
    const Effective effective = composition_.effective(source);
    const Rank rank = effective.winner == nullptr ? 0 : composition_.rank(*effective.winner);
    if (layers_.has_source_between(source, rank, UINT64_MAX)) return;
    if (effective.winner == nullptr || effective.winner->binding->is_abstract) {
      const KeyText text = composition_.text(source);
      if (effective.winner == nullptr && text.type.empty() && StatementLists::is_special(text.name)) return;
      Error error("bindings.not-bound",
                  fmt::format("{} cannot have another name: {}", composition_.readable(source),
                              effective.winner == nullptr ? "nothing is bound for it" : "it is abstract"));
      const std::vector<std::string> near = lookup_.near_names(text.type, text.name);
      if (!near.empty()) set_hint(error, fmt::format("did you mean {}?", fmt::join(near, ", ")));
      throw std::move(error).at(sources_, at->binding->statement->origin);
    }
    const Form form = effective.winner->binding->statement->form;
    if (form != Form::alias && form != Form::renamed) return;
    if (chain.size() > kMostAliases) {
      throw Error("limit.depth", fmt::format("more than {} aliases of aliases", kMostAliases))
          .at(sources_, Composition::origin(candidate));
    }
    at = effective.winner;
  }
}

void StaticChecks::check_multibind_ids() {
  TextViewMap<std::pair<std::uint32_t, const Candidate*>> known;
  for (const std::uint32_t key : composition_.notable()) {
    if (problems_.is_full()) return;
    const Effective effective = composition_.effective(key);
    if (effective.winner == nullptr || (effective.winner->flags & (Candidate::kMultibind | Candidate::kOtherName)) == 0)
      continue;
    const Candidate* multibind = nullptr;
    try {
      multibind = references_.behind_rebinds(key, *effective.winner);
    } catch (const Error& error) {
      if (error.ends_request()) throw;
      continue;  // It was told above.
    }
    if (multibind == nullptr) continue;
    problems_.guard([&] {
      const auto id = references_.id_of(*multibind);
      if (!id) return;
      const auto added = known.emplace(*id, std::make_pair(key, multibind));
      if (added.second) return;
      const auto& first = added.first->second;
      throw Error("bindings.multibind-id",
                  fmt::format("the multibinds {} and {} have the same id '{}'", composition_.readable(first.first),
                              composition_.readable(key), *id))
          .at(sources_, multibind->binding->statement->origin)
          .note(sources_, first.second->binding->statement->origin, "the other one is here");
    });
  }
}

/// `Type[X]` must be a type that an extension registered.
void StaticChecks::check_extensions() {
  const Registry* all = registry_;
  composition_.for_each_with_findings([&](const PlannedDocument& one) {
    if (problems_.is_full()) return;
    for (const Prepared::Needed& needed : one.prepared->needed) {
      const std::string& name = needed.name;
      using As = Prepared::Needed::As;
      const auto has = [&](As as) {
        if (all == nullptr) return false;
        if (as == As::producer) return all->producer(name) != nullptr;
        return as == As::combinator ? all->combinator(name) != nullptr : all->type(name) != nullptr;
      };
      const bool known = has(needed.as) || (needed.as == As::value && (has(As::producer) || has(As::combinator)));
      if (!known)
        problems_.add(Error("bindings.runtime-type", fmt::format("no runtime type {} is registered", name))
                          .at(sources_, needed.origin));
    }
  });
}

void StaticChecks::settle_optionals() {
  for (const std::uint32_t key : composition_.notable()) {
    if (problems_.is_full()) return;
    const Candidate* winner = composition_.effective(key).winner;
    if (winner == nullptr || (winner->flags & Candidate::kOptional) == 0) continue;
    try {
      static_cast<void>(lookup_.look_up(key));
    } catch (const Error& error) {
      if (error.ends_request()) throw;
      // What else goes wrong is told when the key is asked for.
      if (fault_of(error) == Fault::composition) problems_.add(error);
    }
  }
}

}  // namespace strata::bindings
