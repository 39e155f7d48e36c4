// SPDX-License-Identifier: Apache-2.0
// Root keys that nothing uses, and those of classes that lack the parameter.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "analysis/consumers.hpp"
#include "rule.hpp"
#include "strata/near_names.hpp"
#include "text/outline.hpp"

namespace strata::analysis {
namespace {

/// Finds members that aliases elsewhere in their file repeat: without such a member the file cannot be read.
class Anchors {
 public:
  explicit Anchors(const Evidence& evidence) : evidence_(evidence) {}

  /// `statement`: a member of the root of its document.
  [[nodiscard]] bool repeats(const Statement& statement) {
    const FileRecord& file = *evidence_.ledger.stated().files()[statement.file];
    if (file.form.syntax != edit::Syntax::yaml || file.reading->text().find('&') == std::string_view::npos)
      return false;
    const auto [known, is_new] = outlines_.try_emplace({statement.file, statement.document});
    if (is_new) known->second = read(file, statement.document);
    const text::Outline& outline = known->second;
    if (outline.containers.empty()) return false;
    const std::size_t place = file.reading->offset(statement.place.origin());
    for (const text::MemberRange& member : outline.containers.front().members) {
      if (place < member.begin || place >= member.end()) continue;
      return std::ranges::any_of(outline.repetitions, [&member](const text::Repetition& one) {
        const bool is_inside = one.alias >= member.begin && one.alias < member.end();
        return one.begin >= member.begin && one.end <= member.end() && !is_inside;
      });
    }
    return false;
  }

 private:
  [[nodiscard]] text::Outline read(const FileRecord& file, std::uint32_t document) const {
    const edit::Reading& reading = *file.reading;
    const std::array path{reading.offset(reading.documents[document].root.origin())};
    return text::outline_yaml(*reading.sources, reading.source, edit::profile_of(file.form), evidence_.settings.limits,
                              document, path);
  }

  const Evidence& evidence_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, text::Outline> outlines_;  ///< By file and document.
};

class RootKeyRule final : public Rule {
 public:
  void conclude(const Evidence& evidence, Findings& findings) override {
    const Consumers& consumers = evidence.consumers;
    if (!evidence.question.traits().feeds_code || !consumers.has_manifests()) return;
    Anchors anchors(evidence);
    for (const Statement& one : evidence.ledger.stated().all()) {
      if (!evidence.ledger.stated().is_root(one) || !evidence.ledger.stated().is_looked_at(one) ||
          consumers.uses(evidence.ledger.stated().merged_name(one)))
        continue;
      if (!tell_parameter(evidence, findings, one)) tell_unused(evidence, findings, one, anchors);
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

  static void tell_unused(const Evidence& evidence, Findings& findings, const Statement& statement, Anchors& anchors) {
    const Consumers& consumers = evidence.consumers;
    const std::string_view key = evidence.ledger.stated().merged_name(statement);
    const Consumers::Module module = consumers.module_of_key(key);
    if (!findings.wants("unused-key") || module == Consumers::Module::absent || anchors.repeats(statement)) return;
    std::string message = fmt::format("nothing is known to use '{}'", Statements::name_of(statement));
    std::string hint = "remove it, or name it under consumers: in .strata-check.yaml";
    bool is_doubtful = false;
    const auto doubt = [&](std::size_t count, std::string_view one, std::string_view many) {
      if (count == 0) return;
      is_doubtful = true;
      message += count == 1 ? fmt::format(" ({})", one) : fmt::format(" ({} {})", count, many);
    };
    doubt(consumers.computed(), "1 lookup with a computed name was found", "lookups with computed names were found");
    if (module == Consumers::Module::none && consumers.absent_modules() > 0) {
      doubt(consumers.absent_modules(), "1 module that the site needs is not here",
            "modules that the site needs are not here");
      hint = "install the modules and check again, or name it under consumers: in .strata-check.yaml";
    }
    if (module == Consumers::Module::unlisted) {
      is_doubtful = true;
      const std::string_view name = key.substr(0, key.find(kColons));
      message += fmt::format(": the module '{}' is not here{}", name,
                             consumers.has_module_list() ? ", and the Puppetfile does not name it" : "");
    }
    Finding& out = findings.add("unused-key", evidence.ledger, statement, std::move(message), std::move(hint));
    if (is_doubtful) out.severity = Severity::note;
  }
};

}  // namespace

std::unique_ptr<Rule> make_key_rule() { return std::make_unique<RootKeyRule>(); }

}  // namespace strata::analysis
