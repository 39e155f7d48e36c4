// SPDX-License-Identifier: Apache-2.0
// Options that run a query twice over the same files, in place of two states of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "project_question.hpp"
#include "strata/limits.hpp"

namespace strata::cli {

/// `--compat`, `--environment`, `--node` and `--folder` of an analysis. Each is given twice: for the run before and
/// the run after. Several can be combined.
class QueryRuns {
 public:
  enum class Run : std::uint8_t { before, after };

  void add_to(Arguments& command);
  /// Whether one of them was given. UsageError if one was not given exactly twice.
  [[nodiscard]] bool is_given() const;
  /// The query of one run: `words` (`VERB …` or `@NAME …`) with the values of this run. Otherwise as
  /// `question_choice`. UsageError if the words give such an option themselves.
  [[nodiscard]] QuestionChoice choice(Run run, std::vector<std::string> words, const std::string& fleet,
                                      const Limits& limits, const std::vector<std::string>& allowed) const;
  /// The names of the two nodes to compare. No value: each node is compared with itself.
  [[nodiscard]] std::optional<std::pair<std::string, std::string>> nodes() const;

 private:
  std::vector<std::string> compats_;
  std::vector<std::string> environments_;
  std::vector<std::string> nodes_;
  std::vector<std::string> folders_;
};

}  // namespace strata::cli
