// SPDX-License-Identifier: Apache-2.0
// Finds which edits give a place its value in all selected targets, and which of these sets of edits are best.
//
// An edit writes or removes the place in one file. Each edit is tried alone; one that is enough is a proposal. Every
// other edit begins a chain. A chain grows by the edit with the best score (targets still without the value, then other
// changes) until it is enough, no edit helps, or it has kProposalEdits. Edits that turn out unnecessary are removed
// from the end. Trying every set would be exponential; this tries one set per beginning.
//
// Scores of edits are added, except where one target reads several edited files: `overlap` holds by how much the sum
// is wrong for that target, and `open` finds it by evaluating the target with each further edit. Chains grow side by
// side, because one edited state serves many of them. If every chain ends at the limit, `more_edits` counts what would
// be enough. Tested by tests/cli/set_test.py and tests/cli/set_properties_test.py.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "analysis/set/candidates.hpp"
#include "analysis/wording.hpp"
#include "strata/error.hpp"
#include "strata/unified_diff.hpp"

namespace strata::analysis {
namespace proposing {
namespace {

class ProposalSearch {
 public:
  ProposalSearch(const Question& question, const State& base, Wish wish, const ProposalSettings& settings)
      : question_(question),
        wish_(std::move(wish)),
        settings_(settings),
        goal_(wish_),
        subjects_(question, base, goal_, settings_) {}

  ProposalReport run() {
    ProposalReport out;
    out.wish = wish_;
    out.pointer = subjects_.pointer();
    out.total = subjects_.members().size();
    for (const FleetMember& member : subjects_.members()) {
      if (!member.is_selected) continue;
      out.selected.push_back(member.name);
      if (member.has) ++out.already;
    }
    // Nothing would be done, which is not what was asked for.
    if (out.selected.empty() && !settings_.selectors.empty()) throw nobody_selected(out.total);
    out.is_secret = subjects_.is_secret();
    if (out.has_nothing_to_do()) return out;
    subjects_.make();
    ask_singles();
    out.rejected = rejected();
    complete_all();
    if (enough_.empty() && is_limited_) out.more_edits = more_edits();
    out.is_secret = subjects_.is_secret();
    rank(out);
    return out;
  }

 private:
  [[nodiscard]] Error nobody_selected(std::size_t total) const {
    std::string wanted;
    for (const std::string& selector : settings_.selectors) wanted += (wanted.empty() ? "'" : ", '") + selector + "'";
    const std::string subject(question_.wording().subject);
    return Error("set.selector",
                 fmt::format("{} {} none of {}", wanted, settings_.selectors.size() == 1 ? "selects" : "select",
                             counted(total, subject)))
        .hint("correct the name, or the name or value of a fact: FACT=GLOB");
  }

  Score score_of(const Numbers& edits) {
    const std::set<std::size_t> readers = subjects_.readers_of(edits);
    std::set<Candidates::Request> requests;
    for (const std::size_t subject : readers)
      requests.emplace(subject, subjects_.read_by(subjects_.members()[subject], edits));
    subjects_.ask(requests);
    Score out = nothing_;
    for (const auto& [subject, own] : requests) out += subjects_.score(subject, own) - subjects_.score(subject, {});
    return out;
  }

  void ask_singles() {
    std::set<Candidates::Request> requests;
    for (Number edit = 0; edit < subjects_.edits().size(); ++edit) {
      for (const std::size_t subject : subjects_.file_of(edit).readers) requests.emplace(subject, Numbers{edit});
    }
    subjects_.ask(requests);
    for (std::size_t subject = 0; subject < subjects_.members().size(); ++subject)
      nothing_ += subjects_.score(subject, {});
    singles_.assign(subjects_.edits().size(), {});
    for (Number edit = 0; edit < subjects_.edits().size(); ++edit) {
      for (const std::size_t subject : subjects_.file_of(edit).readers)
        singles_[edit] += subjects_.score(subject, {edit}) - subjects_.score(subject, {});
    }
  }

