// SPDX-License-Identifier: Apache-2.0
// Root keys that nothing uses, and those of classes that lack the parameter.

#include <fmt/format.h>

#include "analysis/consumers.hpp"
#include "rule.hpp"
#include "strata/near_names.hpp"

namespace strata::analysis {
namespace {

class RootKeyRule final : public Rule {
 public:
  void conclude(const Evidence& evidence, Findings& findings) override {
    const Consumers& consumers = evidence.consumers;
    const Results results = evidence.question.results();
    if ((results != Results::keys && results != Results::inventory) || !consumers.has_manifests()) return;
    for (const Statement& one : evidence.ledger.stated().all()) {
      if (!evidence.ledger.stated().is_root(one) || !evidence.ledger.stated().is_looked_at(one) ||
          consumers.uses(evidence.ledger.stated().merged_name(one)))
        continue;
      if (!tell_parameter(evidence, findings, one)) tell_unused(evidence, findings, one);
    }
  }

 private:
  /// False: no manifest defines its class.
  static bool tell_parameter(const Evidence& evidence, Findings& findings, const Statement& statement) {
    const std::string key(evidence.ledger.stated().merged_name(statement));
    const std::size_t colons = key.rfind(kColons);
    const KnownClass* known =
        colons == std::string::npos ? nullptr : evidence.consumers.find_class(key.substr(0, colons));
    if (known == nullptr) return false;
    if (!findings.wants("unknown-parameter")) return true;
    const std::string name = key.substr(0, colons);
    const std::string parameter = key.substr(colons + kColons.size());
    const std::vector<std::string_view> parameters(known->parameters.begin(), known->parameters.end());
    const std::string_view near = nearest_name(parameters, parameter);
    Finding& out =
        findings.add("unknown-parameter", evidence.ledger, statement,
                     fmt::format("class '{}' has no parameter '{}'", name, parameter),
                     near.empty() ? std::string("remove it") : fmt::format("did you mean '{}::{}'?", name, near));
    Findings::note(out, known->where, "the class is here");
    return true;
  }

  static void tell_unused(const Evidence& evidence, Findings& findings, const Statement& statement) {
    if (!findings.wants("unused-key")) return;
    std::string message = fmt::format("nothing is known to use '{}'", Statements::name_of(statement));
    const std::size_t computed = evidence.consumers.computed();
    if (computed == 1) message += " (1 lookup with a computed name was found)";
    if (computed > 1) message += fmt::format(" ({} lookups with computed names were found)", computed);
    Finding& out = findings.add("unused-key", evidence.ledger, statement, std::move(message),
                                "remove it, or name it under consumers: in .strata-check.yaml");
    if (computed > 0) out.severity = Severity::note;
  }
};

}  // namespace

std::unique_ptr<Rule> make_key_rule() { return std::make_unique<RootKeyRule>(); }

}  // namespace strata::analysis
