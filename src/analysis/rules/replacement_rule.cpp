// SPDX-License-Identifier: Apache-2.0
// Documents that cannot replace each other as they are.

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "locator.hpp"
#include "strata/paths.hpp"

namespace strata::analysis {
namespace {

class ReplacementRule final : public Rule {
 public:
  void see_failed(Subject& subject, std::vector<Diagnostic>& failures) override {
    const auto first = std::stable_partition(failures.begin(), failures.end(),
                                             [](const Diagnostic& one) { return one.code != kRefused; });
    if (first == failures.end()) return;
    for (ConfigurationFile& file : subject.files()->read()) files_.push_back(std::move(file));
    for (auto refusal = first; refusal != failures.end(); ++refusal) {
      // A document can be refused for several reasons, by several subjects.
      if (told_.emplace(refusal->where.place.to_string(), refusal->message).second)
        refusals_.push_back(std::move(*refusal));
    }
    failures.erase(first, failures.end());
  }

  void conclude(const Evidence& evidence, Findings& findings) override {
    Locator locator(evidence);
    std::ranges::sort(files_, {}, &ConfigurationFile::path);
    for (Diagnostic& refusal : refusals_) {
      Finding& out =
          findings.add("replacement-chain", refusal.where, std::move(refusal.message), std::move(refusal.hint));
      out.what.notes = std::move(refusal.notes);
      const std::string path = absolute_path(evidence.settings.folder, refusal.where.place.file);
      const auto file = std::ranges::lower_bound(files_, path, {}, &ConfigurationFile::path);
      if (file != files_.end() && file->path == path)
        out.document = locator.document({.file = *file, .where = refusal.where});
    }
  }

 private:
  static constexpr std::string_view kRefused = "deckhand.replacement";

  std::vector<Diagnostic> refusals_;
  std::set<std::pair<std::string, std::string>> told_;  ///< Places and messages.
  std::vector<ConfigurationFile> files_;                ///< Of the subjects that were refused.
};

}  // namespace

std::unique_ptr<Rule> make_replacement_rule() { return std::make_unique<ReplacementRule>(); }

}  // namespace strata::analysis