  [[nodiscard]] Score single(Number edit) const {
    Score out = nothing_;
    return out += singles_[edit];
  }

  [[nodiscard]] std::vector<Rejected> rejected() const {
    std::vector<Rejected> out;
    for (const File& file : subjects_.files()) {
      const std::optional<Number> edit = wish_.value ? file.set : file.unset;
      if (!edit) {
        if (!file.failure.empty()) {
          out.push_back({.file = file.shown,
                         .missed = static_cast<std::size_t>(nothing_.missed),
                         .why = "edit: " + file.failure});
        }
        continue;
      }
      const Score score = single(*edit);
      if (score.missed == 0) continue;
      std::string why = "other selected subjects do not read it";
      for (const std::size_t subject : file.readers) {
        const Verdict found = subjects_.verdict(subject, {*edit});
        if (!subjects_.members()[subject].is_selected || found.has) continue;
        why = found.why;
        break;
      }
      out.push_back({.file = file.shown, .missed = static_cast<std::size_t>(score.missed), .why = std::move(why)});
    }
    std::ranges::sort(out, {}, &Rejected::file);
    return out;
  }

  /// Edits that are not enough yet.
  struct Chain {
    Numbers edits = {};  ///< As they were added.
    Score score = {};
    std::vector<Score> gains = {};             ///< What each further edit adds to that.
    std::map<std::size_t, Numbers> read = {};  ///< The subjects that read their files, and those edits, rising.
    std::set<std::size_t> fresh = {};          ///< Subjects whose overlaps are not in `gains` yet.
  };

  static constexpr std::int64_t kNever = INT64_MAX / 2;

  void complete_all() {
    // Equal gains: `set` first, then by file.
    order_.resize(subjects_.edits().size());
    for (Number edit = 0; edit < order_.size(); ++edit) order_[edit] = edit;
    std::ranges::sort(order_, {}, [this](Number edit) {
      return std::pair<bool, std::string_view>(!subjects_.edits()[edit].is_set, subjects_.file_of(edit).shown);
    });
    Numbers begins;
    for (Number edit = 0; edit < subjects_.edits().size(); ++edit) {
      if (single(edit).missed == 0) {
        enough_.insert({edit});
      } else if (!wish_.value || subjects_.edits()[edit].is_set) {
        begins.push_back(edit);
      }
    }
    // Chains grow side by side, since one state answers for many of them; so many that they fit into memory.
    constexpr std::size_t kMostNumbers = 4'000'000;
    const std::size_t most =
        std::clamp<std::size_t>(kMostNumbers / (subjects_.edits().size() + subjects_.members().size()), 16, 1024);
    for (std::size_t i = 0; i < begins.size(); i += most) {
      complete({begins.begin() + static_cast<std::ptrdiff_t>(i),
                begins.begin() + static_cast<std::ptrdiff_t>(std::min(i + most, begins.size()))});
    }
  }

  void complete(const Numbers& begins) {
    std::vector<Chain> chains;
    for (const Number edit : begins) {
      Chain chain{.score = nothing_, .gains = singles_};
      add(chain, edit);
      chains.push_back(std::move(chain));
    }
    for (std::size_t size = 1; size < kProposalEdits && !chains.empty(); ++size) {
      open(chains);
      std::vector<Chain> longer;
      for (Chain& chain : chains) {
        subjects_.check_stop();
        if (!extend(chain)) continue;
        if (chain.score.missed == 0) {
          enough_.insert(reduced(std::move(chain)));
        } else {
          longer.push_back(std::move(chain));
        }
      }
      chains = std::move(longer);
    }
    if (chains.empty() || is_limited_) return;
    open(chains);
    is_limited_ = std::ranges::any_of(chains, [this](const Chain& chain) { return best_of(chain).has_value(); });
  }

