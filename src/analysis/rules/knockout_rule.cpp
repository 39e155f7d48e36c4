// SPDX-License-Identifier: Apache-2.0
// Knockouts that do not do what they look like.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "locator.hpp"
#include "strata/path.hpp"

namespace strata::analysis {
namespace {

class KnockoutRule final : public Rule {
 public:
  void see(const Seen& seen) override {
    const Outcome& outcome = seen.outcome;
    if (outcome.sources == nullptr) return;
    for (const Item& item : outcome.items) {
      const auto merging = seen.read.keys.find(item.name);
      if (merging == seen.read.keys.end() || !merging->second.knockout_prefix ||
          merging->second.parts != Merging::Parts::all)
        continue;
      if (item.value) look_for_visible(*outcome.sources, item.value, *merging->second.knockout_prefix);
    }
  }

  void conclude(const Evidence& evidence, Findings& findings) override {
    if (findings.wants("knockout-key")) tell_keys(evidence.ledger, findings);
    if (findings.wants("visible-knockout")) tell_visible(evidence.ledger, findings);
  }

 private:
  struct Visible {
    std::string text;
    Excerpt where;
  };

  // Recursion: bounded by Limits::depth.
  void look_for_visible(const Sources& sources, const Value& value, const std::string& prefix) {
    if (value.is_sequence()) {
      for (const Value& item : value.items()) look_for_visible(sources, item, prefix);
    } else if (value.is_mapping()) {
      for (const Entry& entry : value.entries()) look_for_visible(sources, entry.value, prefix);
    } else if (value.is_text() && !value.is_secret() && value.text().starts_with(prefix)) {
      Excerpt where = excerpt_at(sources, value.origin());
      const Spot spot = spot_of(where.place);
      visible_.try_emplace(spot, Visible{.text = std::string(value.text()), .where = std::move(where)});
    }
  }

  static void tell_keys(const Ledger& ledger, Findings& findings) {
    for (const Statement& one : ledger.stated().all()) {
      if (one.is_item || one.tokens.size() < 2) continue;
      const PartsOf* parts = ledger.stated().parts_of(one);
      if (parts == nullptr || parts->parts != Merging::Parts::all) continue;
      const std::string& key = one.tokens.back();
      if (std::ranges::none_of(parts->prefixes, [&key](const std::string& prefix) { return key.starts_with(prefix); }))
        continue;
      findings.add("knockout-key", ledger, one,
                   fmt::format("the key '{}' begins with the knockout prefix: keys are not knocked out", key),
                   "--explain=PATH shows the value");
    }
  }

  void tell_visible(const Ledger& ledger, Findings& findings) const {
    if (visible_.empty()) return;
    const StatementPlaces places(ledger);
    for (const auto& [spot, visible] : visible_) {
      Finding& out = findings.add(
          "visible-knockout", visible.where,
          fmt::format("'{}' was knocked against nothing and is part of the value", visible.text), "remove it");
      if (const Statement* statement = places.of_leaf(spot)) out.pointer = statement->pointer();
    }
  }

  std::map<Spot, Visible> visible_;
};

}  // namespace

std::unique_ptr<Rule> make_knockout_rule() { return std::make_unique<KnockoutRule>(); }

}  // namespace strata::analysis
