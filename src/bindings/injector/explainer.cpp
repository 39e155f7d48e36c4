// SPDX-License-Identifier: Apache-2.0
#include "bindings/injector/explainer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bindings/injector/computed_bindings.hpp"
#include "bindings/injector/lists.hpp"
#include "bindings/injector/lookup.hpp"
#include "bindings/injector/multibinds.hpp"
#include "bindings/injector/producers.hpp"
#include "bindings/types/names.hpp"
#include "strata/strategy.hpp"

namespace strata::bindings {

/// What is bound for a key: a candidate, or what a source has.
struct Explainer::Rival {
  Rank rank = 0;
  const Candidate* candidate = nullptr;
  const Composition::Source* source = nullptr;  ///< Where it is not a candidate.
  merge::Traced value{};                        ///< Of a source.
};

merge::Traced Explainer::hand_out(const merge::Traced& value) {
  return value.value ? merge::Traced{printed(arena_, value.value), value.slot} : value;
}

Explanation Explainer::explain(std::string_view type_name, std::string_view name, const Value& fallback) {
  const TypeRef type = type_name.empty() ? data_type() : expressions_.read_type_text(type_name);
  const bool data = is_data(*type) && !name.empty();
  const std::string part = data ? std::string() : type_text(*type);
  std::uint32_t key = data ? lookup_.data_key(name) : composition_.find(part, name);
  const auto is_bound = [this](std::uint32_t one) {
    return one != KeyTable::kNone && !lookup_.is_renamed(one) &&
           (!composition_.candidates(one).empty() || !composition_.key_sources().empty());
  };
  Explanation out;
  out.key = readable_key(part, name);
  // The producer runs first: optional ones give way then.
  merge::Traced value;
  try {
    value = type_name.empty() ? lookup_.find_data(name) : lookup_.find_typed(type, name);
  } catch (const Error& error) {
    if (error.ends_request()) throw;
    out.problem = error.diagnostic();
  }
  if (data && (key == KeyTable::kNone || (composition_.effective(key).winner == nullptr && !lookup_.value(key)))) {
    const std::uint32_t before = key;
    key = lookup_.data_key(name);
    if (key == KeyTable::kNone || !lookup_.value(key)) {
      const auto other = other_parameter_name(name);
      const std::uint32_t second = other ? lookup_.data_key(*other) : KeyTable::kNone;
      if (second != KeyTable::kNone && (composition_.effective(second).winner != nullptr || lookup_.value(second))) {
        key = second;
        out.key = composition_.readable(second);
      } else if (key == KeyTable::kNone) {
        key = before;
      }
    }
  }
  const bool is_list = data && StatementLists::is_special(name) &&
                       (key == KeyTable::kNone || composition_.effective(key).winner == nullptr);
  const bool is_known = is_list || is_bound(key);
  if (!is_known && out.problem) throw Error(*out.problem);
  if (is_list && !out.problem) {
    lists_.explain_list(name, out);
    out.value = hand_out(value);
  } else if (is_known) {
    explain_candidates(key, value, out);
  } else {
    out.value = hand_out(value);
  }
  if (!value.value && !out.problem && fallback) {
    StatementReport told;
    told.layer = "--default";
    told.statement = "default";
    told.origin = fallback.origin();
    out.winner = told;
    out.value = hand_out(provenance_.record(fallback, told));
  } else if (!value.value && !out.problem) {
    try {
      lookup_.not_bound(part, name);
    } catch (const Error& error) {
      if (out.shadowed.empty()) throw;
      out.problem = error.diagnostic();
    }
  }
  return out;
}

/// All that is bound for a key, strongest first: candidates, and what sources have.
std::vector<Explainer::Rival> Explainer::rivals(std::uint32_t key) {
  std::vector<Rival> out;
  for (const Candidate& candidate : composition_.candidates(key)) {
    out.push_back({.rank = composition_.rank(candidate), .candidate = &candidate});
  }
  const KeyText text = composition_.text(key);
  if (text.type.empty()) {
    for (const Composition::Source& source : composition_.key_sources()) {
      try {
        const merge::Traced value = layers_.ask(source, text.name);
        const Rank rank = composition_.rank_of_source(source.layer);
        if (value.value) out.push_back({.rank = rank, .candidate = nullptr, .source = &source, .value = value});
      } catch (const Error& error) {
        if (error.ends_request()) throw;
        // What is shadowed need not have a value; of what is not, the lookup told.
      }
    }
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const Rival& left, const Rival& right) { return left.rank > right.rank; });
  return out;
}

StatementReport Explainer::told_of(const Rival& rival) const {
  if (rival.candidate != nullptr) {
    StatementReport out = composition_.told(*rival.candidate);
    out.origin = Composition::origin(*rival.candidate);
    return out;
  }
  StatementReport out = layers_.told_of(*rival.source);
  out.origin = rival.value.value.origin();
  return out;
}

