#include "strata/proposals.hpp"

#include <algorithm>
#include <array>
#include <compare>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <utility>

#include "report/lines.hpp"
#include "strata/path.hpp"
#include "strata/paths.hpp"
#include "strata/study.hpp"
#include "strata/text_edit.hpp"
#include "strata/unified_diff.hpp"
#include "wording.hpp"

namespace strata::analysis {
namespace {

constexpr std::size_t kMostEdits = 8;  ///< Of a proposal.

/// The place that is wished for, in results.
class Goal {
 public:
  explicit Goal(const Wish& wish) : wish_(wish), below_(parse_pointer(wish.path)), whole_(below_) {
    whole_.insert(whole_.begin(), wish.item);
    append_token(pointer_, wish.item);
    pointer_ += wish.path;
  }

  /// In files.
  [[nodiscard]] const std::string& pointer() const noexcept { return pointer_; }
  [[nodiscard]] const Value& value() const noexcept { return wish_.value; }
  [[nodiscard]] const std::string& item() const noexcept { return wish_.item; }

  /// The value there. Absent: there is none.
  [[nodiscard]] Value found_in(const Outcome& outcome) const {
    for (const Item& item : outcome.items) {
      if (item.failure || !item.value) continue;
      if (item.name == wish_.item) return value_at(item.value, below_);
      if (item.name.empty()) return value_at(item.value, whole_);
    }
    return {};
  }

  /// The value of the nearest place above it.
  [[nodiscard]] Value found_above(const Outcome& outcome) const {
    for (const Item& item : outcome.items) {
      if (item.failure || !item.value || (item.name != wish_.item && !item.name.empty())) continue;
      std::vector<std::string> tokens = item.name.empty() ? whole_ : below_;
      for (; !tokens.empty(); tokens.pop_back()) {
        if (const Value found = value_at(item.value, tokens)) return found;
      }
      return item.value;
    }
    return {};
  }

  [[nodiscard]] bool holds(const Outcome& outcome) const {
    if (outcome.failure) return !wish_.value && category_of(outcome.failure->code) == Category::not_found;
    if (!wish_.value) {
      const auto failed = std::ranges::find_if(outcome.items, [this](const Item& item) { return item.failure && item.name == wish_.item; });
      return failed == outcome.items.end() && !found_in(outcome);
    }
    const Value found = found_in(outcome);
    return found && equal(found, wish_.value);
  }

  /// Whether more changes than the place.
  [[nodiscard]] bool is_outside(const Change& change, const Outcome& after) const {
    // A lookup of one key that was not found before.
    if (change.kind == ChangeKind::mended && change.item.empty() && below_.empty() && after.items.size() == 1 && holds_alone(after)) return false;
    const std::vector<std::string>* place = &below_;
    if (change.item.empty()) {
      place = &whole_;
    } else if (change.item != wish_.item) {
      return true;
    }
    const std::vector<std::string> path = parse_pointer(change.path);
    const std::size_t common = std::min(path.size(), place->size());
    if (!std::equal(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(common), place->begin())) return true;
    if (path.size() >= place->size()) return false;
    // Mappings that lead to the place come and go with it.
    if (change.kind != ChangeKind::added && change.kind != ChangeKind::removed) return true;
    Value at = change.kind == ChangeKind::added ? change.after.value : change.before.value;
    for (const std::string& token : std::span(*place).subspan(path.size())) {
      if (!at.is_mapping() || at.size() != 1) return true;
      at = value_at(at, std::span(&token, 1));
    }
    return !at;
  }

 private:
  [[nodiscard]] bool holds_alone(const Outcome& outcome) const { return outcome.items.front().name == wish_.item; }

