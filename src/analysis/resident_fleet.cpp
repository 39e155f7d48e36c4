// SPDX-License-Identifier: Apache-2.0
#include "strata/resident_fleet.hpp"

#include <utility>

#include "roster.hpp"
#include "strata/error.hpp"
#include "strata/paths.hpp"

namespace strata::analysis {
namespace {

/// The same state with a log of its own.
State apart(const State& state) {
  return {.files = state.files, .inputs = std::make_shared<Inputs>(*state.inputs, Edits()), .stop = state.stop};
}

}  // namespace

Fleet::Fleet(const Question& question, const State& state, StudySettings settings)
    : question_(question),
      state_(apart(state)),
      settings_(std::move(settings)),
      roster_(std::make_unique<Roster>(question, apart(state))) {}
Fleet::~Fleet() = default;

ImpactReport Fleet::apply(const Edits& edits, GroupBy by, const Stop* stop, const CountCompared& count) {
  StudySettings settings = settings_;
  if (stop != nullptr) settings.how.stop = stop;
  settings.count = count;
  settings.edited = {.paths = {}, .no_others = true};
  for (const auto& [file, text] : edits) settings.edited.paths.insert(absolute_path(settings_.folder, file));
  const State before = apart(state_);
  const State after = edited(state_, edits, settings_.folder);
  const auto study = roster_->is_complete() && !roster_->inputs().may_differ(*after.inputs)
                         ? std::make_unique<Study>(question_, before, *roster_, after, std::move(settings))
                         : std::make_unique<Study>(question_, before, after, std::move(settings));
  ImpactReport out = study->impact(by);
  unread_ = study->unread();
  asked_ = study->asked();
  return out;
}

std::size_t Fleet::bytes() const {
  constexpr std::size_t kParsed = 4;  // Bytes of values for each byte of the facts' texts.
  std::size_t out = roster_->bytes();
  for (const std::string& file : roster_->inputs().reads().files) {
    try {
      if (const auto text = state_.inputs->find(file)) out += kParsed * text->size();
    } catch (
        const Error&) {  // A folder of facts, for instance, which was looked at first: it takes nothing, its files do.
    }
  }
  return out;
}

}  // namespace strata::analysis
