// SPDX-License-Identifier: Apache-2.0
// Names in one file that are nearly names in several files.
//
// A mistyped word occurs in one file. A word that also occurs in other files is a word of its own, and the name with it
// is not mistyped. So the rule works in two steps: it finds the pairs of names that are nearly the same, which are few,
// and then searches all names and strings for the words in which these pairs differ. Cost: linear in the files. Tests:
// check_statements_test.py, and check_rules_test.py, which compares with a model.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "near.hpp"
#include "rule.hpp"

namespace strata::analysis {
namespace {

/// The statements of one name in a family.
struct Name {
  std::vector<std::uint32_t> statements = {};
  std::size_t files = 0;
  bool is_parameter = false;  ///< Of a class.

  [[nodiscard]] bool is_known() const noexcept { return files > 1 || is_parameter; }
};

/// Mappings whose members are called alike: those at one path, whatever the numbers of items in it.
using Family = std::map<std::string_view, Name>;

std::string_view schema_of(const text::Document& document) {
  const Value* schema = document.root.is_mapping() ? document.root.find("schema") : nullptr;
  return schema != nullptr && schema->is_text() ? schema->text() : std::string_view();
}

class TypoFinder {
 public:
  TypoFinder(const Evidence& evidence, Findings& findings)
      : ledger_(evidence.ledger),
        consumers_(evidence.consumers),
        traits_(evidence.question.traits()),
        findings_(findings) {}

  void run() {
    if (!traits_.has_free_names) return;
    collect();
    if (traits_.items == query::ItemKind::section_member)
      root_keys_ = path_in(kRootKeys, traits_.sections.front().name);
    if (traits_.feeds_code) add_parameters();
    for (const auto& [path, family] : families_) look_at(family, traits_.feeds_code && path == root_keys_);
    if (pairs_.empty()) return;
    find_words();
    tell_best();
  }

 private:
  static constexpr std::uint32_t kRootKeys = 1;  ///< The path of the first family.

  using Member = Family::const_pointer;  ///< A name with its statements.

  /// A name in one file, and one that could be meant.
  struct Pair {
    Member rare;
    Member common;
    std::size_t distance;
    std::string word;  ///< In which the first one differs, in lower case. Empty: in none.
  };

  [[nodiscard]] const Statement& statement(std::uint32_t number) const { return ledger_.stated().all()[number]; }

  void collect() {
    const auto& statements = ledger_.stated().all();
    std::vector<std::uint32_t> containers(statements.size());  // The path of what is in a statement.
    for (std::uint32_t i = 0; i < statements.size(); ++i) {
      const Statement& one = statements[i];
      const std::uint32_t path = one.parent == Statement::kNone ? root_path(one) : containers[one.parent];
      containers[i] = path_in(path, one.is_item ? "*" : ledger_.stated().merged_name(one));
      if (one.is_item || !ledger_.stated().is_within(one) || (traits_.has_documents && one.tokens.size() == 1))
        continue;
      Name& name = families_[path][ledger_.stated().merged_name(one)];
      name.files += name.statements.empty() || statement(name.statements.back()).file != one.file ? 1 : 0;
      name.statements.push_back(i);
    }
  }

  void add_parameters() {
    const auto roots = families_.find(root_keys_);
    if (roots == families_.end()) return;
    for (const auto& [name, known] : consumers_.classes()) {
      for (const std::string& parameter : known.parameters) {
        roots->second[*parameters_.insert(fmt::format("{}::{}", name, parameter)).first].is_parameter = true;
      }
    }
  }

  std::uint32_t root_path(const Statement& one) {
    if (!traits_.has_documents) return path_in(0, {});
    return path_in(0, schema_of(ledger_.stated().files()[one.file]->reading->documents[one.document]));
  }

  std::uint32_t path_in(std::uint32_t path, std::string_view token) {
    return paths_.try_emplace({path, std::string(token)}, static_cast<std::uint32_t>(paths_.size() + 1)).first->second;
  }

  void look_at(const Family& family, bool has_consumers) {
    std::vector<Family::const_iterator> common;
    NearIndex index;
    for (auto one = family.begin(); one != family.end(); ++one) {
      if (!one->second.is_known()) continue;
      index.add(one->first, static_cast<std::uint32_t>(common.size()));
      common.push_back(one);
    }
    if (common.empty()) return;
    for (const auto& member : family) {
      const auto& [name, rare] = member;
      if (rare.files != 1 || (has_consumers && consumers_.uses(name))) continue;
      for (const std::uint32_t number : index.find(name)) {
        const auto& candidate = *common[number];
        const auto near = nearness(name, candidate.first);
        if (!near || !is_rarer(rare, candidate.second) || stand_together(rare, candidate.second) ||
            !have_one_shape(rare, candidate.second))
          continue;
        pairs_.push_back(
            {.rare = &member, .common = &candidate, .distance = near->distance, .word = lowered(near->word)});
      }
    }
  }

  /// A mistyped name is rarer than the one that was meant, even where it was copied.
  static bool is_rarer(const Name& rare, const Name& common) {
    return common.is_parameter || rare.statements.size() < common.statements.size();
  }

