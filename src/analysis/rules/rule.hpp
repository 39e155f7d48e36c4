// SPDX-License-Identifier: Apache-2.0
// A rule of a check: what it looks at, and how it tells what it finds.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "analysis/consumers.hpp"
#include "analysis/ledger.hpp"
#include "strata/check.hpp"

namespace strata::analysis {

/// What is known when all subjects have been asked.
struct Evidence {
  const Question& question;
  const State& state;
  const CheckSettings& settings;
  const Ledger& ledger;
  const Consumers& consumers;
  Wording wording;
  std::size_t subjects = 0;
};

/// Collects findings.
class Findings {
 public:
  Findings(const CheckSettings& settings, CheckReport& report) : settings_(settings), report_(report) {}

  [[nodiscard]] bool wants(std::string_view code) const { return settings_.codes.contains(code); }
  /// Whether warnings of evaluations are findings.
  [[nodiscard]] bool wants_warnings() const { return settings_.reports_warnings; }
  /// `code`: one of finding_codes(). The result is valid until the next finding.
  Finding& add(std::string_view code, const Excerpt& where, std::string message, std::string hint);
  /// With a code that is not one of finding_codes().
  Finding& add_own(std::string_view code, Severity severity, const Excerpt& where, std::string message,
                   std::string hint);
  /// About a statement.
  Finding& add(std::string_view code, const Ledger& ledger, const Statement& statement, std::string message,
               std::string hint);
  /// An error or a warning of an evaluation.
  void add(const Diagnostic& told, Severity severity);
  /// Reports a check that was left out.
  void remark(const Diagnostic& told) { report_.remarks.push_back(told); }
  static void note(Finding& finding, const Excerpt& where, std::string_view about);

 private:
  const CheckSettings& settings_;
  CheckReport& report_;
};

/// A place, to find it again.
using Spot = std::tuple<std::string, std::size_t, std::size_t>;  ///< File, line, column.
[[nodiscard]] Spot spot_of(const Place& place);

/// The place of a statement.
[[nodiscard]] Excerpt excerpt_of(const Ledger& ledger, const Statement& statement);

/// A subject that was asked, and did not fail.
struct Seen {
  const Question& question;
  Subject& subject;
  const Outcome& outcome;
  const Ledger& ledger;
  const ReadingClass& read;
  bool is_new;  ///< The first one that reads these files.
  MisfitContext& misfits;
};

/// Looks for one or more codes, in one run.
class Rule {
 public:
  virtual ~Rule() = default;
  /// Called for each subject, in order, but for those whose answer is known to be that of another one.
  virtual void see(const Seen& /*seen*/) {}
  /// Called for each of these.
  virtual void see_again(Subject& /*subject*/, const ReadingClass& /*read*/) {}
  /// Called for each subject that failed. Those of `failures` that the rule tells itself, it takes out.
  virtual void see_failed(Subject& /*subject*/, std::vector<Diagnostic>& /*failures*/) {}
  /// After the last subject.
  virtual void conclude(const Evidence& evidence, Findings& findings) = 0;
};

/// Rules that look together.
struct RuleKind {
  std::vector<FindingCode> codes;
  std::unique_ptr<Rule> (*make)();
  bool reads_code = false;  ///< It needs Evidence::consumers.
};
/// All of them.
[[nodiscard]] const std::vector<RuleKind>& rule_kinds();

std::unique_ptr<Rule> make_dead_rule();
std::unique_ptr<Rule> make_shape_rule();
std::unique_ptr<Rule> make_scalar_rule();
std::unique_ptr<Rule> make_result_rule();
std::unique_ptr<Rule> make_typo_rule();
std::unique_ptr<Rule> make_use_rule();
std::unique_ptr<Rule> make_replacement_rule();
std::unique_ptr<Rule> make_variable_rule();
std::unique_ptr<Rule> make_option_rule();
std::unique_ptr<Rule> make_knockout_rule();
std::unique_ptr<Rule> make_key_rule();
std::unique_ptr<Rule> make_loss_rule();

}  // namespace strata::analysis