  /// The edits that would be enough without the limit: the value in one level that the whole selection reads, and the
  /// removal of the stronger values of the levels above it.
  MoreEdits more_edits() {
    constexpr std::size_t kMostTried = 8;
    struct Way {
      Numbers edits;
      const File* file = nullptr;
    };
    std::vector<Way> ways;
    const auto removals_above = [this](std::size_t level) {
      Numbers out;
      for (const File& file : subjects_.files()) {
        if (file.unset && file.level < level) out.push_back(*file.unset);
      }
      return out;
    };
    if (!wish_.value) ways.push_back({.edits = removals_above(SIZE_MAX)});
    for (const File& file : subjects_.files()) {
      if (!file.set || !is_read_by_all_selected(file)) continue;
      ways.push_back({.edits = removals_above(file.level), .file = &file});
      ways.back().edits.push_back(*file.set);
    }
    std::ranges::stable_sort(ways, {}, [](const Way& way) { return way.edits.size(); });
    if (ways.size() > kMostTried) ways.resize(kMostTried);
    for (Way& way : ways) {
      subjects_.check_stop();
      std::ranges::sort(way.edits);
      if (score_of(way.edits).missed == 0)
        return {.file = way.file == nullptr ? std::string() : way.file->shown, .edits = way.edits.size()};
    }
    return {};
  }

  [[nodiscard]] bool is_read_by_all_selected(const File& file) const {
    for (std::size_t subject = 0; subject < subjects_.members().size(); ++subject) {
      if (subjects_.members()[subject].is_selected && !std::ranges::binary_search(file.readers, subject)) return false;
    }
    return true;
  }

  void add(Chain& chain, Number edit) const {
    chain.score += chain.gains[edit];
    chain.edits.push_back(edit);
    const File& file = subjects_.file_of(edit);
    for (const std::size_t subject : file.readers) {
      Numbers& own = chain.read[subject];
      if (!own.empty()) {
        for (const auto& [other, score] : subjects_.members()[subject].readings.at(own).overlap)
          chain.gains[other] += Score{} - score;
      }
      own.insert(std::ranges::upper_bound(own, edit), edit);
      chain.fresh.insert(subject);
    }
    for (const Number other : file.candidates()) chain.gains[other] = {.collateral = kNever};
  }

  /// Finds out what one more edit does to the subjects of chains.
  void open(std::vector<Chain>& chains) {
    std::set<Candidates::Request> closed;
    std::set<Candidates::Request> requests;
    for (const Chain& chain : chains) {
      for (const std::size_t subject : chain.fresh) {
        const Numbers& own = chain.read.at(subject);
        if (!subjects_.members()[subject].readings[own].is_open) closed.emplace(subject, own);
      }
    }
    for (const auto& [subject, own] : closed) {
      requests.emplace(subject, own);
      for (const Number edit : more_for(subject, own)) requests.emplace(subject, with(own, edit));
    }
    subjects_.ask(requests);
    for (const auto& [subject, own] : closed) {
      Reading& reading = subjects_.members()[subject].readings.at(own);
      reading.is_open = true;
      for (const Number edit : more_for(subject, own)) {
        const Score alone = subjects_.score(subject, {edit}) - subjects_.score(subject, {});
        const Score here = subjects_.score(subject, with(own, edit)) - subjects_.score(subject, own);
        if (here != alone) reading.overlap.emplace_back(edit, here - alone);
      }
    }
    for (Chain& chain : chains) {
      for (const std::size_t subject : chain.fresh) {
        for (const auto& [edit, score] : subjects_.members()[subject].readings.at(chain.read.at(subject)).overlap)
          chain.gains[edit] += score;
      }
      chain.fresh.clear();
    }
  }

  static Numbers with(Numbers edits, Number edit) {
    edits.insert(std::ranges::upper_bound(edits, edit), edit);
    return edits;
  }

  /// The edits of other files that a subject reads.
  [[nodiscard]] Numbers more_for(std::size_t subject, const Numbers& own) const {
    Numbers out;
    for (const std::size_t file : subjects_.members()[subject].files) {
      if (std::ranges::any_of(own, [&](Number edit) { return subjects_.edits()[edit].file == file; })) continue;
      for (const Number edit : subjects_.files()[file].candidates()) out.push_back(edit);
    }
    return out;
  }

