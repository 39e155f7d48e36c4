// SPDX-License-Identifier: Apache-2.0
// Finds statements without which every result is the same, by taking them out and evaluating again.
//
// Statements are tried by depth, the outermost first; what is inside of a dead one is dead. One evaluation per
// statement would be too slow. Most statements of long lists and mappings are known to matter by removing many of them
// at once (group_proof.cpp). The others are taken out in rounds. Within a round, no target misses two statements
// of one item: then a changed result shows which statement matters. `free_round` assigns rounds in this way, by the
// files that some target reads together (`near_`). Statements whose item refers to others, or that could not be taken
// out with others of their file, go by colour: files of one colour have no target in common, so a target misses one
// statement at most.
//
// Cost: rounds × targets that read an edited file, of which only one of each class with equal answers is evaluated. A
// budget (SearchBudget) bounds the rounds by what one target reads and makes; a remark names what they leave out.
// Tested by tests/cli/check_properties_test.py, which takes out each statement alone and asks the plain command;
// with long lists by tests/cli/long_lists_test.py.
#include "analysis/dead.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analysis/group_proof.hpp"
#include "analysis/trial.hpp"
#include "strata/links.hpp"
#include "strata/path.hpp"
#include "value/seeded_hash.hpp"
#include "wording.hpp"

namespace strata::analysis {
namespace {

/// Whether a text asks for other items of results.
bool holds_reference(const Value& value, query::ReferenceSyntax syntax) {  // Recursion: bounded by Limits::depth.
  if (value.is_text()) return query::refers_to_items(syntax, value.text());
  const auto refer = [syntax](const Value& member) { return holds_reference(member, syntax); };
  if (value.is_sequence()) return std::ranges::any_of(value.items(), refer);
  if (value.kind() != Kind::mapping) return false;
  return std::ranges::any_of(value.entries(),
                             [&](const Entry& entry) { return refer(entry.key) || refer(entry.value); });
}

/// The value at a path of an item.
Value value_in(const Outcome& outcome, const std::string& item, std::span<const std::string> path) {
  const auto found = std::ranges::find(outcome.items, item, &Item::name);
  return found == outcome.items.end() ? Value() : value_at(found->value, path);
}

class DeadStatementFinder {
 public:
  DeadStatementFinder(const Question& question, const State& state, const Ledger& ledger, std::string folder,
                      const Limits& limits, SearchBudget& budget)
      : question_(question),
        state_(edited(state, {}, folder)),
        ledger_(ledger),
        folder_(std::move(folder)),
        limits_(limits),
        budget_(budget),
        traits_(question.traits()),
        has_items_(traits_.has_items()) {
    if (has_items_) find_colours();
  }

  std::vector<Removal> find(bool wants_items) {
    const auto& statements = ledger_.stated().all();
    std::size_t deepest = 0;
    for (const Statement& one : statements) deepest = std::max(deepest, one.tokens.size());
    std::vector<bool> is_dead(statements.size());
    std::vector<Removal> out;
    for (std::size_t depth = 1; depth <= deepest; ++depth) {
      std::vector<Removal> wave;
      for (std::uint32_t i = 0; i < statements.size(); ++i) {
        const Statement& one = statements[i];
        if (one.tokens.size() != depth) continue;
        if (one.parent != Statement::kNone && is_dead[one.parent]) is_dead[i] = true;
        if (is_dead[i] || one.is_needed || ledger_.is_doubtful(one) || (one.is_item && !wants_items) ||
            !ledger_.stated().is_looked_at(one) || !is_known(one) || !is_addressed(one))
          continue;
        wave.push_back({.statement = i});
      }
      try_all(wave);
      for (Removal& one : wave) {
        if (!one.is_dead) continue;
        is_dead[one.statement] = true;
        out.push_back(std::move(one));
      }
    }
    std::ranges::sort(out, {}, &Removal::statement);
    return out;
  }

  std::optional<bool> changes_with(const FileRecord& file, const std::string& text) {
    if (!budget_.take()) return std::nullopt;
    bool changes = false;
    try_edits(question_, state_, edited(state_, {{file.path, text}}, folder_), {file.path},
              [&](const Tried& tried) {
                changes = !tried.is_same();
                return !changes;
              },
              {.firsts = ledger_.firsts(), .reads = &reads_});
    return changes;
  }

