// SPDX-License-Identifier: Apache-2.0
// The kinds of findings, and the rules that look for them.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "rule.hpp"
#include "strata/near_names.hpp"

namespace strata::analysis {

const std::vector<RuleKind>& rule_kinds() {
  using enum Severity;
  using enum FindingCode::Scope;
  static const std::vector<RuleKind> kinds{
      {{{"dead-item", note, true, "an item of a joined list without which every result is the same"},
        {"dead-override", warning, true, "a value without which every result is the same"},
        {"dead-part", warning, true, "a part without which the result is the same", listed},
        {"idle-knockout", warning, true, "a knockout that knocks nothing out", listed},
        {"never-visible", warning, true, "a value that no result shows"}},
       make_dead_rule,
       true},
      {{{"lost-items", warning, true, "items that a merge of lists loses", all}}, make_loss_rule},
      {{{"scalar-type", note, true, "a quoted number or boolean over a plain one, or the other way round", merged},
        {"type-clash", warning, true, "a key of another shape than in a weaker layer", merged}},
       make_shape_rule},
      {{{"surprising-scalar", note, false, "a plain scalar that reads as another type than it looks"}},
       make_scalar_rule},
      {{{"deprecated", warning, false, "something that cloud-init's schema calls deprecated or changed", listed},
        {"doubled-item", warning, true, "an item that a list of the result holds twice", plain_lists},
        {"schema", error, false, "an error against cloud-init's schema", listed},
        {"unknown-member", warning, false, "a name below a top-level key that cloud-init does not know", listed},
        {"unknown-module", warning, false, "a top-level key that cloud-init does not know", listed},
        {"wrong-type", warning, false, "a value of a type that cloud-init does not take", listed}},
       make_result_rule},
      {{{"typo", warning, false, "a name in one file that is nearly one in several files", free_names}},
       make_typo_rule,
       true},
      {{{"P001", error, false, "a secret whose storagePolicy is not 'encrypted'", listed},
        {"P004", error, false, "a second DataSchema of one name", listed},
        {"P006", error, false, "a file of a site of Pegleg that does not begin with '---'", listed},
        {"P008", error, false, "a document whose layer is not that of its folder in a site of Pegleg", listed},
        {"P009", error, false, "a secret outside of the folders 'secrets' of a site of Pegleg", listed},
        {"P010", error, false, "a folder of a site of Pegleg without a site-definition.yaml", listed},
        {"P011", error, false, "a site-definition.yaml that is not one", listed},
        {"childless-abstract", warning, true, "an abstract document that nothing builds on", listed},
        {"losing-binding", warning, true, "a binding that wins for no node", listed},
        {"missing-file", error, true, "a file that a registry or a template names, and that does not exist", listed},
        {"unbound-abstract", warning, true, "an abstract binding that nothing binds", listed},
        {"undeclared-parameter", warning, true, "a parameter default that no template declares", listed},
        {"unreachable-level", note, true, "a level of the hierarchy without a file", listed},
        {"unused-category", note, true, "a condition that no node fulfils", listed},
        {"unused-file", warning, true, "a file of a data folder that no subject reads", listed},
        {"unused-registry", note, true, "a resource type that no template uses", listed},
        {"unused-source", note, true, "a secret document that no substitution reads", listed}},
       make_use_rule},
      {{{"replacement-chain", error, false, "documents that replace each other in a way that rendering refuses",
         listed}},
       make_replacement_rule},
      {{{"legacy-fact", warning, false, "a fact that agents of release 8 no longer send", listed},
        {"unknown-variable", warning, true, "a variable that no node has", listed}},
       make_variable_rule},
      {{{"idle-options", warning, false, "an entry of lookup_options for no key", listed}}, make_option_rule},
      {{{"knockout-key", warning, false, "a key that begins with the knockout prefix", listed},
        {"visible-knockout", warning, true, "a knockout that is part of a result", listed}},
       make_knockout_rule},
      {{{"unknown-parameter", warning, false, "a key of a class that has no such parameter", listed},
        {"unused-key", warning, false, "a key that nothing is known to use", listed}},
       make_key_rule,
       true},
  };
  return kinds;
}

namespace {

/// What silencing finds.
constexpr std::array<FindingCode, 2> kOfComments{
    {{"bare-allow", Severity::warning, false, "a comment that allows findings without a reason",
      FindingCode::Scope::all},
     {"idle-allow", Severity::note, false, "a comment that allows findings where there are none",
      FindingCode::Scope::all}}};

}  // namespace

bool is_of(std::string_view code, const query::Traits& traits) {
  const FindingCode* known = find_code(code);
  switch (known == nullptr ? FindingCode::Scope::statements : known->scope) {
    case FindingCode::Scope::statements:
      return traits.has_statements;
    case FindingCode::Scope::merged:
      return traits.has_statements && traits.merges_members;
    case FindingCode::Scope::plain_lists:
      return traits.has_plain_lists;
    case FindingCode::Scope::free_names:
      return traits.has_free_names;
    case FindingCode::Scope::listed:
      return std::ranges::binary_search(traits.findings, code);
    case FindingCode::Scope::all:
      break;
  }
  return true;
}

const std::vector<FindingCode>& finding_codes() {
  static const std::vector<FindingCode> codes = [] {
    std::vector<FindingCode> out;
    out.insert(out.end(), kOfComments.begin(), kOfComments.end());
    for (const RuleKind& kind : rule_kinds()) out.insert(out.end(), kind.codes.begin(), kind.codes.end());
    std::ranges::sort(out, {}, &FindingCode::name);
    return out;
  }();
  return codes;
}

const FindingCode* find_code(std::string_view code) {
  const auto& codes = finding_codes();
  const auto found = std::ranges::lower_bound(codes, code_name(code), {}, &FindingCode::name);
  return found != codes.end() && found->name == code_name(code) ? &*found : nullptr;
}

std::string code_hint(std::string_view code, std::string otherwise) {
  std::vector<std::string_view> names;
  for (const FindingCode& one : finding_codes()) names.push_back(one.name);
  return name_hint(names, code_name(code), std::move(otherwise));
}

Finding& Findings::add(std::string_view code, const Excerpt& where, std::string message, std::string hint) {
  Diagnostic what{.code = fmt::format("{}{}", kCheckPrefix, code),
                  .message = std::move(message),
                  .where = where,
                  .notes = {},
                  .hint = std::move(hint)};
  report_.findings.push_back({.what = std::move(what), .severity = find_code(code)->severity});
  return report_.findings.back();
}

Finding& Findings::add_own(std::string_view code, Severity severity, const Excerpt& where, std::string message,
                           std::string hint) {
  report_.findings.push_back({.what = {.code = std::string(code),
                                       .message = std::move(message),
                                       .where = where,
                                       .notes = {},
                                       .hint = std::move(hint)},
                              .severity = severity});
  return report_.findings.back();
}

Finding& Findings::add(std::string_view code, const Ledger& ledger, const Statement& statement, std::string message,
                       std::string hint) {
  Finding& out = add(code, excerpt_of(ledger, statement), std::move(message), std::move(hint));
  out.pointer = statement.pointer();
  if (ledger.stated().files()[statement.file]->reading->documents.size() > 1) out.document = statement.document;
  return out;
}

void Findings::add(const Diagnostic& told, Severity severity) {
  report_.findings.push_back({.what = told, .severity = severity});
}

void Findings::note(Finding& finding, const Excerpt& where, std::string_view about) {
  if (!where.place.file.empty())
    finding.what.notes.push_back(
        {.place = where.place, .line = where.line, .message = std::string(about), .cut = where.cut});
}

Spot spot_of(const Place& place) { return {place.file, place.line.value_or(0), place.column.value_or(0)}; }

Excerpt excerpt_of(const Ledger& ledger, const Statement& statement) {
  return excerpt_at(*ledger.stated().files()[statement.file]->reading->sources, statement.place.origin());
}

}  // namespace strata::analysis