  const Wish& wish_;
  std::vector<std::string> below_;
  std::vector<std::string> whole_;
  std::string pointer_;
};

bool is_selected(Subject& subject, const std::vector<std::string>& selectors) {
  if (selectors.empty()) return true;
  return std::ranges::any_of(selectors, [&subject](const std::string& selector) {
    if (selector.find('=') == std::string::npos) return matches(selector, subject.name());
    std::string_view rest = selector;
    while (!rest.empty()) {
      const std::string_view one = rest.substr(0, rest.find(','));
      rest.remove_prefix(std::min(one.size() + 1, rest.size()));
      const std::size_t equals = one.find('=');
      if (equals == std::string_view::npos) return false;
      const auto fact = subject.fact(one.substr(0, equals));
      if (!fact || !matches(one.substr(equals + 1), *fact)) return false;
    }
    return true;
  });
}

using Number = std::uint32_t;
using Numbers = std::vector<Number>;

/// An edit that can be made.
struct Candidate {
  std::size_t file;
  bool is_set;
  bool is_existing;  ///< Of a statement that is there.
  std::size_t line;
  std::string after;
};

struct File {
  std::string path;
  std::string shown;
  std::optional<std::string> before = {};
  std::size_t level = 0;  ///< In the first selected subject that can read it: from the strongest.
  std::string failure = {};
  std::optional<Number> set = {};
  std::optional<Number> unset = {};
  std::vector<std::size_t> readers = {};

  [[nodiscard]] Numbers candidates() const {
    Numbers out;
    for (const auto& one : {set, unset}) {
      if (one) out.push_back(*one);
    }
    return out;
  }
};

/// What some edits do to a subject.
struct Verdict {
  bool has = false;      ///< The place is as it is wished.
  bool changes = false;  ///< Anything.
  bool is_side = false;  ///< Anything but the place.
  std::string why = {};  ///< Why it does not have it.
};

/// Numbers of subjects; may be differences.
struct Score {
  std::int64_t collateral = 0, missed = 0, side = 0;
  friend auto operator<=>(const Score&, const Score&) = default;
  Score& operator+=(const Score& other) {
    collateral += other.collateral;
    missed += other.missed;
    side += other.side;
    return *this;
  }
  friend Score operator-(const Score& left, const Score& right) {
    return {left.collateral - right.collateral, left.missed - right.missed, left.side - right.side};
  }
};

/// Edits of files that one subject reads.
struct Reading {
  std::optional<Verdict> verdict = {};
  bool is_open = false;                                ///< What one more edit does is known.
  std::vector<std::pair<Number, Score>> overlap = {};  ///< By how much that differs from what the edit does alone.
};

struct Member {
  std::string name;
  bool is_selected = false;
  std::vector<std::size_t> files = {};  ///< Those that it reads, rising.
  bool has = false;                     ///< Without edits.
  std::map<Numbers, Reading> readings = {};
};

class Search {
 public:
  Search(const Question& question, State base, Wish wish, const ProposalSettings& settings)
      : question_(question),
        shown_(std::move(base)),
        base_(edited(shown_, {}, settings.folder)),
        wish_(std::move(wish)),
        settings_(settings),
        goal_(wish_) {}

  ProposalReport run() {
    ProposalReport out;
    out.wish = wish_;
    out.pointer = goal_.pointer();
    find_subjects();
    out.total = members_.size();
    for (const Member& member : members_) {
      if (!member.is_selected) continue;
      out.selected.push_back(member.name);
      if (member.has) ++out.already;
    }
    if (out.has_nothing_to_do()) return out;
    make_candidates();
    ask_singles();
    out.rejected = rejected();
    complete_all();
    rank(out);
    return out;
  }

 private:
  void check_stop() const {
    if (settings_.limits.stop != nullptr) settings_.limits.stop->check();
  }

  // Subjects and files

  void find_subjects() {
    std::vector<std::shared_ptr<const Reads>> reads;
    std::map<std::string, std::size_t> numbers;
    const auto asked = question_.in(shown_);
    while (const auto subject = asked->next()) {
      check_stop();
      Member member{.name = subject->name(), .is_selected = is_selected(*subject, settings_.selectors)};
      reads.push_back(subject->reads());
      if (member.is_selected) {
        add_files(*subject, numbers);
        const Subject::Answer answer = subject->ask(reads.back() ? Wanted(std::vector<std::string>{wish_.item}) : std::nullopt);
        member.has = goal_.holds(answer.outcome);
        if (!reads.back()) reads.back() = answer.reads;
      } else if (!reads.back()) {
        reads.back() = subject->ask(std::nullopt).reads;
      }
      members_.push_back(std::move(member));
    }
    // Many read the same.
    std::map<const Reads*, std::vector<std::size_t>> known;
    for (std::size_t i = 0; i < members_.size(); ++i) {
      const auto [found, is_new] = known.try_emplace(reads[i].get());
      if (is_new) {
        for (std::size_t file = 0; file < files_.size(); ++file) {
          if (reads[i]->files.contains(files_[file].path)) found->second.push_back(file);
        }
      }
      members_[i].files = found->second;
      for (const std::size_t file : members_[i].files) files_[file].readers.push_back(i);
    }
  }