  std::vector<std::uint32_t> find_files(const std::string& nothing) {
    std::vector<std::uint32_t> out;
    const auto& files = ledger_.stated().files();
    if (std::ranges::count_if(files, [](const auto& file) { return !file->statements.empty(); }) < 2) return out;
    for (std::uint32_t i = 0; i < files.size(); ++i) {
      const auto is_looked_at = [this](std::uint32_t statement) {
        return ledger_.stated().is_looked_at(ledger_.stated().all()[statement]);
      };
      if (std::ranges::none_of(files[i]->statements, is_looked_at)) continue;
      const auto changes = changes_with(*files[i], nothing);
      if (!changes) {
        const Sources& sources = *files[i]->reading->sources;
        budget_.leave_out(excerpt_at(sources, sources.at(files[i]->reading->source, 0)));
      } else if (!*changes) {
        out.push_back(i);
      }
    }
    return out;
  }

 private:
  using Round = std::vector<Removal*>;

  /// Files that one subject reads have different numbers, and so have the names of one file.
  void find_colours() {
    const auto& files = ledger_.stated().files();
    colours_.assign(files.size(), 0);
    std::map<std::string, std::vector<std::uint32_t>> by_place;
    for (std::uint32_t i = 0; i < files.size(); ++i)
      by_place[detail::real_path(*state_.files, files[i]->path)].push_back(i);
    std::vector<const std::vector<std::uint32_t>*> names(files.size());
    for (const auto& [place, of_place] : by_place) {
      for (const std::uint32_t file : of_place) names[file] = &of_place;
    }
    near_.resize(files.size());
    for (std::uint32_t i = 0; i < files.size(); ++i) {
      std::vector<std::uint32_t>& near = near_[i];
      for (const std::uint32_t name : *names[i]) {
        near.push_back(name);
        for (const std::uint32_t other : files[name]->read_with)
          near.insert(near.end(), names[other]->begin(), names[other]->end());
      }
      std::ranges::sort(near);
      near.erase(std::unique(near.begin(), near.end()), near.end());
      std::set<std::size_t> taken;
      for (const std::uint32_t one : near) {
        if (one < i) taken.insert(colours_[one]);
      }
      while (taken.contains(colours_[i])) ++colours_[i];
    }
  }

  /// In which rounds statements of one item go, by file.
  using RoundsOfItem = std::map<std::uint32_t, std::set<std::size_t>>;

  /// The first round in which no subject that reads a file misses another statement of the item.
  [[nodiscard]] std::size_t free_round(std::uint32_t file, const RoundsOfItem& rounds) const {
    std::set<std::size_t> taken;
    const std::vector<std::uint32_t>& near = near_[file];
    if (near.size() < rounds.size()) {
      for (const std::uint32_t one : near) {
        if (const auto found = rounds.find(one); found != rounds.end())
          taken.insert(found->second.begin(), found->second.end());
      }
    } else {
      for (const auto& [one, of_file] : rounds) {
        if (std::ranges::binary_search(near, one)) taken.insert(of_file.begin(), of_file.end());
      }
    }
    std::size_t out = 0;
    while (taken.contains(out)) ++out;
    return out;
  }

  void try_all(std::vector<Removal>& wave) {
    prove_needed(wave);
    if (!has_items_) {
      is_single_ = true;
      for (Removal& one : wave) {
        if (one.is_dead) run({&one});
      }
      return;
    }
    // For each subject and item at most one statement goes at a time, so that it is known which one matters. A
    // statement that may affect other items goes alone.
    std::map<std::size_t, Round> rounds;
    std::map<std::string, RoundsOfItem> of_item;
    std::vector<Removal*> alone;
    for (Removal& one : wave) {
      if (!one.is_dead) continue;
      const Statement& statement = ledger_.stated().all()[one.statement];
      const std::string item = ledger_.stated().item_of(statement);
      if (has_others(statement, item)) {
        alone.push_back(&one);
        continue;
      }
      RoundsOfItem& taken = of_item[item];
      const std::size_t number = free_round(statement.file, taken);
      taken[statement.file].insert(number);
      rounds[number].push_back(&one);
    }
    retry_.clear();
    for (const auto& [number, round] : rounds) run(round);
    std::ranges::sort(retry_);
    retry_.erase(std::unique(retry_.begin(), retry_.end()), retry_.end());
    alone.insert(alone.end(), retry_.begin(), retry_.end());
    // Files of one colour have no subject in common: each subject misses at most one statement.
    std::map<std::pair<std::size_t, std::size_t>, Round> singles;
    std::map<std::uint32_t, std::size_t> of_file;
    for (Removal* one : alone) {
      one->is_dead = true;
      const std::uint32_t file = ledger_.stated().all()[one->statement].file;
      singles[{of_file[file]++, colours_[file]}].push_back(one);
    }
    is_single_ = true;
    for (const auto& [place, round] : singles) run(round);
    is_single_ = false;
  }

