// SPDX-License-Identifier: Apache-2.0
// What is written in the files for some subjects, and none of them makes use of.

#include <fmt/format.h>

#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "analysis/wording.hpp"
#include "locator.hpp"
#include "strata/near_names.hpp"

namespace strata::analysis {
namespace {

class UseRule final : public Rule {
 public:
  void see(const Seen& seen) override {
    const auto files = seen.subject.files();
    if (seen.is_new || files->has_own_uses()) add(*files);
  }

  void see_failed(Subject& subject, std::vector<Diagnostic>& /*failures*/) override {
    const auto files = subject.files();
    try {
      // Who has folders of data knows where it looks, whatever the data are.
      if (files->has_own_uses() || !files->folders().empty()) add(*files);
    } catch (const Error& error) {
      if (!is_failure(error)) throw;
    }
  }

  void conclude(const Evidence& evidence, Findings& findings) override {
    tell_unused_files(evidence, findings);
    Locator locator(evidence);
    for (const auto& [name, use] : uses_) {
      if (use.is_used || !findings.wants(use.code)) continue;
      Finding& out = findings.add(use.code, locator.find(use.place), use.message, hint(use));
      out.pointer = use.place.pointer;
      out.document = locator.document(use.place);
      if (use.is_note) out.severity = Severity::note;
      Findings::note(out, use.note, use.note.message);
    }
  }

 private:
  void tell_unused_files(const Evidence& evidence, Findings& findings) const {
    if (!evidence.wording.is_fleet || !findings.wants("unused-file")) return;
    // If a path of the hierarchy nearly names a file, the path is wrong, and not the file.
    std::set<std::string_view> near;
    for (const auto& [name, use] : uses_) {
      if (use.code == "unreachable-level" && !use.is_used) near.insert(use.note.place.file);
    }
    const std::string_view subject = evidence.wording.subject;
    for (const std::string& path : evidence.ledger.unread()) {
      const std::string shown = evidence.ledger.stated().shown(path);
      findings.add("unused-file", excerpt_of_file(shown), fmt::format("no {} reads this file", subject),
                   near.contains(shown)
                       ? std::string("a path of the hierarchy leads beside it: correct the path")
                       : fmt::format("no path leads here for the {}: remove it, or check that the fleet is whole",
                                     counted(evidence.subjects, subject)));
    }
  }

  using Name = std::tuple<std::string, std::string, std::size_t, std::string, std::size_t,
                          std::size_t>;  ///< Code, file and place.

  void add(SubjectFiles& files) {
    for (Use& use : files.uses()) {
      const Place where = use.place.where.value_or(Excerpt()).place;
      Name name(use.code, use.place.file.path, use.place.document, use.place.pointer, where.line.value_or(0),
                where.column.value_or(0));
      Use& known = uses_.try_emplace(std::move(name), use).first->second;
      known.is_used = known.is_used || use.is_used;
      if (known.note.place.file.empty() && !use.note.place.file.empty()) {
        known.note = use.note;
        known.hint = use.hint;
      }
      for (const Use::Name& one : use.names) names_.try_emplace(one.kind);
    }
    for (auto& [kind, known] : names_) {
      for (std::string& name : files.names(kind)) known.insert(std::move(name));
    }
  }

  [[nodiscard]] std::string hint(const Use& use) const {
    for (const Use::Name& one : use.names) {
      const auto& known = names_.at(one.kind);
      const std::vector<std::string_view> all(known.begin(), known.end());
      const std::string_view near = nearest_name(all, one.text);
      const bool is_known = near == one.text || (one.ignores_case && edit_distance(near, one.text) == 0);
      if (!near.empty() && !is_known) return name_hint(std::array{near}, one.text);
    }
    return use.hint;
  }

  std::map<Name, Use> uses_;
  std::map<std::string, std::set<std::string>> names_;  ///< By kind: of those that saw a use of it.
};

}  // namespace

std::unique_ptr<Rule> make_use_rule() { return std::make_unique<UseRule>(); }

}  // namespace strata::analysis