  /// The best further edit. No value: none helps.
  [[nodiscard]] std::optional<Number> best_of(const Chain& chain) const {
    const auto best =
        std::ranges::min_element(order_, {}, [&chain](Number edit) -> const Score& { return chain.gains[edit]; });
    if (best == order_.end() || chain.gains[*best].collateral >= kNever / 2 || chain.gains[*best].missed >= 0)
      return std::nullopt;
    return *best;
  }

  /// Adds the best edit. False: none helps.
  bool extend(Chain& chain) const {
    const std::optional<Number> best = best_of(chain);
    if (best) add(chain, *best);
    return best.has_value();
  }

  /// Without the edits that are not needed, the last ones first.
  Numbers reduced(Chain chain) {
    for (std::size_t i = chain.edits.size(); i-- > 0 && chain.edits.size() > 1;) {
      const Number edit = chain.edits[i];
      std::map<std::size_t, Numbers> fewer;
      std::set<Candidates::Request> requests;
      for (const std::size_t subject : subjects_.file_of(edit).readers) {
        Numbers own = chain.read.at(subject);
        std::erase(own, edit);
        if (!subjects_.is_known(subject, own)) requests.emplace(subject, own);
        fewer.emplace(subject, std::move(own));
      }
      const auto is_missed = [this](const auto& one) {
        return subjects_.members()[one.first].is_selected && subjects_.is_known(one.first, one.second) &&
               !subjects_.verdict(one.first, one.second).has;
      };
      if (std::ranges::any_of(fewer, is_missed)) continue;
      subjects_.ask(requests);
      if (std::ranges::any_of(fewer, is_missed)) continue;
      for (auto& [subject, own] : fewer) chain.read[subject] = std::move(own);
      chain.edits.erase(chain.edits.begin() + static_cast<std::ptrdiff_t>(i));
    }
    std::ranges::sort(chain.edits);
    return chain.edits;
  }

  void rank(ProposalReport& out) {
    struct Ranked {
      Numbers edits;
      std::tuple<std::int64_t, std::int64_t, std::size_t, std::size_t, std::ptrdiff_t, std::ptrdiff_t,
                 std::vector<std::string>, std::vector<bool>>
          key;
    };
    std::vector<Ranked> all;
    for (Numbers edits : enough_) {
      std::ranges::sort(edits, {}, [this](Number edit) -> const std::string& { return subjects_.file_of(edit).shown; });
      const Score score = score_of(edits);
      std::size_t fresh = 0;
      std::ptrdiff_t existing = 0;
      std::ptrdiff_t level = PTRDIFF_MAX;
      std::vector<std::string> names;
      std::vector<bool> unsets;
      for (const Number edit : edits) {
        const Candidate& candidate = subjects_.edits()[edit];
        const File& file = subjects_.files()[candidate.file];
        if (!file.before) ++fresh;
        if (candidate.is_existing) ++existing;
        level = std::min(level, static_cast<std::ptrdiff_t>(file.level));
        names.push_back(file.shown);
        unsets.push_back(!candidate.is_set);
      }
      const std::size_t size = edits.size();
      all.push_back(
          {std::move(edits),
           {score.collateral, score.side, size, fresh, -existing, -level, std::move(names), std::move(unsets)}});
    }
    std::ranges::sort(all, {}, &Ranked::key);
    if (all.size() > settings_.most) all.resize(settings_.most);
    std::set<std::string> edited;
    for (const Ranked& ranked : all) {
      for (const Number edit : ranked.edits) edited.insert(subjects_.file_of(edit).path);
    }
    if (!edited.empty()) secret_lines_ = subjects_.secret_lines(edited);
    for (const Ranked& ranked : all) out.proposals.push_back(proposal(ranked.edits, out.is_secret));
  }