  /// Whether other items may change with one of its statements, or it with theirs.
  bool has_others(const Statement& statement, const std::string& item) {
    if (!related_) find_related();
    if (related_->contains(item)) return true;
    // The classes of a node decide which other files it has.
    return traits_.items == query::ItemKind::section_member &&
           (names_any_class_ || ledger_.stated().is_in_further_section(statement));
  }

  /// The items whose value somewhere refers to others; and those that names of classes refer to.
  void find_related() {
    related_.emplace();
    for (const Statement& one : ledger_.stated().all()) {
      const bool is_root = ledger_.stated().is_root(one);
      const bool names_file = one.value.is_text() && ledger_.stated().is_in_further_section(one);
      if ((!is_root && !names_file) || !holds_reference(one.value, traits_.reference_syntax)) continue;
      if (is_root) related_->insert(ledger_.stated().item_of(one));
      if (!names_file) continue;
      for (std::string& name : traits_.references_in(one.value.text()).items) {
        names_any_class_ = names_any_class_ || name.empty();
        related_->insert(std::move(name));
      }
    }
  }

  /// Marks statements of long lists and mappings that matter to the first target that reads them.
  void prove_needed(std::vector<Removal>& wave) {
    // With items, one round removes a statement of each item, so that only statements of one item are many.
    const std::size_t few = has_items_ ? 256 : 48;
    std::map<std::size_t, std::map<std::string, Round>> by_reader;
    for (Removal& one : wave) {
      const Statement& statement = ledger_.stated().all()[one.statement];
      const std::string item = has_items_ ? ledger_.stated().item_of(statement) : std::string();
      by_reader[ledger_.stated().files()[statement.file]->first_reader][item].push_back(&one);
    }
    for (const auto& [reader, by_item] : by_reader) {
      std::map<std::uint32_t, Removal*> removals;
      for (const auto& [item, of_item] : by_item) {
        if (of_item.size() <= few) continue;
        for (Removal* one : of_item) removals.emplace(one->statement, one);
      }
      std::vector<std::uint32_t> numbers;
      numbers.reserve(removals.size());
      for (const auto& [number, removal] : removals) numbers.push_back(number);
      // What is left of the budget is better spent on single statements.
      if (numbers.empty() || budget_.left() < evaluations_of_groups(numbers.size())) continue;
      const auto evaluate = [this, of = reader](std::span<const std::uint32_t> some, const TakeOutcomes& take) {
        evaluate_without(of, some, take);
      };
      const std::size_t halvings = std::min(few + numbers.size() / 8, budget_.left() / 4);
      for (const std::uint32_t one : needed_by_groups(ledger_.stated(), numbers, evaluate, halvings))
        removals.at(one)->is_dead = false;
    }
  }

  /// As EvaluateWithout, for the target with a number.
  void evaluate_without(std::size_t reader, std::span<const std::uint32_t> statements, const TakeOutcomes& take) {
    std::map<std::uint32_t, std::vector<edit::Spot>> spots;
    for (const std::uint32_t number : statements) {
      const Statement& one = ledger_.stated().all()[number];
      spots[one.file].push_back({.document = one.document, .pointer = one.pointer()});
    }
    if (!budget_.take()) return;
    Edits edits;
    std::set<std::string> paths;
    for (const auto& [number, of_file] : spots) {
      const FileRecord& file = *ledger_.stated().files()[number];
      try {
        edits[file.path] = edit::without(file.name, file.reading->text(), file.form, of_file, limits_);
      } catch (const Error& error) {
        if (error.ends_request()) throw;
        return;
      }
      paths.insert(file.path);
    }
    const auto is_reader = [reader](std::size_t number) { return number == reader; };
    const auto matters = [&](const std::vector<std::string>& /*read*/, std::size_t number) {
      return is_reader(number);
    };
    const auto is_over = [reader](std::size_t number) { return number > reader; };
    const auto take_tried = [&](const Tried& tried) {
      if (!is_reader(tried.number)) return true;
      budget_.note_result(tried.before);
      if (!tried.before.failure && !tried.after.failure) take(tried.before, tried.after);
      return false;
    };
    try_edits(
        question_, state_, edited(state_, edits, folder_), paths, take_tried,
        {.is_needed = is_reader, .matters = matters, .is_over = is_over, .firsts = ledger_.firsts(), .reads = &reads_});
  }