  void add_files(Subject& subject, std::map<std::string, std::size_t>& numbers) {
    std::vector<ConfigurationFile> editable;
    try {
      editable = subject.files()->editable(wish_.item);
    } catch (const Error& error) {
      if (!is_failure(error)) throw;
      return;  // Asking tells what is wrong.
    }
    for (std::size_t level = 0; level < editable.size(); ++level) {
      const std::string& path = editable[level].path;
      if (!numbers.try_emplace(path, files_.size()).second) continue;
      files_.push_back({.path = path, .shown = shown_path(path, settings_.folder), .level = level});
      forms_.push_back(editable[level].form);
    }
  }

  void make_candidates() {
    for (std::size_t i = 0; i < files_.size(); ++i) {
      check_stop();
      File& file = files_[i];
      const edit::Form& form = forms_[i];
      try {
        file.before = base_.files->read(file.path);
      } catch (const Error& error) {
        if (!is_failure(error)) throw;
        file.failure = error.what();
        continue;
      }
      const std::string text = file.before.value_or("");
      if (wish_.value) {
        try {
          edit::Edited done = edit::apply(
              file.shown, text, form,
              {.operation = edit::Operation::set, .pointer = goal_.pointer(), .value = wish_.value, .spelling = wish_.spelling, .make_parents = true},
              settings_.limits);
          file.set = add({.file = i, .is_set = true, .is_existing = done.outcome == edit::Outcome::replaced, .line = done.line, .after = done.text});
        } catch (const Error& error) {
          if (error.ends_request()) throw;
          file.failure = error.what();
        }
      }
      if (!file.before) continue;
      try {
        edit::Edited done = edit::apply(file.shown, text, form, {.operation = edit::Operation::remove, .pointer = goal_.pointer()}, settings_.limits);
        file.unset = add({.file = i, .is_set = false, .is_existing = true, .line = done.line, .after = done.text});
      } catch (const Error& error) {
        if (error.ends_request()) throw;
        if (!wish_.value && error.code() != "edit.not-found") file.failure = error.what();
      }
    }
  }

  Number add(Candidate candidate) {
    candidates_.push_back(std::move(candidate));
    return static_cast<Number>(candidates_.size() - 1);
  }

  // Asking

  using Request = std::pair<std::size_t, Numbers>;  ///< A subject, and edits of files that it reads, rising.

  [[nodiscard]] Verdict untouched(const Member& member) const { return {.has = member.has}; }

  [[nodiscard]] Verdict verdict(std::size_t subject, const Numbers& edits) const {
    const Member& member = members_[subject];
    return edits.empty() ? untouched(member) : *member.readings.at(edits).verdict;
  }

  [[nodiscard]] bool is_known(std::size_t subject, const Numbers& edits) const {
    if (edits.empty()) return true;
    const auto found = members_[subject].readings.find(edits);
    return found != members_[subject].readings.end() && found->second.verdict;
  }

  /// Those edits whose files the subject reads.
  [[nodiscard]] Numbers read_by(const Member& member, const Numbers& edits) const {
    Numbers out;
    for (const Number edit : edits) {
      if (std::ranges::binary_search(member.files, candidates_[edit].file)) out.push_back(edit);
    }
    std::ranges::sort(out);
    return out;
  }

