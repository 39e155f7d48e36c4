// SPDX-License-Identifier: Apache-2.0
#include "analysis/set/candidates.hpp"

#include <algorithm>

#include "analysis/ledger.hpp"
#include "analysis/wording.hpp"
#include "report/lines.hpp"
#include "strata/kind_inside.hpp"
#include "strata/links.hpp"
#include "strata/path.hpp"
#include "strata/paths.hpp"
#include "strata/report.hpp"
#include "strata/study.hpp"
#include "strata/text_edit.hpp"

namespace strata::analysis::proposing {
namespace {

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

Verdict untouched(const FleetMember& member) { return {.has = member.has}; }

/// Whether a rejected edit may say why.
bool is_told(const FleetMember& member, const Numbers& edits, const Verdict& verdict) {
  return edits.size() == 1 && member.is_selected && !verdict.has;
}

std::string stronger_at(const Place& place) {
  const std::string text = place.to_string();
  return "a stronger value is at " + (text.empty() ? std::string("<nowhere>") : text);
}

Score score_of(const FleetMember& member, const Verdict& verdict) {
  if (!member.is_selected) return {.collateral = verdict.changes ? 1 : 0};
  return {.missed = verdict.has ? 0 : 1, .side = verdict.is_side ? 1 : 0};
}

}  // namespace

Candidates::Candidates(const Question& question, const State& base, const Goal& goal, const ProposalSettings& settings)
    : question_(question),
      base_(edited(base, {}, settings.folder)),
      goal_(goal),
      wish_(goal.wish()),
      settings_(settings),
      pointer_(goal.pointer()) {
  find_subjects(base);
}

void Candidates::check_stop() const {
  if (settings_.limits.stop != nullptr) settings_.limits.stop->check();
}

void Candidates::find_subjects(const State& shown) {
  std::vector<std::shared_ptr<const Reads>> reads;
  std::map<std::string, std::size_t> numbers;
  const auto asked = question_.in(shown);
  while (const auto subject = asked->next()) {
    check_stop();
    FleetMember member{.name = subject->name(), .is_selected = is_selected(*subject, settings_.selectors)};
    reads.push_back(subject->reads());
    if (member.is_selected) {
      add_files(*subject, numbers);
      const Subject::Answer answer =
          subject->ask(reads.back() ? Wanted(std::vector<std::string>{wish_.item}) : std::nullopt);
      member.has = goal_.holds(answer.outcome);
      look_at(answer.outcome);
      if (!reads.back()) reads.back() = answer.reads;
    } else if (!reads.back()) {
      reads.back() = subject->ask(std::nullopt).reads;
    }
    members_.push_back(std::move(member));
  }
  check_place();
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

void Candidates::look_at(const Outcome& outcome) {
  has_item_ = has_item_ || std::ranges::find(outcome.items, wish_.item, &Item::name) != outcome.items.end();
  const Value found = goal_.found_in(outcome);
  is_secret_ = is_secret_ || (found && report::holds_secret(found));
  is_behind_list_ =
      is_behind_list_ || (!found && wish_.path.ends_with("/-") && goal_.found_above(outcome).is_sequence());
}

/// Whether results can have the place.
void Candidates::check_place() const {
  if (is_behind_list_) {
    throw Error("set.place", "'" + wish_.path + "' is behind the last item of a list: no result has a value there")
        .hint("name an item by its number; strata diff --set FILE:" + pointer_ +
              "=VALUE shows what one more item does");
  }
  const std::size_t dot = wish_.item.find('.');
  if (!question_.traits().is_keyed || dot == std::string::npos || has_item_ || is_looked_up_) return;
  if (std::ranges::none_of(members_, &FleetMember::is_selected)) return;
  const std::string key = wish_.item.substr(0, dot);
  std::string path;
  for (std::size_t at = dot; at != std::string::npos;) {
    const std::size_t next = wish_.item.find('.', at + 1);
    append_token(path, wish_.item.substr(at + 1, next == std::string::npos ? next : next - at - 1));
    at = next;
  }
  const bool is_quoted = wish_.item.find_first_of("'\"") != std::string::npos;
  throw Error("set.place", "unknown key '" + wish_.item + "': a lookup of it digs into the value of '" + key + "'")
      .hint(is_quoted ? "name a key, and with --path a place below it"
                      : "name the key " + key + " and the place --path " + path + wish_.path);
}

bool Candidates::is_secret() const {
  return is_secret_ || std::ranges::any_of(members_, [](const FleetMember& member) {
           return member.is_selected && std::ranges::any_of(member.readings, [](const auto& one) {
                    return one.second.verdict && one.second.verdict->is_secret;
                  });
         });
}

void Candidates::add_files(Subject& subject, std::map<std::string, std::size_t>& numbers) {
  std::vector<ConfigurationFile> editable;
  try {
    const auto files = subject.files();
    const auto stated = is_looked_up_ ? std::nullopt : files->pointer(wish_.item);
    if (stated) {
      is_looked_up_ = true;
      pointer_ = *stated + wish_.path;
    }
    editable = files->editable(wish_.item);
  } catch (const Error& error) {
    if (!is_failure(error)) throw;
    return;  // Asking tells what is wrong.
  }
  for (std::size_t level = 0; level < editable.size(); ++level) {
    // One file can be read by several names.
    const std::string path = detail::real_path(*base_.files, editable[level].path);
    if (is_outside(*base_.files, path)) continue;
    if (!numbers.try_emplace(path, files_.size()).second) continue;
    files_.push_back({.path = path,
                      .shown = shown_path(path, settings_.folder),
                      .has_secret_name = editable[level].has_secret_name,
                      .level = level});
    forms_.push_back(editable[level].form);
  }
}

std::map<std::string, std::set<std::size_t>> Candidates::secret_lines(const std::set<std::string>& paths) const {
  Ledger ledger(base_, question_.traits(), settings_.folder, settings_.limits);
  const auto asked = question_.in(base_, Question::History::yes, Question::Telling::reads);
  for (const FleetMember& member : members_) {
    const auto subject = asked->next();
    if (!subject) break;
    check_stop();
    if (std::ranges::none_of(member.files, [&](std::size_t file) { return paths.contains(files_[file].path); }))
      continue;
    const auto alike = subject->alike();
    if (ledger.add_again(alike) != nullptr) continue;
    const Subject::Answer answer = subject->ask(std::nullopt);
    if (!answer.outcome.failure)
      ledger.add(*subject, answer, static_cast<std::size_t>(&member - members_.data()) + 1, alike);
  }
  auto out = ledger.stated().secret_lines();
  std::erase_if(out, [&paths](const auto& one) { return !paths.contains(one.first); });
  return out;
}

void Candidates::make() {
  for (std::size_t i = 0; i < files_.size(); ++i) {
    check_stop();
    make_edits(i);
  }
}

void Candidates::make_edits(std::size_t number) {
  File& file = files_[number];
  const edit::Form& form = forms_[number];
  try {
    file.before = base_.files->read(file.path);
  } catch (const Error& error) {
    if (!is_failure(error)) throw;
    file.failure = error.what();
    return;
  }
  if (file.before) file.has_secret_name = false;  // Who sees the files knows it.
  if (file.has_secret_name) file.shown = report::kMask;
  const std::string text = file.before.value_or("");
  if (wish_.value) {
    try {
      edit::Edited done = edit::apply(file.shown, text, form,
                                      {.operation = edit::Operation::set,
                                       .pointer = pointer_,
                                       .value = wish_.value,
                                       .spelling = wish_.spelling,
                                       .make_parents = true},
                                      settings_.limits);
      file.set = add({.file = number,
                      .is_set = true,
                      .is_existing = done.outcome == edit::Outcome::replaced,
                      .line = done.line,
                      .after = done.text});
    } catch (const Error& error) {
      if (error.ends_request()) throw;
      file.failure = error.what();
    }
  }
  if (!file.before) return;
  try {
    edit::Edited done = edit::apply(file.shown, text, form, {.operation = edit::Operation::remove, .pointer = pointer_},
                                    settings_.limits);
    file.unset = add({.file = number, .is_set = false, .is_existing = true, .line = done.line, .after = done.text});
  } catch (const Error& error) {
    if (error.ends_request()) throw;
    if (!wish_.value && error.code() != "edit.not-found") file.failure = error.what();
  }
}

Number Candidates::add(Candidate candidate) {
  candidates_.push_back(std::move(candidate));
  return static_cast<Number>(candidates_.size() - 1);
}

Verdict Candidates::verdict(std::size_t subject, const Numbers& edits) const {
  const FleetMember& member = members_[subject];
  return edits.empty() ? untouched(member) : *member.readings.at(edits).verdict;
}

bool Candidates::is_known(std::size_t subject, const Numbers& edits) const {
  if (edits.empty()) return true;
  const auto found = members_[subject].readings.find(edits);
  return found != members_[subject].readings.end() && found->second.verdict;
}

Numbers Candidates::read_by(const FleetMember& member, const Numbers& edits) const {
  Numbers out;
  for (const Number edit : edits) {
    if (std::ranges::binary_search(member.files, candidates_[edit].file)) out.push_back(edit);
  }
  std::ranges::sort(out);
  return out;
}

void Candidates::ask(const std::set<Request>& requests) {
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
      const FleetMember& member = members_[request->first];
      const auto wanted = [&](std::size_t file) {
        const auto found =
            std::ranges::find(request->second, file, [this](Number edit) { return candidates_[edit].file; });
        return found == request->second.end() ? kUntouched : *found;
      };
      const bool fits = !taken.contains(request->first) && std::ranges::all_of(member.files, [&](std::size_t file) {
        return state[file] == kFree || state[file] == wanted(file);
      });
      if (!fits) {
        later.push_back(request);
        continue;
      }
      for (const std::size_t file : member.files) state[file] = wanted(file);
      taken.emplace(request->first, &request->second);
    }
    Edits edits;
    for (const Number edit : state) {
      if (edit != kFree && edit != kUntouched) edits.emplace(file_of(edit).path, candidates_[edit].after);
    }
    ask_in(edited(base_, edits, settings_.folder), taken);
    pending = std::move(later);
  }
}