  void run(const Round& round) {
    if (!budget_.take()) {
      for (Removal* one : round) {
        one->is_dead = false;
        const Statement& statement = ledger_.stated().all()[one->statement];
        budget_.leave_out(
            excerpt_at(*ledger_.stated().files()[statement.file]->reading->sources, statement.place.origin()));
      }
      return;
    }
    std::map<std::uint32_t, std::vector<Removal*>> by_file;
    for (Removal* one : round) by_file[ledger_.stated().all()[one->statement].file].push_back(one);
    Edits edits;
    std::map<std::string, std::uint32_t, std::less<>> edited_files;
    for (auto& [number, removals] : by_file) {
      const FileRecord& file = *ledger_.stated().files()[number];
      auto text = without(file, removals);
      // What cannot be taken out must not keep the others.
      if (!text && removals.size() > 1) {
        removals = removable(file, removals);
        if (!removals.empty()) text = without(file, removals);
        if (!text) std::ranges::copy(removals, std::back_inserter(retry_));
      }
      if (!text) {
        removals.clear();
        continue;
      }
      edits[file.path] = std::move(*text);
      edited_files.emplace(file.path, number);
    }
    if (edits.empty()) return;
    std::set<std::string> paths;
    for (const auto& [path, file] : edited_files) paths.insert(path);
    std::set<std::size_t> first_readers;
    for (const auto& [number, removals] : by_file) {
      if (!removals.empty()) first_readers.insert(ledger_.stated().files()[number]->first_reader);
    }
    const auto take = [&](const Tried& tried) {
      budget_.note_result(tried.before);
      look_at(tried, by_file, edited_files);
      return true;
    };
    // Places are those of the first subject that reads a file.
    const auto is_needed = [&](std::size_t number) { return first_readers.contains(number); };
    // What is known to change something needs no other subject.
    const auto is_open = [](const Removal* one) { return one->is_dead; };
    const auto matters = [&](const std::vector<std::string>& read, std::size_t number) {
      return std::ranges::any_of(read, [&](const std::string& path) {
        const std::uint32_t file = edited_files.at(path);
        return ledger_.stated().files()[file]->first_reader == number || std::ranges::any_of(by_file.at(file), is_open);
      });
    };
    const auto is_over = [&](std::size_t number) {
      return *first_readers.rbegin() < number && std::ranges::none_of(round, is_open);
    };
    try_edits(
        question_, state_, edited(state_, edits, folder_), paths, take,
        {.is_needed = is_needed, .matters = matters, .is_over = is_over, .firsts = ledger_.firsts(), .reads = &reads_});
  }

  /// The text of a file without statements. No value: they cannot be taken out, and none of them counts as dead.
  [[nodiscard]] std::optional<std::string> without(const FileRecord& file,
                                                   const std::vector<Removal*>& removals) const {
    std::vector<edit::Spot> spots;
    for (const Removal* one : removals) {
      const Statement& statement = ledger_.stated().all()[one->statement];
      spots.push_back({.document = statement.document, .pointer = statement.pointer()});
    }
    try {
      auto out = edit::without(file.name, file.reading->text(), file.form, spots, limits_);
      for (Removal* one : removals) one->is_dead = true;
      return out;
    } catch (const Error& error) {
      if (error.ends_request()) throw;
      for (Removal* one : removals) one->is_dead = false;
      return std::nullopt;
    }
  }

  /// Those of them that can be taken out. Recursion: halves.
  [[nodiscard]] std::vector<Removal*> removable(const FileRecord& file, std::span<Removal* const> some) const {
    std::vector<Removal*> all(some.begin(), some.end());
    if (some.empty() || without(file, all)) return all;
    if (some.size() == 1) return {};
    std::vector<Removal*> out = removable(file, some.first(some.size() / 2));
    std::ranges::copy(removable(file, some.subspan(some.size() / 2)), std::back_inserter(out));
    return out;
  }

  /// Whether results have its section.
  [[nodiscard]] bool is_known(const Statement& statement) const {
    return traits_.unknown_members != query::UnknownMembers::ignored ||
           std::ranges::binary_search(traits_.known_members, std::string_view(statement.tokens.front()));
  }

