// SPDX-License-Identifier: Apache-2.0
// Variables that no target has, and facts that agents of release 8 no longer send.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "legacy_facts.hpp"
#include "locator.hpp"
#include "strata/near_names.hpp"
#include "strata/path.hpp"

namespace strata::analysis {
namespace {

/// A variable of a text, as it is written there.
struct Variable {
  std::string name;
  bool is_known = false;
  std::string near = {};  ///< The one that a target has instead, whose name differs by a letter.
};

/// A text that names variables.
struct TextWithVariables {
  FilePlace place = {};
  std::uint32_t statement = Statement::kNone;  ///< Instead of `place`.
  std::vector<Variable> variables = {};

  [[nodiscard]] const Variable* unknown() const {
    const auto found = std::ranges::find(variables, false, &Variable::is_known);
    return found == variables.end() ? nullptr : &*found;
  }
};

/// The fact whose value an expression takes: `osfamily` of `::osfamily` and `facts.osfamily`.
std::string fact_in(std::string_view name) {
  if (name.starts_with("::")) name.remove_prefix(2);
  if (name.starts_with("facts.")) name.remove_prefix(name.find('.') + 1);
  return std::string(name.substr(0, name.find('.')));
}

/// A text that names legacy facts.
struct TextWithLegacyFacts {
  FilePlace place = {};
  std::uint32_t statement = Statement::kNone;   ///< Instead of `place`.
  std::vector<LegacyFact> facts = {};           ///< In their order.
  std::optional<std::string> replacement = {};  ///< The text with structured facts; none where it is a key.
};

std::vector<LegacyFact> legacy_facts_of(const std::vector<std::string>& variables) {
  std::vector<LegacyFact> out;
  for (const std::string& variable : variables) {
    if (auto fact = legacy_fact_of(variable)) out.push_back(std::move(*fact));
  }
  return out;
}

/// For a hint: how to write the facts of a text.
std::string structured_forms(const std::vector<LegacyFact>& facts) {
  std::string out;
  std::set<std::string> known;
  for (const LegacyFact& fact : facts) {
    if (!known.insert(fact.name).second) continue;
    out += out.empty() ? "" : "; ";
    out += fact.path.empty()
               ? fmt::format("no structured fact has the value of '{}': use a fact of the site", fact.name)
               : fmt::format("write '%{{facts.{}}}' for '{}'", fact.path, fact.name);
  }
  return out;
}

/// Whether every subject has a variable, or it is not known which ones have it.
bool is_given(std::string_view name) {
  if (name.starts_with("::")) name.remove_prefix(2);
  constexpr std::array<std::string_view, 3> kRoots{"trusted", "server_facts", "environment"};
  return std::ranges::find(kRoots, name.substr(0, name.find('.'))) != kRoots.end();
}

/// Whether the first name of a path is known. From release 8 on another one is an error in data.
bool is_below_known(std::string_view name, const std::set<std::string>& facts) {
  if (name.starts_with("::")) name.remove_prefix(2);
  return name.starts_with("facts.") ||
         (name.find('.') != std::string_view::npos && facts.contains(std::string(name.substr(0, name.find('.')))));
}

class VariableRule final : public Rule {
 public:
  void see(const Seen& seen) override {
    if (!seen.is_new) return see_again(seen.subject, seen.read);
    const auto files = seen.subject.files();
    by_class_[&seen.read] = texts_of(seen, *files);
    see_again(seen.subject, seen.read);
    for (const std::size_t number : by_class_[&seen.read]) {
      for (Variable& one : texts_[number].variables) {
        if (!one.is_known && one.near.empty()) one.near = files->misspelt_variable(one.name);
      }
    }
  }

  void see_again(Subject& subject, const ReadingClass& read) override {
    auto& texts = by_class_[&read];
    if (texts.empty()) return;
    const auto files = subject.files();
    for (const std::size_t number : texts) {
      for (Variable& one : texts_[number].variables) one.is_known = one.is_known || files->has_variable(one.name);
    }
    std::erase_if(texts, [this](std::size_t number) { return texts_[number].unknown() == nullptr; });
  }

