// SPDX-License-Identifier: Apache-2.0
// Entries of lookup_options for keys that no data has.

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "analysis/allow.hpp"
#include "rule.hpp"
#include "strata/near_names.hpp"
#include "text/regex/regex.hpp"

namespace strata::analysis {
namespace {

class OptionRule final : public Rule {
 public:
  void see(const Seen& seen) override {
    if (!seen.is_new || !seen.question.traits().merges_by_key()) return;
    // Also those of files that only their function can read.
    for (const Item& item : seen.outcome.items) keys_.insert(item.name);
  }

  void conclude(const Evidence& evidence, Findings& findings) override {
    const std::string_view options = evidence.question.traits().options_key;
    if (options.empty()) return;
    const Ledger& ledger = evidence.ledger;
    for (const Statement& one : ledger.stated().all()) {
      if (one.tokens.size() == 1 && !one.is_item && one.tokens.front() != options) keys_.insert(one.tokens.front());
    }
    if (!evidence.wording.is_fleet) add_unread(evidence);
    const std::vector<std::string_view> keys(keys_.begin(), keys_.end());
    for (const Statement& one : ledger.stated().all()) {
      if (one.tokens.size() != 2 || one.tokens.front() != options || one.is_item) continue;
      const std::string& name = one.tokens.back();
      if (name.starts_with('^')) {
        if (!matches(name)) {
          findings.add("idle-options", ledger, one, fmt::format("{} match '{}', and no data does", options, name),
                       "remove it");
        }
      } else if (!keys_.contains(name)) {
        findings.add("idle-options", ledger, one, fmt::format("{} name '{}', which no data has", options, name),
                     name_hint(keys, name, "remove it"));
      }
    }
  }

 private:
  /// One node reads only some of the files.
  void add_unread(const Evidence& evidence) {
    for (const std::string& path : evidence.ledger.unread()) {
      const auto text = evidence.ledger.stated().tree().read(path);
      if (!text) continue;
      try {
        edit::Form form = form_by_name(path);
        if (form.syntax == edit::Syntax::yaml) form.profile = evidence.question.traits().profile;
        const edit::Reading reading(path, *text, form, evidence.settings.limits);
        if (reading.documents.empty() || !reading.documents.front().root.is_mapping()) continue;
        for (const Entry& entry : reading.documents.front().root.entries()) keys_.insert(key_text(entry.key));
      } catch (const Error& error) {
        if (error.ends_request()) throw;
      }
    }
  }

  [[nodiscard]] bool matches(const std::string& pattern) const {
    try {
      const text::Regex regex(pattern);
      return std::ranges::any_of(keys_, [&regex](const std::string& key) { return regex.search(key); });
    } catch (const Error& error) {
      if (error.ends_request()) throw;
      return true;  // Lookups tell what is wrong with it.
    }
  }

  std::set<std::string, std::less<>> keys_;
};

}  // namespace

std::unique_ptr<Rule> make_option_rule() { return std::make_unique<OptionRule>(); }

}  // namespace strata::analysis