  /// Gets the verdicts that are not known. One state serves all requests that agree about the files they read.
  void ask(const std::set<Request>& requests) {
    std::vector<const Request*> pending;
    for (const Request& request : requests) {
      if (!request.second.empty() && !is_known(request.first, request.second)) pending.push_back(&request);
    }
    constexpr Number kFree = UINT32_MAX;
    constexpr Number kUntouched = UINT32_MAX - 1;
    while (!pending.empty()) {
      check_stop();
      std::vector<Number> state(files_.size(), kFree);
      std::map<std::size_t, const Numbers*> taken;
      std::vector<const Request*> later;
      for (const Request* request : pending) {
        const Member& member = members_[request->first];
        const auto wanted = [&](std::size_t file) {
          const auto found = std::ranges::find(request->second, file, [this](Number edit) { return candidates_[edit].file; });
          return found == request->second.end() ? kUntouched : *found;
        };
        const bool fits = !taken.contains(request->first) &&
                          std::ranges::all_of(member.files, [&](std::size_t file) { return state[file] == kFree || state[file] == wanted(file); });
        if (!fits) {
          later.push_back(request);
          continue;
        }
        for (const std::size_t file : member.files) state[file] = wanted(file);
        taken.emplace(request->first, &request->second);
      }
      Edits edits;
      for (const Number edit : state) {
        if (edit != kFree && edit != kUntouched) edits.emplace(files_[candidates_[edit].file].path, candidates_[edit].after);
      }
      ask_in(edited(base_, edits, settings_.folder), taken);
      pending = std::move(later);
    }
  }

  void ask_in(const State& state, const std::map<std::size_t, const Numbers*>& taken) {
    const auto before = question_.in(base_);
    const auto after = question_.in(state);
    std::size_t number = 0;
    for (const auto& [subject, edits] : taken) {
      std::unique_ptr<Subject> left;
      std::unique_ptr<Subject> right;
      for (; number <= subject; ++number) {
        left = before->next();
        right = after->next();
      }
      if (!left || !right || left->name() != members_[subject].name || right->name() != left->name()) {
        throw Error("edit.changed", "the subjects are no longer those that were read").hint("run the command again");
      }
      check_stop();
      members_[subject].readings[*edits].verdict = compared(members_[subject], *edits, *left, *right);
    }
  }

  [[nodiscard]] Verdict compared(const Member& member, const Numbers& edits, Subject& left, Subject& right) const {
    Wanted wanted;
    if (left.reads() && right.reads()) {
      std::vector<std::string> paths;
      for (const Number edit : edits) paths.push_back(files_[candidates_[edit].file].path);
      wanted = left.affected(right, paths);
    }
    Verdict out = untouched(member);
    const bool asks_item = !wanted || std::ranges::find(*wanted, wish_.item) != wanted->end();
    if (!wanted || !wanted->empty()) {
      const Subject::Answer old_answer = left.ask(wanted);
      const Subject::Answer new_answer = right.ask(wanted);
      const std::vector<Change> changes = compare(old_answer.outcome, new_answer.outcome, settings_.how);
      out.changes = !changes.empty();
      out.is_side = std::ranges::any_of(changes, [&](const Change& change) { return goal_.is_outside(change, new_answer.outcome); });
      if (asks_item) {
        out.has = goal_.holds(new_answer.outcome);
        if (is_told(member, edits, out)) out.why = reason(new_answer.outcome, old_answer.outcome, candidates_[edits.front()]);
        return out;
      }
    }
    if (is_told(member, edits, out)) {
      const Subject::Answer answer = right.ask(Wanted(std::vector<std::string>{wish_.item}));
      out.why = reason(answer.outcome, answer.outcome, candidates_[edits.front()]);
    }
    return out;
  }

  /// Whether a rejected edit may say why.
  [[nodiscard]] static bool is_told(const Member& member, const Numbers& edits, const Verdict& verdict) {
    return edits.size() == 1 && member.is_selected && !verdict.has;
  }