  /// Which texts it reads is known in part: it counts for all. A legacy fact may be why it failed.
  void see_failed(Subject& subject, std::vector<Diagnostic>& failures) override {
    const auto files = subject.files();
    for (std::string& name : files->fact_names()) failed_have_.insert(std::move(name));
    finds_legacy_facts_ = files->lacks_legacy_facts();
    if (!finds_legacy_facts_ || !failed_at_.insert(failures.front().where.place.to_string()).second) return;
    try {
      for (const NamingText& one : files->naming_texts()) note_legacy_facts(one);
    } catch (const Error& error) {
      if (!is_failure(error)) throw;
    }
  }

  void conclude(const Evidence& evidence, Findings& findings) override {
    report_legacy_facts(evidence, findings);
    for (TextWithVariables& text : texts_) {
      for (Variable& one : text.variables) one.is_known = one.is_known || failed_have_.contains(fact_in(one.name));
    }
    std::erase_if(texts_, [](const TextWithVariables& text) { return text.unknown() == nullptr; });
    if (texts_.empty()) return;
    const std::set<std::string> facts = fact_names(evidence);
    const std::vector<std::string_view> names(facts.begin(), facts.end());
    Locator locator(evidence);
    for (const TextWithVariables& text : texts_) {
      const std::string& name = text.unknown()->name;
      std::string message = fmt::format("no {} that reads this has the variable '{}'", evidence.wording.subject, name);
      // Others may have it.
      const bool is_fact = facts.contains(fact_in(name)) && name.find('.') == std::string::npos;
      const bool fails = finds_legacy_facts_ && text.statement != Statement::kNone && !is_below_known(name, facts);
      const std::string effect = fails ? "a lookup of the key fails" : "it becomes an empty text";
      const std::string& near = text.unknown()->near;
      std::string hint = is_fact        ? effect
                         : near.empty() ? name_hint(names, name, effect)
                                        : fmt::format("did you mean '{}'?", near);
      if (text.statement != Statement::kNone) {
        const Statement& statement = evidence.ledger.stated().all()[text.statement];
        findings.add("unknown-variable", evidence.ledger, statement, std::move(message), std::move(hint)).detail = name;
        continue;
      }
      Finding& out = findings.add("unknown-variable", locator.find(text.place), std::move(message), std::move(hint));
      out.pointer = text.place.pointer;
      out.detail = name;
    }
  }

 private:
  void report_legacy_facts(const Evidence& evidence, Findings& findings) {
    Locator locator(evidence);
    for (TextWithLegacyFacts& text : legacy_) {
      const std::string& name = text.facts.front().name;
      const std::string message = fmt::format("agents of release 8 do not send the legacy fact '{}'", name);
      const std::string hint = structured_forms(text.facts);
      const Statement* statement =
          text.statement == Statement::kNone ? nullptr : &evidence.ledger.stated().all()[text.statement];
      Finding& out = statement != nullptr ? findings.add("legacy-fact", evidence.ledger, *statement, message, hint)
                                          : findings.add("legacy-fact", locator.find(text.place), message, hint);
      out.detail = name;
      if (statement == nullptr) out.pointer = text.place.pointer;
      if (!text.replacement) continue;
      if (statement == nullptr) {
        out.removable = Removable{.file = text.place.file, .replacement = std::move(text.replacement)};
      } else {
        const FileRecord& file = *evidence.ledger.stated().files()[statement->file];
        out.removable = Removable{.file = {.path = file.path, .form = file.form},
                                  .readers = file.readers,
                                  .replacement = std::move(text.replacement)};
      }
    }
  }

  void note_legacy_facts(const NamingText& text) {
    if (legacy_places_.emplace(text.place.file.path, text.place.pointer).second)
      note_legacy_facts({.place = text.place, .facts = legacy_facts_of(text.variables)}, &text.text);
  }

