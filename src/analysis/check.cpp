#include "strata/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analysis/dead.hpp"
#include "analysis/ledger.hpp"

namespace strata::analysis {
namespace {

/// One pass, and what follows from it.
class Checker {
 public:
  Checker(const Question& question, const State& state, const CheckSettings& settings)
      : question_(question), state_(state), settings_(settings), ledger_(state, question.results(), settings.folder, settings.limits) {}

  CheckReport run() {
    read();
    if (wants("unused-file") && question_.wording().is_fleet) find_unused_files();
    if (wants("dead-part") || wants("dead-override") || wants("never-visible")) find_dead_parts();
    if (wants("dead-override") || wants("never-visible") || wants("dead-item")) find_dead();
    for (const auto& file : ledger_.files()) report_.files.push_back({.path = file->path, .form = file->form});
    sort_findings(report_);
    return std::move(report_);
  }

 private:
  [[nodiscard]] bool wants(std::string_view code) const { return settings_.codes.contains(code); }

  void read() {
    const auto asked = question_.in(state_, Question::History::yes);
    std::set<std::tuple<std::string, std::string>> told;
    const auto fail = [&](const Diagnostic& failure) {
      const std::string place = failure.where.place.to_string();
      if (!told.emplace(failure.code, place.empty() ? failure.message : place).second) return;
      report_.findings.push_back({.what = failure, .severity = Severity::error});
    };
    while (const auto subject = asked->next()) {
      ++report_.subjects;
      const Subject::Answer answer = subject->ask(std::nullopt);
      if (answer.outcome.failure) fail(*answer.outcome.failure);
      for (const Item& item : answer.outcome.items) {
        if (item.failure) fail(*item.failure);
      }
      ledger_.add(*subject, answer, report_.subjects);
    }
  }

  void find_unused_files() {
    const Wording wording = question_.wording();
    for (const std::string& path : ledger_.unread()) {
      const std::string subjects =
          report_.subjects == 1 ? fmt::format("1 {}", wording.subject) : fmt::format("{} {}s", report_.subjects, wording.subject);
      add("unused-file", {.place = {.file = ledger_.shown(path), .part = {}, .line = {}, .column = {}, .via = {}}, .line = {}, .message = {}},
          fmt::format("no {} reads this file", wording.subject),
          fmt::format("no path leads here for the {}: remove it, or check that the fleet is whole", subjects));
    }
  }

  /// Parts of a cloud-config.
  void find_dead_parts() {
    if (question_.results() != Results::cloud_config) return;
    const auto dead = dead_files(question_, state_, ledger_, settings_.folder, settings_.limits, "#cloud-config\n{}\n");
    dead_parts_.insert(dead.begin(), dead.end());
    if (!wants("dead-part")) return;
    for (const std::uint32_t one : dead) {
      const FileRecord& file = *ledger_.files()[one];
      const Sources& sources = *file.reading->sources;
      const Origin begin = sources.at(file.reading->source, 0);
      add("dead-part", {.place = sources.place(begin), .line = sources.line_of(begin), .message = {}}, "this part changes nothing",
          "remove it, or give it a merge_how");
    }
  }

  void find_dead() {
    const Wording wording = question_.wording();
    for (const Removal& one : dead_statements(question_, state_, ledger_, settings_.folder, settings_.limits, wants("dead-item"))) {
      const Statement& statement = ledger_.statements()[one.statement];
      if (dead_parts_.contains(statement.file)) continue;
      const std::string name = Ledger::name_of(statement);
      const std::size_t readers = ledger_.files()[statement.file]->readers;
      const bool is_one = readers == 1;
      const auto by_readers = [&](std::string_view single, std::string_view several, std::string_view unnamed) {
        if (!wording.is_fleet) return std::string(unnamed);
        return is_one ? fmt::format("the {} that reads it {}", wording.subject, single)
                      : fmt::format("the {} {}s that read it {}", readers, wording.subject, several);
      };
      if (statement.is_item) {
        if (wants("dead-item")) {
          add("dead-item", statement, "this item changes nothing: the list has it without it", one.without, "the same item is here", "remove it");
        }
      } else if (statement.is_visible) {
        if (!wants("dead-override")) continue;
        add("dead-override", statement,
            fmt::format("'{}' changes nothing: {}", name,
                        by_readers("has the same values without it", "have the same values without it", "the result is the same without it")),
            one.without, "the same value is here", "remove it");
      } else if (wants("never-visible")) {
        add("never-visible", statement,
            fmt::format("'{}' is never seen: {}", name, by_readers("has a stronger value", "have stronger values", "there are stronger values")),
            one.with, "a stronger value is here", "remove it, or the stronger values");
      }
    }
  }

  void add(std::string_view code, const Statement& statement, std::string message, const Excerpt& note, std::string_view about, std::string hint) {
    const FileRecord& file = *ledger_.files()[statement.file];
    const Sources& sources = *file.reading->sources;
    const Origin origin = statement.place.origin();
    Finding& out = add(code, {.place = sources.place(origin), .line = sources.line_of(origin), .message = {}}, std::move(message), std::move(hint));
    if (!note.place.file.empty()) out.what.notes.push_back({.place = note.place, .line = note.line, .message = std::string(about)});
    out.pointer = statement.pointer();
    if (file.reading->documents.size() > 1) out.document = statement.document;
    out.is_fixable = true;
  }

  Finding& add(std::string_view code, const Excerpt& where, std::string message, std::string hint) {
    const auto& codes = finding_codes();
    Diagnostic what{.code = fmt::format("check.{}", code), .message = std::move(message), .where = where, .notes = {}, .hint = std::move(hint)};
    report_.findings.push_back({.what = std::move(what), .severity = std::ranges::find(codes, code, &FindingCode::name)->severity});
    return report_.findings.back();
  }

  const Question& question_;
  const State& state_;
  const CheckSettings& settings_;
  Ledger ledger_;
  CheckReport report_;
  std::set<std::uint32_t> dead_parts_;  ///< Files whose statements are not told.
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

const std::vector<FindingCode>& finding_codes() {
  static const std::vector<FindingCode> codes{
      {"bare-allow", Severity::warning, false, "a comment that allows findings without a reason"},
      {"dead-item", Severity::note, true, "an item of a joined list without which every result is the same"},
      {"dead-override", Severity::warning, true, "a value without which every result is the same"},
      {"dead-part", Severity::warning, true, "a part without which the result is the same"},
      {"idle-allow", Severity::note, false, "a comment that allows findings where there are none"},
      {"never-visible", Severity::warning, true, "a value that no result shows"},
      {"unused-file", Severity::warning, true, "a file of a data folder that no subject reads"},
  };
  return codes;
}

CheckReport check(const Question& question, const State& state, const CheckSettings& settings) { return Checker(question, state, settings).run(); }

}  // namespace strata::analysis