  [[nodiscard]] std::string reason(const Outcome& after, const Outcome& before, const Candidate& candidate) const {
    if (after.failure) return "the result fails: " + after.failure->message;
    for (const Item& item : after.items) {
      if (item.failure && item.name == wish_.item) return "the result fails: " + item.failure->message;
    }
    const Value found = goal_.found_in(after);
    if (!found) return hidden(after);
    const Place place = excerpt_of(after, found).place;
    const bool is_own = place.file == files_[candidate.file].shown && candidate.is_set;
    const Value old = goal_.found_in(before);
    if (wish_.value && !is_own && old && equal(found, old)) return stronger_at(place);
    if (wish_.value && is_own && !found.is_container() && !wish_.value.is_container()) {
      const bool is_expression = wish_.value.is_text() && wish_.value.text().find("%{") != std::string_view::npos;
      return is_expression ? "it is interpolated" : "the type is converted";
    }
    if (!wish_.value) return "another value is at " + place.to_string();
    if (is_own && wish_.spelling.find("%{") != std::string::npos) return "it is interpolated";
    return "the merge adds to it: it becomes " + report::one_line(found);
  }

  /// Why a place is not in a result: something else is above it.
  [[nodiscard]] std::string hidden(const Outcome& outcome) const {
    const Value above = goal_.found_above(outcome);
    return above ? stronger_at(excerpt_of(outcome, above).place) : "the place is not in the result";
  }

  static std::string stronger_at(const Place& place) {
    const std::string text = place.to_string();
    return "a stronger value is at " + (text.empty() ? std::string("<nowhere>") : text);
  }

  // Scores

  [[nodiscard]] static Score score(const Member& member, const Verdict& verdict) {
    if (!member.is_selected) return {.collateral = verdict.changes ? 1 : 0};
    return {.missed = verdict.has ? 0 : 1, .side = verdict.is_side ? 1 : 0};
  }

  [[nodiscard]] Score score(std::size_t subject, const Numbers& edits) const { return score(members_[subject], verdict(subject, edits)); }

  /// The subjects that read the files of edits.
  [[nodiscard]] std::set<std::size_t> readers_of(const Numbers& edits) const {
    std::set<std::size_t> out;
    for (const Number edit : edits) out.insert(files_[candidates_[edit].file].readers.begin(), files_[candidates_[edit].file].readers.end());
    return out;
  }

  Score score_of(const Numbers& edits) {
    const std::set<std::size_t> readers = readers_of(edits);
    std::set<Request> requests;
    for (const std::size_t subject : readers) requests.emplace(subject, read_by(members_[subject], edits));
    ask(requests);
    Score out = nothing_;
    for (const auto& [subject, own] : requests) out += score(subject, own) - score(subject, {});
    return out;
  }

  void ask_singles() {
    std::set<Request> requests;
    for (Number edit = 0; edit < candidates_.size(); ++edit) {
      for (const std::size_t subject : files_[candidates_[edit].file].readers) requests.emplace(subject, Numbers{edit});
    }
    ask(requests);
    for (const Member& member : members_) nothing_ += score(member, untouched(member));
    singles_.assign(candidates_.size(), {});
    for (Number edit = 0; edit < candidates_.size(); ++edit) {
      for (const std::size_t subject : files_[candidates_[edit].file].readers) singles_[edit] += score(subject, {edit}) - score(subject, {});
    }
  }

  [[nodiscard]] Score single(Number edit) const {
    Score out = nothing_;
    return out += singles_[edit];
  }

  [[nodiscard]] std::vector<Rejected> rejected() const {
    std::vector<Rejected> out;
    for (const File& file : files_) {
      const std::optional<Number> edit = wish_.value ? file.set : file.unset;
      if (!edit) {
        if (!file.failure.empty()) {
          out.push_back({.file = file.shown, .missed = static_cast<std::size_t>(nothing_.missed), .why = "edit: " + file.failure});
        }
        continue;
      }
      const Score score = single(*edit);
      if (score.missed == 0) continue;
      std::string why = "other selected subjects do not read it";
      for (const std::size_t subject : file.readers) {
        const Verdict found = verdict(subject, {*edit});
        if (!members_[subject].is_selected || found.has) continue;
        why = found.why;
        break;
      }
      out.push_back({.file = file.shown, .missed = static_cast<std::size_t>(score.missed), .why = std::move(why)});
    }
    std::ranges::sort(out, {}, &Rejected::file);
    return out;
  }