  /// Remembers a text that names legacy facts. `text`: its string; null: a key, which a fix does not change.
  void note_legacy_facts(TextWithLegacyFacts found, const std::string* text) {
    if (found.facts.empty()) return;
    if (text != nullptr) {
      std::string fixed = with_structured_facts(*text);
      if (fixed != *text) found.replacement = std::move(fixed);
    }
    legacy_.push_back(std::move(found));
  }

  std::vector<std::size_t> texts_of(const Seen& seen, SubjectFiles& files) {
    std::vector<std::size_t> out;
    finds_legacy_facts_ = files.lacks_legacy_facts();
    for (NamingText& one : files.naming_texts()) {
      if (finds_legacy_facts_) note_legacy_facts(one);
      const auto [known, is_first] =
          of_configuration_.try_emplace({one.place.file.path, one.place.pointer}, texts_.size());
      if (is_first) {
        texts_.push_back({.place = std::move(one.place), .variables = checked(one.variables)});
      }
      out.push_back(known->second);
    }
    for (const std::uint32_t file : seen.read.files) {
      const auto [known, is_first] = of_file_.try_emplace(file);
      if (is_first) known->second = texts_in(seen, file);
      out.insert(out.end(), known->second.begin(), known->second.end());
    }
    return out;
  }

  std::vector<std::size_t> texts_in(const Seen& seen, std::uint32_t file) {
    const Ledger& ledger = seen.ledger;
    std::vector<std::size_t> out;
    const auto add = [&](std::uint32_t statement, const std::string& text, bool is_value) {
      if (!query::refers(seen.question.traits().reference_syntax, text) ||
          !ledger.stated().is_within(ledger.stated().all()[statement]))
        return;
      const std::vector<std::string> names = seen.question.traits().references_in(text).variables;
      if (finds_legacy_facts_)
        note_legacy_facts({.statement = statement, .facts = legacy_facts_of(names)}, is_value ? &text : nullptr);
      auto variables = checked(names);
      if (variables.empty()) return;
      out.push_back(texts_.size());
      texts_.push_back({.place = {}, .statement = statement, .variables = std::move(variables)});
    };
    for (const std::uint32_t number : ledger.stated().files()[file]->statements) {
      const Statement& one = ledger.stated().all()[number];
      if (!one.is_item) add(number, one.tokens.back(), false);
    }
    for (const LeafRecord& leaf : ledger.stated().files()[file]->leaves) {
      if (leaf.value.is_text()) add(leaf.statement, std::string(leaf.value.text()), true);
    }
    return out;
  }

  /// A legacy fact has its own finding.
  [[nodiscard]] std::vector<Variable> checked(const std::vector<std::string>& names) const {
    std::vector<Variable> out;
    for (const std::string& name : names) {
      if (!is_given(name) && !(finds_legacy_facts_ && legacy_fact_of(name))) out.push_back({.name = name});
    }
    return out;
  }

  static std::set<std::string> fact_names(const Evidence& evidence) {
    std::set<std::string> out;
    const auto asked = evidence.question.in(edited(evidence.state, {}, evidence.settings.folder));
    while (const auto subject = asked->next()) {
      for (std::string& name : subject->files()->fact_names()) out.insert(std::move(name));
    }
    return out;
  }

  std::vector<TextWithVariables> texts_;
  std::vector<TextWithLegacyFacts> legacy_;
  bool finds_legacy_facts_ = false;                              ///< The rules are those of a release without them.
  std::set<std::string> failed_have_;                            ///< Facts of targets without a result.
  std::set<std::string> failed_at_;                              ///< Places of their failures.
  std::set<std::pair<std::string, std::string>> legacy_places_;  ///< Of the configuration, by file and pointer.
  std::map<std::pair<std::string, std::string>, std::size_t> of_configuration_;  ///< By file and pointer.
  std::map<std::uint32_t, std::vector<std::size_t>> of_file_;
  std::map<const ReadingClass*, std::vector<std::size_t>> by_class_;  ///< Those with unknown variables.
};

}  // namespace

std::unique_ptr<Rule> make_variable_rule() { return std::make_unique<VariableRule>(); }

}  // namespace strata::analysis
