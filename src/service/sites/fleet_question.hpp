// SPDX-License-Identifier: Apache-2.0
// The question of a site about its whole fleet: the nodes of its files, and those whose facts clients have stored.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <utility>

#include "strata/question_over.hpp"

namespace strata::service::sites {

/// Asks one question about the nodes of files, and then another one about stored nodes. Thread-safe, as a question is.
class FleetQuestion final : public analysis::QuestionOver {
 public:
  /// `own` must outlive the object. `names`: of the subjects of `stored`; `own` has others in the state in which both
  /// are asked. Where an edit of the files gives one of these names to a node of theirs, that node takes its place.
  FleetQuestion(const analysis::Question& own, std::unique_ptr<const analysis::Question> stored,
                std::set<std::string, std::less<>> names)
      : own_(own), stored_(std::move(stored)), names_(std::move(names)) {}

  [[nodiscard]] std::unique_ptr<analysis::Asked> in(const analysis::State& state, History history,
                                                    Telling telling) const override;

 private:
  [[nodiscard]] const analysis::Question& under() const noexcept override { return own_; }

  const analysis::Question& own_;
  std::unique_ptr<const analysis::Question> stored_;
  std::set<std::string, std::less<>> names_;
};

}  // namespace strata::service::sites
