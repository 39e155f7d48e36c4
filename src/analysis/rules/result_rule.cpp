// SPDX-License-Identifier: Apache-2.0
// Suspicious results: items that lists hold twice, members that mean nothing to their readers.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
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
    const query::Traits& traits = seen.question.traits();
    for (const Item& item : outcome.items) {
      if (item.failure || !item.value) continue;
      std::string path;
      if (traits.has_plain_lists) walk(*outcome.sources, item.name, item.value, path);
      if (traits.unknown_members == query::UnknownMembers::reported && item.value.is_mapping())
        list_members(*outcome.sources, item.value);
    }
    if (outcome.misfits) take_misfits(*outcome.sources, outcome.misfits(seen.misfits));
  }

  void conclude(const Evidence& evidence, Findings& findings) override {
    if (findings.wants("doubled-item")) tell_doubled(evidence.ledger, findings);
    const std::set<Spot> told = tell_misfits(evidence, findings);
    if (findings.wants("unknown-module")) tell_unknown(evidence, findings, told);
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

  /// The same text at one place is one finding, in whatever document it was found first.
  void take_misfits(const Sources& sources, Misfits found) {
    has_schema_ = has_schema_ || found.has_schema;
    for (Misfit& one : found.all) {
      Excerpt where = excerpt_at(sources, one.origin);
      // Behind the path, which depends on the document.
      std::string text = one.message.substr(one.message.find(": ") + 1);
      std::tuple key(spot_of(where.place), one.code, std::move(text));
      misfits_.try_emplace(std::move(key), Unfit{.what = std::move(one), .where = std::move(where)});
    }
    const auto add = [](std::vector<Diagnostic>& to, std::vector<Diagnostic>& from) {
      for (Diagnostic& one : from) {
        const bool is_known =
            std::ranges::any_of(to, [&one](const Diagnostic& known) { return format(known, {}) == format(one, {}); });
        if (!is_known) to.push_back(std::move(one));
      }
    };
    add(failed_, found.failed);
    add(notes_, found.notes);
  }

  /// Returns the places of unknown members of the root that it reports.
  std::set<Spot> tell_misfits(const Evidence& evidence, Findings& findings) const {
    for (const Diagnostic& one : failed_) {
      if (findings.wants("schema")) findings.add(one, Severity::error);
    }
    for (const Diagnostic& one : notes_) {
      if (findings.wants("schema")) findings.remark(one);
    }
    std::set<Spot> out;
    if (misfits_.empty()) return out;
    const StatementPlaces places(evidence.ledger);
    const bool is_by_schema = has_schema_ && findings.wants("schema");
    for (const auto& [key, one] : misfits_) {
      const std::string_view code = one.what.code;
      const bool is_of_table = code == "unknown-member" || code == "wrong-type";
      const bool is_own = find_code(code) == nullptr;
      if ((is_of_table && is_by_schema) || !(is_own ? findings.wants_warnings() : findings.wants(code))) continue;
      if (!one.what.root_member.empty() &&
          std::ranges::find(evidence.settings.known_keys, one.what.root_member) != evidence.settings.known_keys.end())
        continue;
      const Spot& spot = std::get<Spot>(key);
      if (!one.what.root_member.empty()) out.insert(spot);
      const Statement* statement = one.what.is_name ? places.of_member(spot) : places.of_leaf(spot);
      Finding& told = is_own ? findings.add_own(code, Severity::error, one.where, one.what.message, one.what.hint)
                             : findings.add(code, one.where, one.what.message, one.what.hint);
      told.pointer = statement == nullptr ? one.what.pointer : statement->pointer();
    }
    return out;
  }

  void tell_unknown(const Evidence& evidence, Findings& findings, const std::set<Spot>& told) const {
    const query::Traits& traits = evidence.question.traits();
    std::vector<std::string_view> known(traits.known_members.begin(), traits.known_members.end());
    known.insert(known.end(), evidence.settings.known_keys.begin(), evidence.settings.known_keys.end());
    std::ranges::sort(known);
    for (const auto& [spot, member] : members_) {
      if (told.contains(spot) || std::ranges::binary_search(known, member.name)) continue;
      Finding& out =
          findings.add("unknown-module", member.where, fmt::format("{} knows no '{}'", traits.reader, member.name),
                       name_hint(known, member.name, "it has no effect"));
      append_token(out.pointer, member.name);
    }
  }

  std::map<Spot, Doubled> doubled_;                                           ///< By the place of the second item.
  std::map<Spot, Member> members_;                                            ///< By the place of the key.
  std::map<std::tuple<Spot, std::string_view, std::string>, Unfit> misfits_;  ///< By place, code and text.
  std::vector<Diagnostic> failed_;
  std::vector<Diagnostic> notes_;
  bool has_schema_ = false;
};

}  // namespace

std::unique_ptr<Rule> make_result_rule() { return std::make_unique<ResultRule>(); }

}  // namespace strata::analysis
