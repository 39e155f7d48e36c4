// The question of a site about its whole fleet: the nodes of its files, and those whose facts clients have stored.
#pragma once

#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "strata/question.hpp"

namespace strata::service::sites {

/// Asks one question about the nodes of files, and then another one about stored nodes. Thread-safe, as a question is.
class FleetQuestion final : public analysis::Question {
 public:
  /// `own` must outlive the object. `names`: of the subjects of `stored`; `own` has others in the state in which both are asked. Where an edit of the
  /// files gives one of these names to a node of theirs, that node takes its place.
  FleetQuestion(const analysis::Question& own, std::unique_ptr<const analysis::Question> stored, std::set<std::string, std::less<>> names)
      : own_(own), stored_(std::move(stored)), names_(std::move(names)) {}

  [[nodiscard]] std::unique_ptr<analysis::Asked> in(const analysis::State& state, History history, Telling telling) const override;
  [[nodiscard]] analysis::Wording wording() const override { return own_.wording(); }
  [[nodiscard]] analysis::Results results() const override { return own_.results(); }
  [[nodiscard]] std::span<const std::string_view> known_members() const override { return own_.known_members(); }
  [[nodiscard]] Names names_in(std::string_view text) const override { return own_.names_in(text); }
  [[nodiscard]] bool lacks_fleet() const override { return own_.lacks_fleet(); }

 private:
  const analysis::Question& own_;
  std::unique_ptr<const analysis::Question> stored_;
  std::set<std::string, std::less<>> names_;
};

}  // namespace strata::service::sites
