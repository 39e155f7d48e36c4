// SPDX-License-Identifier: Apache-2.0
#include "strata/check.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "analysis/rules/rule.hpp"
#include "strata/links.hpp"
#include "strata/refusal.hpp"
#include "strata/remarks.hpp"
#include "strata/stop.hpp"

namespace strata::analysis {
namespace {

/// Asks all subjects, and lets the rules conclude.
class Checker {
 public:
  Checker(const Question& question, const State& state, const CheckSettings& settings)
      : question_(question),
        state_(state),
        settings_(settings),
        ledger_(state, question.traits(), settings.folder, settings.limits),
        consumers_(ledger_.stated().tree(), settings.folder, settings.limits),
        findings_(settings, report_) {
    report_.folder = settings.folder;
    report_.root = settings.root;
    for (const RuleKind& kind : rule_kinds()) {
      if (std::ranges::none_of(kind.codes, [this](const FindingCode& code) { return findings_.wants(code.name); }))
        continue;
      rules_.push_back(kind.make());
      reads_code_ = reads_code_ || kind.reads_code;
    }
  }

  CheckReport run() {
    read();
    if (reads_code_) find_consumers();
    const Evidence evidence{.question = question_,
                            .state = state_,
                            .settings = settings_,
                            .ledger = ledger_,
                            .consumers = consumers_,
                            .wording = question_.wording(),
                            .subjects = report_.subjects};
    for (const auto& rule : rules_) {
      check_stop(settings_.limits.stop);
      rule->conclude(evidence, findings_);
    }
    drop_covered_warnings();
    hide_secrets();
    for (const std::string& code : settings_.codes) {
      const bool reads_manifests = code == "unused-key" || code == "unknown-parameter";
      if (is_of(code, question_.traits()) && (!reads_manifests || consumers_.has_manifests()))
        report_.looked_for.insert(code);
    }
    for (const auto& file : ledger_.stated().files()) {
      report_.files.push_back({.path = file->path, .form = file->form});
    }
    sort_findings(report_);
    return std::move(report_);
  }

 private:
  void read() {
    const auto asked = question_.in(state_, Question::History::yes, Question::Telling::found);
    while (const auto subject = asked->next()) {
      check_stop(settings_.limits.stop);
      ++report_.subjects;
      const auto alike = subject->alike();
      if (const ReadingClass* known = ledger_.add_again(alike)) {
        settings_.reports_warnings ? warn(subject->warnings()) : asked->tell(subject->warnings());
        for (const auto& rule : rules_) rule->see_again(*subject, *known);
        continue;
      }
      ledger_.add_first(report_.subjects, alike);
      const Subject::Answer answer = subject->ask(std::nullopt);
      if (answer.outcome.failure) {
        std::vector<Diagnostic> failures{*answer.outcome.failure};
        failures.insert(failures.end(), answer.outcome.further.begin(), answer.outcome.further.end());
        ledger_.add_failed(*subject, answer, false);
        for (const auto& rule : rules_) rule->see_failed(*subject, failures);
        for (const Diagnostic& failure : failures) fail(failure);
        warn(answer.warnings);
        continue;
      }
      for (const Item& item : answer.outcome.items) {
        if (item.failure) fail(*item.failure);
      }
      warn(answer.warnings);
      const auto [read, is_new] = ledger_.add(*subject, answer, report_.subjects, alike);
      if (is_new && reads_code_) consumers_.read(subject->files()->code_folders());
      const Seen seen{.question = question_,
                      .subject = *subject,
                      .outcome = answer.outcome,
                      .ledger = ledger_,
                      .read = read,
                      .is_new = is_new,
                      .misfits = misfits_};
      for (const auto& rule : rules_) rule->see(seen);
    }
    warn(asked->warnings());
    ledger_.finish();
    ledger_.find_firsts(question_, report_.subjects);
  }

  void find_consumers() {
    consumers_.read(settings_.code);
    consumers_.read_dependencies(settings_.folder);
    consumers_.add_patterns(settings_.consumers);
    for (const auto& file : ledger_.stated().files()) {
      for (const LeafRecord& leaf : file->leaves) {
        if (leaf.value.is_text()) consumers_.add_named(question_.traits().references_in(leaf.value.text()).items);
      }
    }
  }