void Candidates::ask_in(const State& state, const std::map<std::size_t, const Numbers*>& taken) {
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

Verdict Candidates::compared(const FleetMember& member, const Numbers& edits, Subject& left, Subject& right) const {
  Wanted wanted;
  if (left.reads() && right.reads()) wanted = left.touched(right).items;
  Verdict out = untouched(member);
  const bool asks_item = !wanted || std::ranges::find(*wanted, wish_.item) != wanted->end();
  if (!wanted || !wanted->empty()) {
    const Subject::Answer old_answer = left.ask(wanted);
    const Subject::Answer new_answer = right.ask(wanted);
    const std::vector<Change> changes = compare(old_answer.outcome, new_answer.outcome, settings_.how);
    out.changes = !changes.empty();
    out.is_side = std::ranges::any_of(
        changes, [&](const Change& change) { return goal_.is_outside(change, new_answer.outcome); });
    if (asks_item) {
      out.has = goal_.holds(new_answer.outcome);
      const Value found = goal_.found_in(new_answer.outcome);
      out.is_secret = found && report::holds_secret(found);
      if (is_told(member, edits, out))
        out.why = reason(new_answer.outcome, old_answer.outcome, candidates_[edits.front()]);
      return out;
    }
  }
  if (is_told(member, edits, out)) {
    const Subject::Answer answer = right.ask(Wanted(std::vector<std::string>{wish_.item}));
    out.why = reason(answer.outcome, answer.outcome, candidates_[edits.front()]);
  }
  return out;
}

std::string Candidates::reason(const Outcome& after, const Outcome& before, const Candidate& candidate) const {
  if (after.failure) return "the result fails: " + after.failure->message;
  for (const Item& item : after.items) {
    if (item.failure && item.name == wish_.item) return "the result fails: " + item.failure->message;
  }
  const Value found = goal_.found_in(after);
  if (!found) return hidden(after);
  const Place place = excerpt_of(after, found).place;
  const bool is_own = place.file == files_[candidate.file].shown && candidate.is_set;
  const query::ReferenceSyntax syntax = question_.traits().reference_syntax;
  const Value old = goal_.found_in(before);
  if (wish_.value && !is_own && old && equal(found, old)) return stronger_at(place);
  if (wish_.value && is_own && !found.is_container() && !wish_.value.is_container()) {
    const bool is_expression = wish_.value.is_text() && query::refers(syntax, wish_.value.text());
    return is_expression ? "it is interpolated" : "the type is converted";
  }
  if (!wish_.value) return "another value is at " + place.to_string();
  if (is_own && query::refers(syntax, wish_.spelling)) return "it is interpolated";
  return "the merge adds to it: it becomes " + report::one_line(found);
}

/// Why a place is not in a result: something else is above it.
std::string Candidates::hidden(const Outcome& outcome) const {
  const Value above = goal_.found_above(outcome);
  return above ? stronger_at(excerpt_of(outcome, above).place) : "the place is not in the result";
}

Score Candidates::score(std::size_t subject, const Numbers& edits) const {
  return score_of(members_[subject], verdict(subject, edits));
}

std::set<std::size_t> Candidates::readers_of(const Numbers& edits) const {
  std::set<std::size_t> out;
  for (const Number edit : edits) out.insert(file_of(edit).readers.begin(), file_of(edit).readers.end());
  return out;
}

}  // namespace strata::analysis::proposing
