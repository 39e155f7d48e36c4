// SPDX-License-Identifier: Apache-2.0
// Statements and parts that change nothing.

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "analysis/dead.hpp"
#include "analysis/wording.hpp"
#include "rule.hpp"
#include "strata/report.hpp"

namespace strata::analysis {
namespace {

class DeadRule final : public Rule {
 public:
  void conclude(const Evidence& evidence, Findings& findings) override {
    const bool wants_values = findings.wants("dead-override") || findings.wants("never-visible");
    const bool wants_items = findings.wants("dead-item") || findings.wants("idle-knockout");
    const CheckSettings& settings = evidence.settings;
    SearchBudget budget(evidence.ledger, settings.limits);
    if (wants_values || findings.wants("dead-part")) find_parts(evidence, findings, budget);
    if (wants_values || wants_items) find_statements(evidence, findings, wants_items, budget);
    if (const auto remark = budget.remark()) findings.remark(*remark);
  }

 private:
  void find_statements(const Evidence& evidence, Findings& findings, bool wants_items, SearchBudget& budget) {
    const CheckSettings& settings = evidence.settings;
    for (const Removal& one : dead_statements(evidence.question, evidence.state, evidence.ledger, settings.folder,
                                              settings.limits, wants_items, budget)) {
      const Statement& statement = evidence.ledger.stated().all()[one.statement];
      // What lookups with their own merge behaviour give was not looked at.
      if (evidence.consumers.merges_itself(statement.tokens.front())) continue;
      // Each of several equal items of one list is dead alone; without all of them the result would change.
      if (evidence.ledger.stated().repeats_in_list(statement)) continue;
      if (!dead_parts_.contains(statement.file)) tell(evidence, findings, one, statement);
    }
  }

  /// Files that the result can be made without.
  void find_parts(const Evidence& evidence, Findings& findings, SearchBudget& budget) {
    const query::Traits& traits = evidence.question.traits();
    if (traits.empty_file.empty()) return;
    const std::string_view setting = traits.settings.front();
    const CheckSettings& settings = evidence.settings;
    for (const std::uint32_t one : dead_files(evidence.question, evidence.state, evidence.ledger, settings.folder,
                                              settings.limits, std::string(traits.empty_file), budget)) {
      dead_parts_.insert(one);
      if (!findings.wants("dead-part")) continue;
      const FileRecord& file = *evidence.ledger.stated().files()[one];
      const Sources& sources = *file.reading->sources;
      findings.add("dead-part", excerpt_at(sources, sources.at(file.reading->source, 0)), "this part changes nothing",
                   may_name_mergers(evidence, one, budget)
                       ? fmt::format("remove it, or give it a {}", setting)
                       : fmt::format("remove it; a {} in it would change nothing: mergers act on the part that names "
                                     "them, not on later ones and not between layers",
                                     setting));
    }
  }

  /// Whether the part would change something if it named mergers: tried, because it depends on the parts before it.
  /// In doubt it would.
  static bool may_name_mergers(const Evidence& evidence, std::uint32_t part, SearchBudget& budget) {
    const CheckSettings& settings = evidence.settings;
    const FileRecord& file = *evidence.ledger.stated().files()[part];
    const std::string_view text = file.reading->text();
    const query::Traits& traits = evidence.question.traits();
    const auto is_in = [text](std::string_view setting) { return text.find(setting) != std::string_view::npos; };
    if (!traits.is_data_file(text) || std::ranges::any_of(traits.settings, is_in)) return false;
    return changes_with(evidence.question, evidence.state, evidence.ledger, settings.folder, settings.limits, part,
                        fmt::format("{}\n{}\n", text, traits.widest_merge), budget)
        .value_or(true);
  }

  static void tell(const Evidence& evidence, Findings& findings, const Removal& removal, const Statement& statement) {
    const Ledger& ledger = evidence.ledger;
    const auto add = [&](std::string_view code, std::string message, const Excerpt& note, std::string_view about,
                         std::string hint) {
      if (!findings.wants(code)) return;
      Finding& out = findings.add(code, ledger, statement, std::move(message), std::move(hint));
      Findings::note(out, note, about);
      const FileRecord& file = *ledger.stated().files()[statement.file];
      if (file.form.syntax == edit::Syntax::hocon) return;  // It can be read only.
      out.removable = Removable{.file = {.path = file.path, .form = file.form}, .readers = file.readers};
    };
    if (statement.is_item) {
      if (ledger.stated().is_knockout(statement)) {
        const std::string_view text =
            ledger.stated().is_secret(removal.statement) ? report::kMask : statement.value.text();
        add("idle-knockout", fmt::format("'{}' knocks nothing out", text), {}, {}, "remove it");
      } else {
        add("dead-item",
            removal.is_lost ? "this item changes nothing: the list does not have it"
                            : "this item changes nothing: the list has it without it",
            removal.without, "the same item is here", "remove it");
      }
      return;
    }
    const std::string name = Statements::name_of(statement);
    const std::string_view subject = evidence.wording.subject;
    const std::size_t readers = ledger.stated().files()[statement.file]->readers;
    const auto by_readers = [&](std::string_view single, std::string_view several, std::string_view unnamed) {
      if (!evidence.wording.is_fleet) return std::string(unnamed);
      return readers == 1 ? fmt::format("the {} that reads it {}", subject, single)
                          : fmt::format("the {} {}s that read it {}", readers, subject, several);
    };
    if (statement.is_visible) {
      add("dead-override",
          fmt::format("'{}' changes nothing: {}", name,
                      by_readers("has the same values without it", "have the same values without it",
                                 "the result is the same without it")),
          removal.without, "the same value is here", "remove it");
    } else if (!removal.has_value) {
      if (!evidence.question.traits().has_all_values) return;
      const bool is_key = evidence.question.traits().is_keyed && ledger.stated().is_root(statement);
      add("never-visible",
          is_key
              ? fmt::format("'{}' is never seen: no lookup reaches it", name)
              : fmt::format("'{}' is never seen: {}", name,
                            by_readers("has no value there", "have no value there", "the result has no value there")),
          {}, {}, statement.place.is_text() ? "remove it" : "remove it, or quote the key");
    } else if (!removal.is_beaten) {
      // A merge takes the same from a weaker file.
      add("never-visible",
          fmt::format("'{}' is never seen: {}", name,
                      by_readers("has the same values without it", "have the same values without it",
                                 "the result is the same without it")),
          removal.without, "the same value is here", "remove it");
    } else {
      add("never-visible",
          fmt::format("'{}' is never seen: {}", name,
                      by_readers("has a stronger value", "have stronger values", "there are stronger values")),
          removal.with, "a stronger value is here", "remove it, or the stronger values");
    }
  }

  std::set<std::uint32_t> dead_parts_;  ///< Files whose statements are not told.
};

}  // namespace

std::unique_ptr<Rule> make_dead_rule() { return std::make_unique<DeadRule>(); }

}  // namespace strata::analysis