  static std::string lowered(std::string_view word) {
    std::string out(word);
    std::ranges::transform(out, out.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return out;
  }

  /// Finds in which files the words of the pairs stand.
  void find_words() {
    for (const Pair& pair : pairs_) {
      if (!pair.word.empty()) words_.try_emplace(pair.word);
    }
    for (const Statement& one : ledger_.stated().all()) {
      if (!one.is_item) note_words(one.tokens.back(), one.file);
    }
    const auto& files = ledger_.stated().files();
    for (std::uint32_t file = 0; file < files.size(); ++file) {
      for (const LeafRecord& leaf : files[file]->leaves) {
        if (leaf.value.is_text()) note_words(leaf.value.text(), file);
      }
    }
    for (const std::string& parameter : parameters_) note_words(parameter, kCode);
  }

  void note_words(std::string_view text, std::uint32_t file) {
    for (const std::string_view word : words_of(text)) {
      const auto found = words_.find(lowered(word));
      if (found != words_.end()) found->second.insert(file);
    }
  }

  /// Whether a word also occurs in other files than that of the name.
  [[nodiscard]] bool is_word_of_others(const Pair& pair) const {
    const auto found = words_.find(pair.word);
    if (found == words_.end()) return false;
    const std::uint32_t own = statement(pair.rare->second.statements.front()).file;
    return std::ranges::any_of(found->second, [own](std::uint32_t file) { return file != own; });
  }

  /// The pairs of a name follow each other.
  void tell_best() {
    for (auto pair = pairs_.begin(); pair != pairs_.end();) {
      const Member rare = pair->rare;
      const Pair* best = nullptr;
      for (; pair != pairs_.end() && pair->rare == rare; ++pair) {
        if (is_word_of_others(*pair)) continue;
        // Of equals the first by bytes stays.
        const bool is_better =
            best == nullptr || pair->distance < best->distance ||
            (pair->distance == best->distance && pair->common->second.files > best->common->second.files);
        if (is_better) best = &*pair;
      }
      if (best != nullptr) tell(rare->second, best->common->first, best->common->second);
    }
  }

  /// Whether some mapping has both.
  [[nodiscard]] bool stand_together(const Name& rare, const Name& common) const {
    const auto mapping_of = [this](std::uint32_t number) {
      const Statement& one = statement(number);
      return std::tuple(one.file, one.document, one.parent);
    };
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> mappings;
    for (const std::uint32_t one : rare.statements) mappings.insert(mapping_of(one));
    return std::ranges::any_of(common.statements,
                               [&](std::uint32_t one) { return mappings.contains(mapping_of(one)); });
  }

  [[nodiscard]] bool have_one_shape(const Name& rare, const Name& common) const {
    constexpr unsigned kAnyShape = 7;
    const auto shapes = [this](const Name& name) {
      unsigned out = name.statements.empty() ? kAnyShape : 0;
      for (const std::uint32_t number : name.statements) {
        const Value& value = statement(number).value;
        out |= value.is_null() ? kAnyShape : value.is_sequence() ? 1U : value.is_container() ? 2U : 4U;
      }
      return out;
    };
    return (shapes(rare) & shapes(common)) != 0;
  }

  void tell(const Name& rare, std::string_view near, const Name& common) {
    const Statement& one = statement(rare.statements.front());
    const std::string name = Statements::name_of(one);
    constexpr std::string_view kHint = "rename it, or allow it";
    if (common.files < 2) {
      const std::string_view of_class = near.substr(0, near.rfind("::"));
      Finding& out = findings_.add("typo", ledger_, one,
                                   fmt::format("'{}' looks like '{}', a parameter of class '{}'", name, near, of_class),
                                   std::string(kHint));
      return Findings::note(out, consumers_.find_class(of_class)->where, "the class is here");
    }
    const auto first = std::ranges::min_element(common.statements, {}, [this](std::uint32_t number) {
      return std::tuple(std::string_view(ledger_.stated().files()[statement(number).file]->name), number);
    });
    Finding& out = findings_.add("typo", ledger_, one,
                                 fmt::format("'{}' looks like '{}', which {} files have", name, near, common.files),
                                 std::string(kHint));
    Findings::note(out, excerpt_of(ledger_, statement(*first)), "as here");
  }

  const Ledger& ledger_;
  const Consumers& consumers_;
  const query::Traits& traits_;
  Findings& findings_;
  std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> paths_;
  std::set<std::string> parameters_;
  std::uint32_t root_keys_ = kRootKeys;
  std::map<std::uint32_t, Family> families_;
  static constexpr std::uint32_t kCode = Statement::kNone;  ///< Instead of a file.
  std::vector<Pair> pairs_;
  TextMap<std::set<std::uint32_t>> words_;  ///< In which pairs differ: the files with them.
};

class TypoRule final : public Rule {
 public:
  void conclude(const Evidence& evidence, Findings& findings) override { TypoFinder(evidence, findings).run(); }
};

}  // namespace

std::unique_ptr<Rule> make_typo_rule() { return std::make_unique<TypoRule>(); }

}  // namespace strata::analysis