  /// Whether the pointer of a statement leads to it, and not to another one with a key of the same text.
  [[nodiscard]] bool is_addressed(const Statement& statement) const {
    Value here = ledger_.stated().files()[statement.file]->reading->documents[statement.document].root;
    Value place;
    for (const std::string& token : statement.tokens) {
      const std::size_t index = index_of_token(here, token);
      if (index == Arena::npos) return false;
      place = here.is_sequence() ? here.items()[index] : here.entries()[index].key;
      here = here.is_sequence() ? here.items()[index] : here.entries()[index].value;
    }
    return place.origin() == statement.place.origin();
  }

  void look_at(const Tried& tried, std::map<std::uint32_t, std::vector<Removal*>>& by_file,
               const std::map<std::string, std::uint32_t, std::less<>>& edited_files) {
    if (is_single_) return look_at_single(tried, by_file, edited_files);
    if (tried.before.failure || tried.after.failure) {
      if (tried.is_same()) return;
      for (const std::string& path : tried.read) {
        for (Removal* one : by_file.at(edited_files.at(path))) doubt(*one, by_file);
      }
      return;
    }
    std::size_t explained = 0;
    std::vector<Removal*> others;
    for (const std::string& path : tried.read) {
      const std::uint32_t file = edited_files.at(path);
      for (Removal* one : by_file.at(file)) {
        const Statement& statement = ledger_.stated().all()[one->statement];
        if (ledger_.stated().files()[file]->first_reader == tried.number)
          tell_places(*one, statement, tried.before, tried.after);
        if (!has_items_ ? !tried.changed.empty() : tried.changed.contains(ledger_.stated().item_of(statement))) {
          one->is_dead = false;
          ++explained;
        } else {
          others.push_back(one);
        }
      }
    }
    if (tried.changed.empty() || explained != 0) return;
    for (Removal* one : others) doubt(*one, by_file);
  }

  /// The subject misses one statement.
  void look_at_single(const Tried& tried, std::map<std::uint32_t, std::vector<Removal*>>& by_file,
                      const std::map<std::string, std::uint32_t, std::less<>>& edited_files) {
    const bool has_results = !tried.before.failure && !tried.after.failure;
    for (const std::string& path : tried.read) {
      const std::uint32_t file = edited_files.at(path);
      for (Removal* one : by_file.at(file)) {
        if (!tried.is_same()) one->is_dead = false;
        if (has_results && ledger_.stated().files()[file]->first_reader == tried.number) {
          tell_places(*one, ledger_.stated().all()[one->statement], tried.before, tried.after);
        }
      }
    }
  }

  /// One of those that were taken out matters. Where there are several, it is not known which.
  void doubt(Removal& removal, const std::map<std::uint32_t, std::vector<Removal*>>& by_file) {
    removal.is_dead = false;
    if (std::ranges::count_if(by_file, [](const auto& of_file) { return !of_file.second.empty(); }) > 1 ||
        std::ranges::any_of(by_file, [](const auto& of_file) { return of_file.second.size() > 1; })) {
      retry_.push_back(&removal);
    }
  }

  void tell_places(Removal& removal, const Statement& statement, const Outcome& before, const Outcome& after) {
    const std::string item = ledger_.stated().item_of(statement);
    std::vector<std::string> path = parse_pointer(ledger_.stated().path_of(statement));
    if (statement.is_item) {
      path.pop_back();
      const Value list = value_in(after, item, path);
      if (!list.is_sequence()) return;
      const auto same = std::ranges::find_if(
          list.items(), [&statement](const Value& one) { return identical(one, statement.value); });
      removal.is_lost = same == list.items().end();
      if (!removal.is_lost) removal.without = kept_place(removal.statement, after, *same);
      return;
    }
    removal.without = kept_place(removal.statement, after, value_in(after, item, path));
    const Value value = value_in(before, item, path);
    const auto winner = stronger(before, value, statement, statement.value);
    removal.with = winner.value_or(Excerpt());
    removal.is_beaten = winner.has_value();
    removal.has_value = static_cast<bool>(value);
    if (const Excerpt* rival = value ? nullptr : ledger_.rival(removal.statement)) {
      removal.with = *rival;
      removal.is_beaten = removal.has_value = true;
    }
  }