  /// Lines of the files are shown only where nothing in them is secret.
  void hide_secrets() {
    std::map<std::string_view, std::set<std::size_t>> lines;
    for (const auto& file : ledger_.stated().files()) {
      auto of_file = ledger_.stated().secret_lines(*file);
      if (of_file.empty()) continue;
      report_.secret_lines[detail::real_path(*state_.files, file->path)].insert(of_file.begin(), of_file.end());
      lines.emplace(file->name, std::move(of_file));
    }
    if (lines.empty()) return;
    const auto hide = [&lines](Excerpt& one) {
      const auto found = lines.find(one.place.file);
      if (found != lines.end() && one.place.line && found->second.contains(*one.place.line)) one.line.clear();
    };
    for (Finding& finding : report_.findings) {
      hide(finding.what.where);
      for (Excerpt& one : finding.what.notes) hide(one);
    }
  }

  void fail(const Diagnostic& failure) {
    const std::string place = failure.where.place.to_string();
    if (!failures_.emplace(failure.code, place.empty() ? failure.message : place).second) return;
    // With --strict, the first warning is the failure.
    warned_.insert(format(failure, {}));
    findings_.add(failure, Severity::error);
  }

  /// Each warning is a finding, once, however many targets have it: findings must not be better news than messages.
  void warn(const std::vector<Diagnostic>& warnings) {
    if (!settings_.reports_warnings) return;
    for (const Diagnostic& one : warnings) {
      if (one.code == kLeftOut) continue;  // The host reports once what all evaluations lack.
      if (warned_.insert(format(one, {})).second)
        findings_.add(one, remark_level(one).empty() ? Severity::warning : Severity::note);
    }
  }

  /// Removes the warnings about what a finding in the same line says with the whole fleet in view.
  void drop_covered_warnings() {
    using Cover = std::pair<std::string_view, std::string_view>;
    static constexpr std::array<Cover, 7> kCovers{
        Cover{"heat.unattached-file", "missing-file"},  Cover{"heat.unknown-name", "undeclared-parameter"},
        Cover{"hiera.path-variable", "legacy-fact"},    Cover{"hiera.path-variable", "unknown-variable"},
        Cover{"hiera.unknown-variable", "legacy-fact"}, Cover{"hiera.unknown-variable", "unknown-variable"},
        Cover{"merge.surprise", "knockout-key"}};
    std::set<std::tuple<std::string_view, std::string, std::size_t>> lines;
    for (const Finding& one : report_.findings) {
      const Place& place = one.what.where.place;
      if (one.what.code.starts_with(kCheckPrefix))
        lines.emplace(code_name(one.what.code), place.file, place.line.value_or(0));
    }
    std::erase_if(report_.findings, [&](const Finding& one) {
      const Place& place = one.what.where.place;
      return one.severity != Severity::error && std::ranges::any_of(kCovers, [&](const Cover& cover) {
               return cover.first == one.what.code &&
                      lines.contains({cover.second, place.file, place.line.value_or(0)});
             });
    });
  }

  const Question& question_;
  const State& state_;
  const CheckSettings& settings_;
  Ledger ledger_;
  Consumers consumers_;
  CheckReport report_;
  Findings findings_;
  std::vector<std::unique_ptr<Rule>> rules_;
  MisfitContext misfits_{.machine = settings_.machine.get()};
  bool reads_code_ = false;
  std::set<std::pair<std::string, std::string>> failures_;  ///< Codes and places.
  std::unordered_set<std::string> warned_;                  ///< Warnings and failures, formatted.
};

}  // namespace

std::string_view to_string(Severity severity) noexcept {
  switch (severity) {
    case Severity::error:
      return "error";
    case Severity::warning:
      return "warning";
    case Severity::note:
      return "note";
  }
  return "error";
}

CheckReport check(const Question& question, const State& state, const CheckSettings& settings) {
  return Checker(question, state, settings).run();
}

}  // namespace strata::analysis
