// SPDX-License-Identifier: Apache-2.0
// A question in one state, with and without histories, asked by several threads.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "strata/question.hpp"
#include "strata/subject_pool.hpp"

namespace strata::service::sites {

/// The name of the only subject of a question that has no fleet.
inline constexpr std::string_view kOnly = "default";

/// Thread-safe.
class Askers {
 public:
  /// `question` must outlive the object.
  Askers(const analysis::Question& question, analysis::State state);

  /// The names of the subjects, in the order of the fleet. Errors: as asking.
  [[nodiscard]] const std::vector<std::string>& names() const { return plain_->names(); }
  [[nodiscard]] bool has(std::string_view name) const;

  using Use = analysis::SubjectPool::Use;
  /// Lends the subject of a name until `stop` ends the work; it must not be kept. False: there is none. Errors: those
  /// that end a run.
  bool with(std::string_view name, analysis::Question::History history, const Stop& stop, const Use& use) const;
  /// Lends all subjects, one after the other, until `use` returns false. Errors: as above.
  void each(analysis::Question::History history,
            const std::function<bool(const std::string& name, analysis::Subject& subject)>& use) const;

 private:
  const analysis::Question& question_;
  analysis::State state_;
  std::unique_ptr<analysis::SubjectPool> plain_;
  std::unique_ptr<analysis::SubjectPool> recording_;
};

}  // namespace strata::service::sites