  /// The first value of a result that stands where something of a statement would, and is stronger. No value: there is
  /// none.
  // Recursion: bounded by Limits::depth.
  [[nodiscard]] std::optional<Excerpt> stronger(const Outcome& outcome, const Value& found, const Statement& statement,
                                                const Value& own) const {
    if (!found) return std::nullopt;
    if (found.is_mapping() && own.is_mapping() && found.size() != 0 && own.size() != 0 && !found.is_secret()) {
      for (const Entry& entry : own.entries()) {
        const Entry* member = entry.key.is_text() ? found.find_entry(entry.key.text()) : nullptr;
        if (member == nullptr) continue;
        if (auto out = stronger(outcome, member->value, statement, entry.value)) return out;
      }
      return std::nullopt;
    }
    Excerpt out = excerpt_of(outcome, found);
    return ledger_.is_stronger(out.place.file, statement.file) ? std::optional(std::move(out)) : std::nullopt;
  }

  /// The place in the files that holds what stays in a result without a statement. Places of `after` are those in files
  /// that lack all statements of a round: this is the place in the files as they are. Empty if what is written there is
  /// not the value that stays: then a merge or an interpolation made it.
  Excerpt kept_place(std::uint32_t removed, const Outcome& after, const Value& kept) {
    if (!kept) return {};
    const Excerpt found = excerpt_of(after, kept);
    const auto file = ledger_.stated().find_shown(found.place.file);
    if (!file) return {};
    const Statement& statement = ledger_.stated().all()[removed];
    const FileRecord& record = *ledger_.stated().files()[*file];
    Excerpt first;
    std::size_t count = 0;
    for (const std::uint32_t number : statements_for(*file, path_in_results(statement))) {
      const Statement& other = ledger_.stated().all()[number];
      if (number == removed || !identical(other.value, kept)) continue;
      Excerpt where = excerpt_of(*record.reading->sources, other.value);
      if (where.place == found.place) return where;
      if (++count == 1) first = std::move(where);
    }
    // Of equal items each is the same one. Of several documents it is not known which one is meant.
    return count == 1 || statement.is_item ? first : Excerpt();
  }

  /// The place of a statement's value in results; for an item of a list, that of the list. Documents inherit from
  /// others.
  [[nodiscard]] std::string path_in_results(const Statement& statement) const {
    std::string out = traits_.has_documents ? std::string() : ledger_.stated().item_of(statement);
    std::string path = ledger_.stated().path_of(statement);
    if (statement.is_item) path.erase(path.rfind('/') + 1);
    return out.append(1, '\0').append(path);
  }

  /// The statements of a file for a place in results.
  const std::vector<std::uint32_t>& statements_for(std::uint32_t file, const std::string& path) {
    const auto [known, is_new] = by_place_.try_emplace(file);
    if (is_new) {
      for (const std::uint32_t number : ledger_.stated().files()[file]->statements)
        known->second[path_in_results(ledger_.stated().all()[number])].push_back(number);
    }
    return known->second[path];
  }

  const Question& question_;
  State state_;  ///< Its warnings were reported when the ledger was filled.
  const Ledger& ledger_;
  std::string folder_;
  const Limits& limits_;
  SearchBudget& budget_;
  const query::Traits& traits_;
  bool has_items_;  ///< As Traits::has_items.
  std::vector<std::vector<std::uint32_t>>
      near_;  ///< By file: those that some subject reads with it, itself among them; rising.
  std::vector<std::size_t> colours_;
  std::optional<std::set<std::string, std::less<>>> related_;
  bool names_any_class_ = false;  ///< The name of a class refers to a parameter whose name is known only later.
  std::vector<Removal*> retry_;
  KnownReads reads_;
  /// By file: its statements by the places of their values in results. Filled on demand.
  std::map<std::uint32_t, TextMap<std::vector<std::uint32_t>>> by_place_;
  bool is_single_ = false;  ///< The round takes one statement from each subject at most.
};

}  // namespace

std::vector<Removal> dead_statements(const Question& question, const State& state, const Ledger& ledger,
                                     const std::string& folder, const Limits& limits, bool wants_items,
                                     SearchBudget& budget) {
  return DeadStatementFinder(question, state, ledger, folder, limits, budget).find(wants_items);
}

std::vector<std::uint32_t> dead_files(const Question& question, const State& state, const Ledger& ledger,
                                      const std::string& folder, const Limits& limits, const std::string& nothing,
                                      SearchBudget& budget) {
  return DeadStatementFinder(question, state, ledger, folder, limits, budget).find_files(nothing);
}

std::optional<bool> changes_with(const Question& question, const State& state, const Ledger& ledger,
                                 const std::string& folder, const Limits& limits, std::uint32_t file,
                                 const std::string& text, SearchBudget& budget) {
  return DeadStatementFinder(question, state, ledger, folder, limits, budget)
      .changes_with(*ledger.stated().files()[file], text);
}

}  // namespace strata::analysis