  // Completions

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
    order_.resize(candidates_.size());
    for (Number edit = 0; edit < order_.size(); ++edit) order_[edit] = edit;
    std::ranges::sort(order_, {}, [this](Number edit) {
      return std::pair<bool, std::string_view>(!candidates_[edit].is_set, files_[candidates_[edit].file].shown);
    });
    Numbers begins;
    for (Number edit = 0; edit < candidates_.size(); ++edit) {
      if (single(edit).missed == 0) {
        enough_.insert({edit});
      } else if (!wish_.value || candidates_[edit].is_set) {
        begins.push_back(edit);
      }
    }
    // Chains grow side by side, since one state answers for many of them; so many that they fit into memory.
    constexpr std::size_t kMostNumbers = 4'000'000;
    const std::size_t most = std::clamp<std::size_t>(kMostNumbers / (candidates_.size() + members_.size()), 16, 1024);
    for (std::size_t i = 0; i < begins.size(); i += most) {
      complete({begins.begin() + static_cast<std::ptrdiff_t>(i), begins.begin() + static_cast<std::ptrdiff_t>(std::min(i + most, begins.size()))});
    }
  }

  void complete(const Numbers& begins) {
    std::vector<Chain> chains;
    for (const Number edit : begins) {
      Chain chain{.score = nothing_, .gains = singles_};
      add(chain, edit);
      chains.push_back(std::move(chain));
    }
    for (std::size_t size = 1; size < kMostEdits && !chains.empty(); ++size) {
      open(chains);
      std::vector<Chain> longer;
      for (Chain& chain : chains) {
        check_stop();
        if (!extend(chain)) continue;
        if (chain.score.missed == 0) {
          enough_.insert(reduced(std::move(chain)));
        } else {
          longer.push_back(std::move(chain));
        }
      }
      chains = std::move(longer);
    }
  }

  void add(Chain& chain, Number edit) const {
    chain.score += chain.gains[edit];
    chain.edits.push_back(edit);
    const File& file = files_[candidates_[edit].file];
    for (const std::size_t subject : file.readers) {
      Numbers& own = chain.read[subject];
      if (!own.empty()) {
        for (const auto& [other, score] : members_[subject].readings.at(own).overlap) chain.gains[other] += Score{} - score;
      }
      own.insert(std::ranges::upper_bound(own, edit), edit);
      chain.fresh.insert(subject);
    }
    for (const Number other : file.candidates()) chain.gains[other] = {.collateral = kNever};
  }