/// The value of what is shadowed, where it has one that can be shown.
merge::Traced Explainer::shadowed_value(std::uint32_t key, const Rival& rival, StatementReport& told) {
  const merge::LayerId before = provenance_.layers();
  merge::Traced value = rival.value;
  if (rival.candidate != nullptr && !rival.candidate->binding->is_abstract) {
    try {
      value = hand_out(producers_.produce_candidate(key, *rival.candidate));
    } catch (const Error& error) {
      if (error.ends_request()) throw;
      // What is shadowed need not have a value.
    }
  }
  if (!value.value) return {};
  if (rival.candidate == nullptr) {
    told.in_history = true;
    for (const merge::PathHistory& path : provenance_.recorder().history()->explain(value)) {
      for (const merge::Contribution& one : path.contributions) {
        if (StatementReport* own = provenance_.told(one.layer)) own->reason = told.reason;
      }
    }
  } else {
    told.in_history = true;
    // It records itself last, unless it was known.
    StatementReport* own = provenance_.layers() == before ? nullptr : provenance_.told(provenance_.layers() - 1);
    if (own != nullptr && own->origin == composition_.told(*rival.candidate).origin) own->reason = told.reason;
  }
  return value;
}

/// The candidates of a key in rank order, and the value with what it replaced.
void Explainer::explain_candidates(std::uint32_t key, const merge::Traced& value, Explanation& out) {
  const Candidate* effective = composition_.effective(key).winner;
  const std::vector<Rival> all = rivals(key);
  Rank top = effective == nullptr ? 0 : composition_.rank(*effective);
  const Rival* winner = nullptr;
  for (const Rival& rival : all) {
    const bool is_higher = rival.source != nullptr && rival.rank > top;
    if (is_higher || (rival.candidate != nullptr && rival.candidate == effective)) {
      winner = &rival;
      break;
    }
  }
  std::uint32_t top_layer = UINT32_MAX;
  if (winner != nullptr) {
    out.winner = told_of(*winner);
    top = winner->rank;
    top_layer = winner->source != nullptr ? winner->source->layer : winner->candidate->layer;
    if (winner->candidate != nullptr) explain_winner(key, *winner->candidate, out);
  }
  std::vector<merge::Traced> below;
  for (const Rival& rival : all) {
    if (&rival == winner) continue;
    StatementReport told = told_of(rival);
    const std::uint32_t layer = rival.source != nullptr ? rival.source->layer : rival.candidate->layer;
    if (rival.rank == 0) {
      told.reason = composition_.not_in_effect(*rival.candidate->binding->statement);
    } else if (rival.rank > top) {
      told.reason = "optional produced nothing";
    } else {
      told.reason = layer != top_layer ? "lower layer" : rival.rank == top ? "same precedence" : "lower precedence";
    }
    if (provenance_.is_kept() && rival.rank != 0 && rival.rank < top && value.value) {
      const merge::Traced shadowed = shadowed_value(key, rival, told);
      if (shadowed.value) below.push_back(shadowed);
    }
    out.shadowed.push_back(std::move(told));
  }
  out.value = hand_out(value);
  if (below.empty()) return;
  // As the other dialects: from the weakest up.
  merge::Traced folded = below.back();
  for (std::size_t i = below.size() - 1; i-- > 0;)
    folded = merge::merge(folded, below[i], merge::replace_all(), arena_, limits_, provenance_.recorder());
  out.value = merge::merge(folded, out.value, merge::replace_all(), arena_, limits_, provenance_.recorder());
}

void Explainer::explain_winner(std::uint32_t key, const Candidate& winner, Explanation& out) {
  const Statement& statement = *winner.binding->statement;
  if (statement.form == Form::alias || statement.form == Form::renamed) {
    out.winner->via = fmt::format("{} of {}", statement.form == Form::alias ? "alias" : "new name",
                                  composition_.readable(references_.source_key(winner)));
  }
  const std::uint32_t member = winner.binding->member;
  if (member != Binding::kWhole && member >= Binding::kReady) out.winner->via = computed_.ready(member).via;
  if (statement.form != Form::map) {
    for (const Option& option : statement.options) {
      std::string shown = "…";
      if (option.value->node == puppet::Node::lambda) {
        shown = "a lambda";
      } else if (option.name != "map") {
        try {
          shown = bindings::shown(expressions_.evaluate(production_of(composition_, key, winner), *option.value));
        } catch (const Error& error) {
          if (error.ends_request()) throw;
          shown = "…";
        }
      }
      out.options.emplace_back(option.name, std::move(shown));
    }
  }
  // Another name has the contributions of what it stands for.
  const Candidate* at = &winner;
  constexpr int kMostAliases = 200;
  for (int i = 0; i < kMostAliases && at != nullptr; ++i) {
    const Form form = at->binding->statement->form;
    if (form != Form::alias && form != Form::renamed) break;
    at = composition_.effective(references_.source_key(*at)).winner;
  }
  if (at == nullptr || at->binding->statement->form != Form::multibind) return;
  const auto id = references_.id_of(*at);
  if (!id) return;
  for (const Contributed& each : composition_.contributions(*id)) {
    StatementReport told = composition_.told(*each.statement->statement, each.document, each.guard);
    if (!each.statement->name.empty()) told.name = std::string(each.statement->name);
    if (!composition_.in_effect(each.guard)) told.reason = composition_.not_in_effect(*each.statement->statement);
    if (const Multibinds::Outcome* collected = multibinds_.outcome(each)) {
      told.reason = collected->reason;
      told.in_history = collected->history != merge::kNoLayer;
    }
    out.contributions.push_back(std::move(told));
  }
}

merge::Traced Explainer::with_shadowed(std::uint32_t key, const merge::Traced& value) {
  if (!provenance_.is_kept() || !value.value) return value;
  Explanation out;
  explain_candidates(key, value, out);
  return out.value;
}

}  // namespace strata::bindings
