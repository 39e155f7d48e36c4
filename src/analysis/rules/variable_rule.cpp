// SPDX-License-Identifier: Apache-2.0
// Variables that no subject has.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "locator.hpp"
#include "strata/near_names.hpp"
#include "strata/path.hpp"

namespace strata::analysis {
namespace {

/// A variable of a text, as it is written there.
struct Variable {
  std::string name;
  bool is_known = false;
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

/// Whether every subject has a variable, or it is not known which ones have it.
bool is_given(std::string_view name) {
  if (name.starts_with("::")) name.remove_prefix(2);
  constexpr std::array<std::string_view, 3> kRoots{"trusted", "server_facts", "environment"};
  return std::ranges::find(kRoots, name.substr(0, name.find('.'))) != kRoots.end();
}

class VariableRule final : public Rule {
 public:
  void see(const Seen& seen) override {
    if (seen.is_new) by_class_[&seen.read] = texts_of(seen, *seen.subject.files());
    see_again(seen.subject, seen.read);
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

  /// Which texts it reads is known in part: it counts for all.
  void see_failed(Subject& subject, std::vector<Diagnostic>& /*failures*/) override {
    for (std::string& name : subject.files()->fact_names()) failed_have_.insert(std::move(name));
  }

  void conclude(const Evidence& evidence, Findings& findings) override {
    for (TextWithVariables& text : texts_) {
      for (Variable& one : text.variables) one.is_known = one.is_known || failed_have_.contains(root_of(one.name));
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
      const bool is_fact = facts.contains(root_of(name)) && name.find('.') == std::string::npos;
      std::string hint = is_fact ? "it becomes an empty text" : name_hint(names, name, "it becomes an empty text");
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
  static std::string root_of(std::string_view name) {
    if (name.starts_with("::")) name.remove_prefix(2);
    if (name.starts_with("facts.")) name.remove_prefix(name.find('.') + 1);
    return std::string(name.substr(0, name.find('.')));
  }

  std::vector<std::size_t> texts_of(const Seen& seen, SubjectFiles& files) {
    std::vector<std::size_t> out;
    for (NamingText& one : files.naming_texts()) {
      const auto [known, is_first] =
          of_configuration_.try_emplace({one.place.file.path, one.place.pointer}, texts_.size());
      if (is_first) texts_.push_back({.place = std::move(one.place), .variables = checked(one.variables)});
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
    const auto add = [&](std::uint32_t statement, std::string_view text) {
      if (text.find("%{") == std::string_view::npos || !ledger.stated().is_within(ledger.stated().all()[statement]))
        return;
      auto variables = checked(seen.question.names_in(text).variables);
      if (variables.empty()) return;
      out.push_back(texts_.size());
      texts_.push_back({.place = {}, .statement = statement, .variables = std::move(variables)});
    };
    for (const std::uint32_t number : ledger.stated().files()[file]->statements) {
      const Statement& one = ledger.stated().all()[number];
      if (!one.is_item) add(number, one.tokens.back());
    }
    for (const LeafRecord& leaf : ledger.stated().files()[file]->leaves) {
      if (leaf.value.is_text()) add(leaf.statement, leaf.value.text());
    }
    return out;
  }

  static std::vector<Variable> checked(const std::vector<std::string>& names) {
    std::vector<Variable> out;
    for (const std::string& name : names) {
      if (!is_given(name)) out.push_back({.name = name});
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
  std::set<std::string> failed_have_;  ///< Facts of subjects without a result.
  std::map<std::pair<std::string, std::string>, std::size_t> of_configuration_;  ///< By file and pointer.
  std::map<std::uint32_t, std::vector<std::size_t>> of_file_;
  std::map<const ReadingClass*, std::vector<std::size_t>> by_class_;  ///< Those with unknown variables.
};

}  // namespace

std::unique_ptr<Rule> make_variable_rule() { return std::make_unique<VariableRule>(); }

}  // namespace strata::analysis