  /// The lines of an edited file that its diff does not show.
  [[nodiscard]] std::set<std::string, std::less<>> hidden_lines(const File& file, const std::string& after,
                                                                bool is_secret) const {
    std::set<std::string, std::less<>> out;
    const auto secret = secret_lines_.find(file.path);
    if (file.before && secret != secret_lines_.end()) out = edit::lines_of(*file.before, secret->second);
    if (!is_secret) return out;
    // All that the edit writes.
    auto fresh = edit::lines_of(after);
    for (const std::string& line : edit::lines_of(file.before.value_or(std::string()))) fresh.erase(line);
    out.merge(std::move(fresh));
    return out;
  }

  /// `is_secret`: the value that is written.
  [[nodiscard]] Proposal proposal(const Numbers& edits, bool is_secret) const {
    Proposal out;
    for (const Number edit : edits) {
      const Candidate& candidate = subjects_.edits()[edit];
      const File& file = subjects_.files()[candidate.file];
      out.edits.push_back({.path = file.path,
                           .file = file.shown,
                           .has_secret_name = file.has_secret_name,
                           .is_set = candidate.is_set,
                           .line = candidate.line,
                           .before = file.before,
                           .after = candidate.after});
      const std::string diff = edit::unified_diff(file.shown, file.before, candidate.after, settings_.limits.stop);
      const auto hidden = hidden_lines(file, candidate.after, is_secret);
      out.diff += hidden.empty() ? diff : edit::hidden_in_diff(diff, hidden);
    }
    for (const std::size_t subject : subjects_.readers_of(edits)) {
      const FleetMember& member = subjects_.members()[subject];
      const Verdict found = subjects_.verdict(subject, subjects_.read_by(member, edits));
      if (!member.is_selected && found.changes) out.collateral.push_back(member.name);
      if (member.is_selected && found.is_side) out.side.push_back(member.name);
    }
    return out;
  }

  const Question& question_;
  Wish wish_;
  const ProposalSettings& settings_;
  Goal goal_;
  Candidates subjects_;
  Score nothing_;               ///< Without edits.
  std::vector<Score> singles_;  ///< What each edit alone adds to that.
  Numbers order_;               ///< All edits: `set` first, then by file.
  std::set<Numbers> enough_;
  bool is_limited_ = false;  ///< Some chain could grow, and has all edits that it may have.
  std::map<std::string, std::set<std::size_t>> secret_lines_;  ///< By file.
};

}  // namespace
}  // namespace proposing

Error no_files_to_set() {
  return Error("set.verb", "the results of this command have no files of which one can state a value")
      .hint(
          "set works for lookup, merge and compose; elsewhere edit the file, and see what it does with strata diff "
          "--set");
}

ProposalReport propose(const Question& question, const State& base, const Wish& wish,
                       const ProposalSettings& settings) {
  return proposing::ProposalSearch(question, base, wish, settings).run();
}

void prove(const Question& question, const State& base, const ProposalReport& report, const Proposal& proposal,
           const ProposalSettings& settings) {
  Edits edits;
  for (const ProposedEdit& edit : proposal.edits) edits.emplace(edit.path, edit.after);
  const proposing::Goal goal(report.wish);
  const std::set<std::string> selected(report.selected.begin(), report.selected.end());
  const State again = edited(base, {}, settings.folder);
  const auto before = question.in(again);
  const auto after = question.in(edited(again, edits, settings.folder));
  std::vector<std::string> collateral;
  std::size_t reached = 0;
  bool is_same = true;
  while (const auto left = before->next()) {
    const auto right = after->next();
    if (!right || right->name() != left->name()) {
      is_same = false;
      break;
    }
    if (settings.limits.stop != nullptr) settings.limits.stop->check();
    const Subject::Answer new_answer = right->ask(std::nullopt);
    if (selected.contains(left->name())) {
      if (goal.holds(new_answer.outcome)) ++reached;
    } else if (!compare(left->ask(std::nullopt).outcome, new_answer.outcome, settings.how).empty()) {
      collateral.push_back(left->name());
    }
  }
  if (is_same && reached == selected.size() && collateral == proposal.collateral) return;
  throw Error("edit.changed", "the results are no longer those that the proposal promises: nothing is written")
      .hint("run the command again");
}

}  // namespace strata::analysis
