// Why a key has its value. Rule: bindings 2 (`--explain`), 22.
#include <fmt/format.h>

#include <algorithm>

#include "bindings/injector/state.hpp"
#include "bindings/types/names.hpp"
#include "strata/strategy.hpp"

namespace strata::bindings {

namespace {

/// What is stronger replaces all of what is weaker.
const merge::Strategy& replace_all() {
  static const merge::Strategy strategy = [] {
    merge::Strategy out;
    merge::fill(out.root, merge::Action::take_new);
    merge::fill(out.member, merge::Action::take_new);
    merge::fill(out.item, merge::Action::take_new);
    return out;
  }();
  return strategy;
}

}  // namespace

const Told* InjectorState::told(merge::LayerId layer) const noexcept {
  const auto found = told_.find(layer);
  return found == told_.end() ? nullptr : &found->second;
}

Explanation InjectorState::explain(std::string_view type_name, std::string_view name) {
  const TypeRef type = type_name.empty() ? data_type() : read_type_text(type_name);
  const bool data = is_data(*type) && !name.empty();
  const std::string part = data ? std::string() : type_text(*type);
  std::uint32_t key = data ? data_key(name) : composition_->find(part, name);
  const auto is_bound = [this](std::uint32_t one) {
    return one != KeyTable::kNone && !renamed_.contains(one) && (!composition_->candidates(one).empty() || !composition_->key_sources().empty());
  };
  Explanation out;
  out.key = readable_key(part, name);
  // The producer runs first: optional ones give way then.
  merge::Traced value;
  try {
    value = type_name.empty() ? find_data(name) : find_typed(type, name);
  } catch (const Error& error) {
    out.problem = error.diagnostic();
  }
  if (data && (key == KeyTable::kNone || (composition_->effective(key).winner == nullptr && !(slots_[key].value.value)))) {
    const std::uint32_t before = key;
    key = data_key(name);
    if (key == KeyTable::kNone || !slots_[key].value.value) {
      const auto other = other_parameter_name(name);
      const std::uint32_t second = other ? data_key(*other) : KeyTable::kNone;
      if (second != KeyTable::kNone && (composition_->effective(second).winner != nullptr || slots_[second].value.value)) {
        key = second;
        out.key = composition_->readable(second);
      } else if (key == KeyTable::kNone) {
        key = before;
      }
    }
  }
  if (!is_bound(key)) {
    if (out.problem) throw Error(*out.problem);
    if (!value.value) not_bound(part, name);
    out.value = hand_out(value);
    return out;
  }
  explain_candidates(key, value, out);
  if (!out.winner && !value.value && !out.problem) {
    try {
      not_bound(part, name);
    } catch (const Error& error) {
      if (out.shadowed.empty()) throw;
      out.problem = error.diagnostic();
    }
  }
  return out;
}

/// The candidates of a key in rank order, and the value with what it replaced.
void InjectorState::explain_candidates(std::uint32_t key, const merge::Traced& value, Explanation& out) {
  const Effective effective = composition_->effective(key);
  const Candidate* winner = effective.winner;
  Rank top = winner == nullptr ? 0 : composition_->rank(*winner);
  FromSource source;
  if (!composition_->key_sources().empty()) source = ask_sources(key, top + 1);
  if (source.source != nullptr) {
    Told told;
    told.layer = composition_->layer_name(source.source->layer);
    told.document = source.source->source->title();
    told.category = "common";
    told.statement = "data";
    told.origin = source.value.value.origin();
    out.winner = told;
    top = composition_->rank_of_source(source.source->layer);
  } else if (winner != nullptr) {
    out.winner = composition_->told(*winner);
    out.winner->origin = Composition::origin(*winner);
    explain_winner(key, *winner, out);
  }
  std::vector<const Candidate*> others;
  for (const Candidate& candidate : composition_->candidates(key)) {
    if (&candidate != winner || source.source != nullptr) others.push_back(&candidate);
  }
  std::stable_sort(others.begin(), others.end(),
                   [this](const Candidate* left, const Candidate* right) { return composition_->rank(*left) > composition_->rank(*right); });
  const std::uint32_t top_layer = source.source != nullptr ? source.source->layer : winner != nullptr ? winner->layer : UINT32_MAX;
  std::vector<merge::Traced> below;
  for (const Candidate* candidate : others) {
    Told told = composition_->told(*candidate);
    told.origin = Composition::origin(*candidate);
    const Rank rank = composition_->rank(*candidate);
    if (rank == 0) {
      told.reason = composition_->not_in_effect(*candidate->binding->statement);
    } else if (rank > top) {
      told.reason = "optional produced nothing";
    } else {
      told.reason = candidate->layer == top_layer ? (rank == top ? "same precedence" : "lower precedence") : "lower layer";
    }
    if (history_ != nullptr && rank != 0 && rank < top && value.value && !candidate->binding->is_abstract) {
      try {
        const merge::Traced shadowed = hand_out(produce_candidate(key, *candidate));
        if (shadowed.value && shadowed.slot.node() == nullptr) {
          told.history = shadowed.slot.layer();
          const auto known = told_.find(told.history);
          if (known != told_.end()) known->second.reason = told.reason;
        }
        if (shadowed.value) below.push_back(shadowed);
      } catch (const Error&) {
        // What is shadowed need not have a value.
      }
    }
    out.shadowed.push_back(std::move(told));
  }
  out.value = hand_out(value);
  if (history_ == nullptr || below.empty()) return;
  // As the other dialects: from the weakest up.
  merge::Traced folded = below.back();
  for (std::size_t i = below.size() - 1; i-- > 0;) folded = merge::merge(folded, below[i], replace_all(), arena_, limits_, history_);
  out.value = merge::merge(folded, out.value, replace_all(), arena_, limits_, history_);
}

void InjectorState::explain_winner(std::uint32_t key, const Candidate& winner, Explanation& out) {
  const Statement& statement = *winner.binding->statement;
  if (statement.form == Form::alias || statement.form == Form::renamed) {
    out.winner->via = fmt::format("{} of {}", statement.form == Form::alias ? "alias" : "new name", composition_->readable(source_key(winner)));
  }
  const std::uint32_t member = winner.binding->member;
  if (member != Binding::kWhole && member >= Binding::kReady) out.winner->via = ready_[member - Binding::kReady].via;
  if (statement.form != Form::map) {
    for (const Option& option : statement.options) {
      std::string shown = "…";
      if (option.value->node == puppet::Node::lambda) {
        shown = "a lambda";
      } else if (option.name != "map") {
        try {
          shown = bindings::shown(evaluate(work_of(key, winner), *option.value));
        } catch (const Error&) {
          shown = "…";
        }
      }
      out.options.emplace_back(option.name, std::move(shown));
    }
  }
  if (statement.form != Form::multibind) return;
  const auto id = id_of(winner);
  if (!id) return;
  for (const Contributed& each : composition_->contributions(*id)) {
    Told told = composition_->told(*each.statement->statement, each.document, each.guard);
    if (!each.statement->name.empty()) told.name = std::string(each.statement->name);
    if (!composition_->in_effect(each.guard)) told.reason = composition_->not_in_effect(*each.statement->statement);
    out.contributions.push_back(std::move(told));
  }
}

}  // namespace strata::bindings
