// SPDX-License-Identifier: Apache-2.0
#include "bindings/injector/references.hpp"

#include <fmt/format.h>

namespace strata::bindings {

namespace {

constexpr std::size_t kMostNotes = 50;

}  // namespace

const Candidate* References::rebound(std::uint32_t key, const Candidate& rebind) {
  const Rank rank = composition_.rank(rebind);
  const Effective lower = composition_.below(key, rank);
  if (layers_.has_source_between(key, lower.winner == nullptr ? 0 : composition_.rank(*lower.winner), rank))
    return nullptr;
  if (lower.winner == nullptr) {
    throw Error("bindings.rebind",
                fmt::format("nothing to rebind: {} has no binding of lower precedence", composition_.readable(key)))
        .at(sources_, Composition::origin(rebind));
  }
  if (lower.is_tied) throw composition_.conflict(key, *lower.winner);
  if (lower.winner->binding->is_abstract) throw abstract_error(key, *lower.winner);
  return lower.winner;
}

const Candidate* References::behind_rebinds(std::uint32_t key, const Candidate& candidate) {
  const Candidate* at = &candidate;
  while (at != nullptr && at->binding->statement->form == Form::rebind) at = rebound(key, *at);
  return at;
}

std::uint32_t References::source_key(const Candidate& candidate) {
  const Prepared& prepared = *composition_.document(candidate.document).prepared;
  const Prepared::SourceKey& source = prepared.sources.at(candidate.binding->statement);
  return composition_.intern(prepared.type_texts[source.type_part], source.name);
}

std::optional<std::string_view> References::id_of(const Candidate& candidate) {
  const Statement& statement = *candidate.binding->statement;
  if (statement.form != Form::multibind) return std::nullopt;
  if (statement.id == nullptr)
    return candidate.binding->name.empty() ? std::nullopt : std::optional(candidate.binding->name);
  if (statement.id->node == puppet::Node::literal) return puppet::as<puppet::Literal>(*statement.id).value.text();
  const auto known = ids_.find(&statement);
  if (known != ids_.end()) return known->second;
  Value value;
  try {
    value = expressions_.resolve(*statement.id);
  } catch (const Error& error) {
    throw for_statement(sources_, error, statement);
  }
  if (!value.is_text())
    throw Error("bindings.name", "the id of a multibind must be a text").at(sources_, statement.id->origin);
  return ids_.emplace(&statement, value.text()).first->second;
}

Error References::abstract_error(std::uint32_t key, const Candidate& winner) const {
  Error error("bindings.abstract",
              fmt::format("{} must be bound: it is abstract in layer '{}' ({})", composition_.readable(key),
                          composition_.layer_name(winner.layer), composition_.told(winner).document));
  place_at(error, sources_, Composition::origin(winner));
  const Rank top = composition_.rank(winner);
  note_candidates(error, key, [this, top](const Candidate& candidate) {
    const Rank rank = composition_.rank(candidate);
    if (rank >= top || candidate.binding->is_abstract || rank == 0) return std::string();
    return fmt::format("hidden by it: bound here, in layer '{}'", composition_.layer_name(candidate.layer));
  });
  note_ineffective(error, key);
  return std::move(error).hint("bind it in a higher layer or a more specific category");
}

void References::note_ineffective(Error& error, std::uint32_t key) const {
  note_candidates(error, key, [this](const Candidate& candidate) { return why_ineffective(candidate); });
}

void References::note_without_value(Error& error, std::uint32_t key) const {
  note_candidates(error, key, [this](const Candidate& candidate) {
    const bool produced_nothing = composition_.rank(candidate) != 0 && (candidate.flags & Candidate::kOptional) != 0;
    return produced_nothing ? std::string("bound here, but optional produced nothing") : why_ineffective(candidate);
  });
}

/// Empty: it is in effect.
std::string References::why_ineffective(const Candidate& candidate) const {
  if (composition_.rank(candidate) != 0) return {};
  return fmt::format("bound here, but {}", composition_.not_in_effect(*candidate.binding->statement));
}

void References::note_candidates(Error& error, std::uint32_t key,
                                 const std::function<std::string(const Candidate&)>& describe) const {
  std::size_t told = 0;
  std::size_t more = 0;
  Origin next;
  for (const Candidate& candidate : composition_.candidates(key)) {
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

}  // namespace strata::bindings
