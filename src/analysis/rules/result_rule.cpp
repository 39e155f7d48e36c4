// SPDX-License-Identifier: Apache-2.0
// Suspicious results: items that lists hold twice, members that mean nothing to their readers.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <vector>

#include "analysis/wording.hpp"
#include "locator.hpp"
#include "report/lines.hpp"
#include "strata/near_names.hpp"
#include "strata/path.hpp"

namespace strata::analysis {
namespace {

class ResultRule final : public Rule {
 public:
  void see(const Seen& seen) override {
    const Outcome& outcome = seen.outcome;
    if (outcome.sources == nullptr) return;
    const Results results = seen.question.results();
    const bool has_lists =
        results == Results::cloud_config || results == Results::environment || results == Results::documents;
    for (const Item& item : outcome.items) {
      if (item.failure || !item.value) continue;
      std::string path;
      if (has_lists) walk(*outcome.sources, item.name, item.value, path);
      if (results == Results::cloud_config && !seen.question.known_members().empty() && item.value.is_mapping())
        list_members(*outcome.sources, item.value);
      for (Misfit& one : seen.question.misfits(item.value)) {
        Excerpt where = excerpt_at(*outcome.sources, one.origin);
        if (where.place.file.empty()) continue;
        std::pair spot(spot_of(where.place), one.code);
        misfits_.try_emplace(std::move(spot), Unfit{.what = std::move(one), .where = std::move(where)});
      }
    }
  }

  void conclude(const Evidence& evidence, Findings& findings) override {
    if (findings.wants("doubled-item")) tell_doubled(evidence.ledger, findings);
    if (findings.wants("unknown-module")) tell_unknown(evidence, findings);
    tell_misfits(evidence.ledger, findings);
  }

 private:
  struct Doubled {
    std::string list;
    Excerpt first;
    Excerpt again;
  };
  struct Member {
    std::string name;
    Excerpt where;
  };
  struct Unfit {
    Misfit what;
    Excerpt where;
  };

  // Recursion: bounded by Limits::depth.
  void walk(const Sources& sources, const std::string& item, const Value& value, std::string& path) {
    const std::size_t size = path.size();
    const auto below = [&](std::string_view token, const Value& member) {
      append_token(path, token);
      walk(sources, item, member, path);
      path.resize(size);
    };
    if (value.is_sequence()) {
      look_for_doubled(sources, item, value, path);
      for (std::size_t i = 0; i < value.size(); ++i) below(std::to_string(i), value.items()[i]);
    } else if (value.is_mapping()) {
      for (const Entry& entry : value.entries()) below(key_text(entry.key), entry.value);
    }
  }

  /// A layer is one source. Equal items of one source were written into one list, mostly on purpose; those of two
  /// sources met in a merge.
  void look_for_doubled(const Sources& sources, const std::string& item, const Value& list, const std::string& path) {
    struct Known {
      const Value* value;
      std::set<SourceId> texts;
    };
    std::unordered_multimap<std::string, Known> known;
    for (const Value& one : list.items()) {
      const auto text = sources.source_of(one.origin());
      if (!text) continue;
      const std::string shown = report::one_line(one, true);
      const auto [begin, end] = known.equal_range(shown);
      const auto same =
          std::find_if(begin, end, [&one](const auto& other) { return identical(*other.second.value, one); });
      if (same == end) {
        known.emplace(shown, Known{.value = &one, .texts = {*text}});
        continue;
      }
      if (!same->second.texts.insert(*text).second) continue;
      const Excerpt first = excerpt_at(sources, same->second.value->origin());
      const Excerpt again = excerpt_at(sources, one.origin());
      if (first.place.file.empty() || again.place.file.empty() || spot_of(first.place) == spot_of(again.place))
        continue;
      doubled_.try_emplace(spot_of(again.place),
                           Doubled{.list = joined_name(item, path), .first = first, .again = again});
    }
  }

  void list_members(const Sources& sources, const Value& root) {
    for (const Entry& entry : root.entries()) {
      Excerpt where = excerpt_at(sources, entry.key.origin());
      const Spot spot = spot_of(where.place);
      members_.try_emplace(spot, Member{.name = key_text(entry.key), .where = std::move(where)});
    }
  }

  void tell_doubled(const Ledger& ledger, Findings& findings) const {
    if (doubled_.empty()) return;
    const StatementPlaces places(ledger);
    for (const auto& [spot, doubled] : doubled_) {
      std::string message = fmt::format("the list '{}' holds this item twice", doubled.list);
      const Statement* item = places.of_item(spot);
      Finding& out = item == nullptr ? findings.add("doubled-item", doubled.again, std::move(message), "remove one")
                                     : findings.add("doubled-item", ledger, *item, std::move(message), "remove one");
      Findings::note(out, doubled.first, "first here");
    }
  }

  void tell_misfits(const Ledger& ledger, Findings& findings) const {
    if (misfits_.empty()) return;
    const StatementPlaces places(ledger);
    for (const auto& [key, one] : misfits_) {
      if (!findings.wants(one.what.code)) continue;
      const Spot& spot = key.first;
      const Statement* statement = one.what.is_name ? places.of_member(spot) : places.of_leaf(spot);
      Finding& out = findings.add(one.what.code, one.where, one.what.message, one.what.hint);
      out.pointer = statement == nullptr ? one.what.pointer : statement->pointer();
    }
  }

  void tell_unknown(const Evidence& evidence, Findings& findings) const {
    const auto of_question = evidence.question.known_members();
    std::vector<std::string_view> known(of_question.begin(), of_question.end());
    known.insert(known.end(), evidence.settings.known_keys.begin(), evidence.settings.known_keys.end());
    std::ranges::sort(known);
    for (const auto& [spot, member] : members_) {
      if (std::ranges::binary_search(known, member.name)) continue;
      Finding& out = findings.add("unknown-module", member.where, fmt::format("cloud-init knows no '{}'", member.name),
                                  name_hint(known, member.name, "it has no effect"));
      append_token(out.pointer, member.name);
    }
  }

  std::map<Spot, Doubled> doubled_;                             ///< By the place of the second item.
  std::map<Spot, Member> members_;                              ///< By the place of the key.
  std::map<std::pair<Spot, std::string_view>, Unfit> misfits_;  ///< By place and code.
};

}  // namespace

std::unique_ptr<Rule> make_result_rule() { return std::make_unique<ResultRule>(); }

}  // namespace strata::analysis