  /// Finds out what one more edit does to the subjects of chains.
  void open(std::vector<Chain>& chains) {
    std::set<Request> closed;
    std::set<Request> requests;
    for (const Chain& chain : chains) {
      for (const std::size_t subject : chain.fresh) {
        const Numbers& own = chain.read.at(subject);
        if (!members_[subject].readings[own].is_open) closed.emplace(subject, own);
      }
    }
    for (const auto& [subject, own] : closed) {
      requests.emplace(subject, own);
      for (const Number edit : more_for(subject, own)) requests.emplace(subject, with(own, edit));
    }
    ask(requests);
    for (const auto& [subject, own] : closed) {
      Reading& reading = members_[subject].readings.at(own);
      reading.is_open = true;
      for (const Number edit : more_for(subject, own)) {
        const Score alone = score(subject, {edit}) - score(subject, {});
        const Score here = score(subject, with(own, edit)) - score(subject, own);
        if (here != alone) reading.overlap.emplace_back(edit, here - alone);
      }
    }
    for (Chain& chain : chains) {
      for (const std::size_t subject : chain.fresh) {
        for (const auto& [edit, score] : members_[subject].readings.at(chain.read.at(subject)).overlap) chain.gains[edit] += score;
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
    for (const std::size_t file : members_[subject].files) {
      if (std::ranges::any_of(own, [&](Number edit) { return candidates_[edit].file == file; })) continue;
      for (const Number edit : files_[file].candidates()) out.push_back(edit);
    }
    return out;
  }

  /// Adds the best edit. False: none helps.
  bool extend(Chain& chain) const {
    const auto best = std::ranges::min_element(order_, {}, [&chain](Number edit) -> const Score& { return chain.gains[edit]; });
    if (best == order_.end() || chain.gains[*best].collateral >= kNever / 2 || chain.gains[*best].missed >= 0) return false;
    add(chain, *best);
    return true;
  }

  /// Without the edits that nobody misses, the last ones first.
  Numbers reduced(Chain chain) {
    for (std::size_t i = chain.edits.size(); i-- > 0 && chain.edits.size() > 1;) {
      const Number edit = chain.edits[i];
      std::map<std::size_t, Numbers> fewer;
      std::set<Request> requests;
      for (const std::size_t subject : files_[candidates_[edit].file].readers) {
        Numbers own = chain.read.at(subject);
        std::erase(own, edit);
        if (!is_known(subject, own)) requests.emplace(subject, own);
        fewer.emplace(subject, std::move(own));
      }
      const auto is_missed = [this](const auto& one) {
        return members_[one.first].is_selected && is_known(one.first, one.second) && !verdict(one.first, one.second).has;
      };
      if (std::ranges::any_of(fewer, is_missed)) continue;
      ask(requests);
      if (std::ranges::any_of(fewer, is_missed)) continue;
      for (auto& [subject, own] : fewer) chain.read[subject] = std::move(own);
      chain.edits.erase(chain.edits.begin() + static_cast<std::ptrdiff_t>(i));
    }
    std::ranges::sort(chain.edits);
    return chain.edits;
  }

  // The order of proposals

  void rank(ProposalReport& out) {
    struct Ranked {
      Numbers edits;
      std::tuple<std::int64_t, std::int64_t, std::size_t, std::size_t, std::ptrdiff_t, std::ptrdiff_t, std::vector<std::string>, std::vector<bool>>
          key;
    };
    std::vector<Ranked> all;
    for (Numbers edits : enough_) {
      std::ranges::sort(edits, {}, [this](Number edit) -> const std::string& { return files_[candidates_[edit].file].shown; });
      const Score score = score_of(edits);
      std::size_t fresh = 0;
      std::ptrdiff_t existing = 0;
      std::ptrdiff_t level = PTRDIFF_MAX;
      std::vector<std::string> names;
      std::vector<bool> unsets;
      for (const Number edit : edits) {
        const Candidate& candidate = candidates_[edit];
        const File& file = files_[candidate.file];
        if (!file.before) ++fresh;
        if (candidate.is_existing) ++existing;
        level = std::min(level, static_cast<std::ptrdiff_t>(file.level));
        names.push_back(file.shown);
        unsets.push_back(!candidate.is_set);
      }
      const std::size_t size = edits.size();
      all.push_back({std::move(edits), {score.collateral, score.side, size, fresh, -existing, -level, std::move(names), std::move(unsets)}});
    }
    std::ranges::sort(all, {}, &Ranked::key);
    if (all.size() > settings_.most) all.resize(settings_.most);
    for (const Ranked& ranked : all) out.proposals.push_back(proposal(ranked.edits));
  }

  [[nodiscard]] Proposal proposal(const Numbers& edits) const {
    Proposal out;
    for (const Number edit : edits) {
      const Candidate& candidate = candidates_[edit];
      const File& file = files_[candidate.file];
      out.edits.push_back({.path = file.path,
                           .file = file.shown,
                           .is_set = candidate.is_set,
                           .line = candidate.line,
                           .before = file.before,
                           .after = candidate.after});
      out.diff += edit::unified_diff(file.shown, file.before, candidate.after, settings_.limits.stop);
    }
    for (const std::size_t subject : readers_of(edits)) {
      const Member& member = members_[subject];
      const Verdict found = verdict(subject, read_by(member, edits));
      if (!member.is_selected && found.changes) out.collateral.push_back(member.name);
      if (member.is_selected && found.is_side) out.side.push_back(member.name);
    }
    return out;
  }

  const Question& question_;
  State shown_;
  State base_;
  Wish wish_;
  const ProposalSettings& settings_;
  Goal goal_;
  std::vector<Member> members_;
  std::vector<File> files_;
  std::vector<edit::Form> forms_;  ///< Of the files.
  std::vector<Candidate> candidates_;
  Score nothing_;               ///< Without edits.
  std::vector<Score> singles_;  ///< What each edit alone adds to that.
  Numbers order_;               ///< All edits: `set` first, then by file.
  std::set<Numbers> enough_;
};

}  // namespace

ProposalReport propose(const Question& question, const State& base, const Wish& wish, const ProposalSettings& settings) {
  return Search(question, base, wish, settings).run();
}

void prove(const Question& question, const State& base, const ProposalReport& report, const Proposal& proposal, const ProposalSettings& settings) {
  Edits edits;
  for (const ProposedEdit& edit : proposal.edits) edits.emplace(edit.path, edit.after);
  const Goal goal(report.wish);
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
  throw Error("edit.changed", "the results are no longer those that the proposal promises: nothing is written").hint("run the command again");
}

std::string proposals_text(const ProposalReport& report, const Wording& wording) {
  std::string out = std::to_string(report.selected.size()) + " of " + counted(report.total, wording.subject) + " selected, " +
                    std::to_string(report.already) + " already have it\n";
  if (report.has_nothing_to_do()) return out + "nothing to do\n";
  for (std::size_t i = 0; i < report.proposals.size(); ++i) {
    const Proposal& proposal = report.proposals[i];
    out += "proposal " + std::to_string(i + 1) + ": ";
    for (std::size_t k = 0; k < proposal.edits.size(); ++k) {
      const ProposedEdit& edit = proposal.edits[k];
      out += (k > 0 ? ", " : "") + edit.file;
      out += edit.before ? ":" + std::to_string(edit.line) + (edit.is_set ? " (set)" : " (unset)") : " (new file)";
    }
    out += "\n  reaches " + counted(report.selected.size(), wording.subject) + ", touches " + counted(proposal.collateral.size(), "other");
    if (!proposal.collateral.empty()) {
      out += ": " + name_list(proposal.collateral, kNames, [](const std::string& name) { return name; });
    }
    out += '\n';
    if (i == 0) out += proposal.diff;
  }
  return out;
}

Value proposals_data(Arena& arena, const ProposalReport& report) {
  const auto names = [&arena](const std::vector<std::string>& all) {
    SequenceBuilder out(arena, all.size());
    for (const std::string& name : all) out.append(arena.text(name));
    return out.finish();
  };
  const auto number = [](std::size_t value) { return Value::integer(static_cast<std::int64_t>(value)); };
  MappingBuilder out(arena);
  out.insert("format", arena.text("strata-set/1"));
  out.insert("item", arena.text(report.wish.item));
  out.insert("path", arena.text(report.wish.path));
  out.insert("value", report.wish.value ? arena.deep_copy(report.wish.value) : Value::null());
  out.insert("selected", names(report.selected));
  out.insert("already", number(report.already));
  SequenceBuilder proposals(arena, report.proposals.size());
  for (const Proposal& proposal : report.proposals) {
    SequenceBuilder edits(arena, proposal.edits.size());
    for (const ProposedEdit& edit : proposal.edits) {
      MappingBuilder row(arena);
      row.insert("file", arena.text(edit.file));
      row.insert("op", arena.text(edit.is_set ? "set" : "unset"));
      row.insert("pointer", arena.text(report.pointer));
      if (edit.before) row.insert("line", number(edit.line));
      row.insert("new_file", Value::boolean(!edit.before));
      edits.append(row.finish());
    }
    MappingBuilder row(arena);
    row.insert("rank", number(proposals.size() + 1));
    row.insert("edits", edits.finish());
    row.insert("collateral", names(proposal.collateral));
    row.insert("side", names(proposal.side));
    row.insert("diff", arena.text(proposal.diff));
    proposals.append(row.finish());
  }
  out.insert("proposals", proposals.finish());
  SequenceBuilder rejected(arena, report.rejected.size());
  for (const Rejected& one : report.rejected) {
    MappingBuilder row(arena);
    row.insert("file", arena.text(one.file));
    row.insert("missed", number(one.missed));
    row.insert("why", arena.text(one.why));
    rejected.append(row.finish());
  }
  out.insert("rejected", rejected.finish());
  return out.finish();
}

}  // namespace strata::analysis
