// SPDX-License-Identifier: Apache-2.0
#include "service/sites/askers.hpp"

#include <algorithm>

namespace strata::service::sites {
namespace {

std::unique_ptr<analysis::SubjectPool> pool_of(const analysis::Question& question, const analysis::State& state) {
  return std::make_unique<analysis::SubjectPool>(question, state,
                                                 analysis::SubjectPool::Settings{.only = std::string(kOnly)});
}

}  // namespace

Askers::Askers(const analysis::Question& question, analysis::State state)
    : question_(question),
      state_(std::move(state)),
      plain_(pool_of(question_, state_)),
      recording_(std::make_unique<analysis::SubjectPool>(*plain_, analysis::Question::History::yes)) {}

bool Askers::has(std::string_view name) const { return std::ranges::find(names(), name) != names().end(); }

bool Askers::with(std::string_view name, analysis::Question::History history, const Stop& stop, const Use& use) const {
  return (history == analysis::Question::History::yes ? recording_ : plain_)->with(name, &stop, use);
}

void Askers::each(analysis::Question::History history,
                  const std::function<bool(const std::string& name, analysis::Subject& subject)>& use) const {
  // Of its own: what a node leaves behind need not stay for the next request.
  const auto asked = question_.in(state_, history);
  while (const auto subject = asked->next()) {
    if (!use(subject->name().empty() ? std::string(kOnly) : subject->name(), *subject)) return;
  }
}

}  // namespace strata::service::sites
