// SPDX-License-Identifier: Apache-2.0
#include "analysis/ledger.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "analysis/real_folders.hpp"
#include "analysis/secrets/secret_values.hpp"
#include "strata/links.hpp"
#include "strata/path.hpp"
#include "strata/paths.hpp"

namespace strata::analysis {
namespace {

constexpr std::uintptr_t kFateBits = 7;
static_assert(alignof(LeafRecord) > kFateBits && std::tuple_size_v<decltype(LeafRecord::counts)> <= kFateBits + 1);

}  // namespace

Ledger::Ledger(State state, const query::Traits& traits, std::string folder, Limits limits)
    : stated_(std::move(state), traits, std::move(folder), std::move(limits)) {}

std::pair<const ReadingClass&, bool> Ledger::add(Subject& subject, const Subject::Answer& answer, std::size_t number,
                                                 std::optional<std::uint64_t> alike) {
  constexpr std::size_t kMostFates = std::size_t{1} << 20U;
  constexpr std::size_t kMostAnswers = std::size_t{1} << 14U;
  const auto [found, is_new] = class_of(subject, answer);
  if (fates_.size() >= kMostFates || repeated_.size() >= kMostAnswers) forget_repeated();
  // Most answers of a fleet are given once, or often.
  const auto [repeated, is_first] = alike ? repeated_.try_emplace(*alike) : std::pair(repeated_.end(), true);
  keeps_fates_ = !is_first;
  const std::size_t begin = fates_.size();
  for (const std::uint32_t one : found->files) {
    FileRecord& file = *stated_.files()[one];
    ++file.readers;
    if (file.first_reader == 0) {
      file.first_reader = number;
      file.first_name = subject.name();
    }
  }
  add_history(answer, number);
  note_failed(answer, *found);
  if (keeps_fates_) repeated->second = {.read = found, .begin = begin, .end = fates_.size()};
  return {*found, is_new};
}

namespace {

/// What a subject that failed says of its files, as far as it can say it.
template <class Ask>
auto unless_it_fails(const Ask& ask) -> decltype(ask()) {
  try {
    return ask();
  } catch (const Error& error) {
    if (!is_failure(error)) throw;
    return {};
  }
}

}  // namespace

void Ledger::add_failed(Subject& subject, const Subject::Answer& answer, bool lists) {
  const auto own = subject.reads();
  const auto& reads = own ? own : answer.reads;
  const bool is_shared = own != nullptr;
  const auto known = is_shared ? files_of_failed_.find(reads) : files_of_failed_.end();
  std::vector<std::uint32_t> files;
  if (known != files_of_failed_.end()) {
    files = known->second;
  } else {
    for (const std::string& path : reads->files) {
      if (!read_by_failed_.insert(path).second) continue;
      read_by_failed_.insert(detail::real_path(*stated_.state().files, path));
    }
    for (const ConfigurationFile& file : unless_it_fails([&] { return subject.files()->read(); }))
      files.push_back(stated_.add(file));
    if (is_shared) files_of_failed_.emplace(reads, files);
  }
  if (lists) {
    const auto of_subject = subject.files();
    for (std::string& folder : unless_it_fails([&] { return of_subject->folders(); }))
      folders_.insert(std::move(folder));
    // What comes behind the file that is broken is not read.
    for (const ConfigurationFile& file : unless_it_fails([&] { return of_subject->editable({}); })) {
      if (stated_.tree().kind(file.path) == FileKind::file) files.push_back(stated_.add(file));
    }
    std::ranges::sort(files);
    files.erase(std::unique(files.begin(), files.end()), files.end());
  }
  for (const std::uint32_t file : files) {
    ++stated_.files()[file]->readers;
    stated_.files()[file]->has_failed = true;
  }
}

const ReadingClass* Ledger::add_again(std::optional<std::uint64_t> alike) {
  const auto known = alike ? repeated_.find(*alike) : repeated_.end();
  if (known == repeated_.end() || known->second.read == nullptr) return nullptr;
  ++known->second.more;
  return known->second.read;
}

void Ledger::add_first(std::size_t number, std::optional<std::uint64_t> alike) {
  constexpr std::size_t kMostFirsts = 4096;
  if (!keeps_firsts_ || (alike && !have_firsts_.insert(*alike).second)) return;
  firsts_.push_back({.number = number});
  if (firsts_.size() <= kMostFirsts) return;
  keeps_firsts_ = false;
  firsts_.clear();
  have_firsts_.clear();
}

void Ledger::find_firsts(const Question& question, std::size_t subjects) {
  have_firsts_.clear();
  if (2 * firsts_.size() > subjects) firsts_.clear();
  if (firsts_.empty()) return;
  const auto asked = question.in(stated_.state(), Question::History::no, Question::Telling::nothing);
  std::size_t number = 0;
  for (First& first : firsts_) {
    std::unique_ptr<Subject> subject;
    for (; number < first.number; ++number) subject = asked->next();
    first.member = subject ? subject->member() : nullptr;
    if (first.member != nullptr) continue;
    firsts_.clear();
    return;
  }
}

void Ledger::forget_repeated() {
  for (const auto& [alike, one] : repeated_) {
    if (one.more == 0) continue;
    for (const std::uint32_t file : one.read->files) stated_.files()[file]->readers += one.more;
    for (std::size_t at = one.begin; at < one.end; ++at) {
      const std::uintptr_t fate = fates_[at];
      // NOLINTNEXTLINE(performance-no-int-to-ptr): it was made of one.
      reinterpret_cast<LeafRecord*>(fate & ~kFateBits)->counts[fate & kFateBits] += one.more;
    }
  }
  repeated_.clear();
  fates_.clear();
}

void Ledger::finish() { forget_repeated(); }

/// Files that do not exist, of which each subject may have others, make no difference, but for what leads to files.
Ledger::ClassName Ledger::name_of(const ReadingClass& made, SubjectFiles& of_subject) {
  std::vector<std::uint32_t> name = made.files;
  for (const Use& use : of_subject.uses()) name.push_back(use.is_used ? 1 : 0);
  return {made.files.size(), std::move(name)};
}

std::pair<ReadingClass*, bool> Ledger::class_of(Subject& subject, const Subject::Answer& answer) {
  // Else it is known for all together, who have read more than each of them.
  const bool has_own_reads = subject.reads() != nullptr;
  if (const auto known = by_reads_.find(answer.reads); has_own_reads && known != by_reads_.end())
    return {known->second, false};
  const auto of_subject = subject.files();
  ReadingClass made;
  for (const ConfigurationFile& file : of_subject->read()) made.files.push_back(stated_.add(file));
  ReadingClass* none = nullptr;
  ReadingClass*& of_files = stated_.traits().has_items() ? by_files_[name_of(made, *of_subject)] : none;
  const bool is_new = of_files == nullptr;
  if (is_new) of_files = &classes_.emplace_back(std::move(made));
  ReadingClass* const out = of_files;
  if (has_own_reads) {
    constexpr std::size_t kMostReads = 512;  // Whoever makes them keeps no more.
    if (by_reads_.size() >= kMostReads) by_reads_.clear();
    by_reads_.emplace(answer.reads, out);
  }
  if (is_new) begin(*out, *of_subject);
  return {out, is_new};
}

void Ledger::begin(ReadingClass& made, SubjectFiles& of_subject) {
  for (std::string& folder : of_subject.folders()) folders_.insert(std::move(folder));
  for (const std::uint32_t one : made.files) {
    for (const std::uint32_t other : made.files) {
      auto& others = stated_.files()[one]->read_with;
      const auto at = std::ranges::lower_bound(others, other);
      if (at == others.end() || *at != other) others.insert(at, other);
    }
  }
  add_parts(of_subject, made);
}

std::vector<std::string> Ledger::unread() const {
  const FileTree& tree = stated_.tree();
  std::set<std::string> read = read_by_failed_;  // By links.
  for (const auto& file : stated_.files()) read.insert(detail::real_path(tree, file->path));
  RealFolders walk(tree);
  std::map<std::string, std::string> out;  // By where they are.
  for (const std::string& folder : folders_) {
    walk.each_file(folder, true, [&](const std::string& path, const std::string& name, FileKind kind) {
      if (kind != FileKind::file || !is_data(name) || stated_.find(path)) return;
      const std::string place = detail::real_path(tree, path);
      if (!read.contains(path) && !read.contains(place)) out.try_emplace(place, path);
    });
  }
  std::vector<std::string> paths;
  paths.reserve(out.size());
  for (auto& [place, path] : out) paths.push_back(std::move(path));
  std::ranges::sort(paths);
  return paths;
}

/// Whether a file of this name is meant to be read for its data.
bool Ledger::is_data(std::string_view name) const {
  constexpr std::array<std::string_view, 3> kConfigurations{".strata-check.yaml", ".strata.yaml", "hiera.yaml"};
  return std::ranges::any_of(stated_.traits().extensions,
                             [name](std::string_view extension) { return name.ends_with(extension); }) &&
         std::ranges::find(kConfigurations, name) == kConfigurations.end();
}

void Ledger::add_parts(SubjectFiles& of_subject, ReadingClass& known) {
  if (!stated_.traits().merges_by_key()) return;
  for (const std::uint32_t one : known.files) {
    for (const std::uint32_t number : stated_.files()[one]->statements) {
      const Statement& statement = stated_.all()[number];
      if (statement.parent != Statement::kNone || statement.is_item || !statement.value.is_container()) continue;
      const std::string& key = statement.tokens.front();
      const auto [place, is_new] =
          known.keys.try_emplace(key, Merging{.parts = Merging::Parts::none, .joins_items = false});
      Merging& merging = place->second;
      try {
        if (is_new) merging = of_subject.merging(key);
      } catch (const Error& error) {
        if (!is_failure(error)) throw;
      }
      stated_.add_merging(one, key, merging);
    }
  }
}

void Ledger::add_history(const Subject::Answer& answer, std::size_t number) {
  const merge::History* history = answer.outcome.history;
  if (history == nullptr) return;
  stated_.begin_subject();
  for (const Item& item : answer.outcome.items) {
    if (item.failure) continue;
    for (const merge::PathHistory& path : history->explain({item.value, item.slot}))
      count(*answer.outcome.sources, item, path, number);
  }
}

void Ledger::tally(LeafRecord& leaf, merge::Fate of_leaf, std::size_t number) {
  tally(leaf, static_cast<std::size_t>(of_leaf), number);
  if (of_leaf == merge::Fate::won || of_leaf == merge::Fate::merged) tally(leaf, LeafRecord::kSeen, number);
}

void Ledger::tally(LeafRecord& leaf, std::size_t what, std::size_t number) {
  if (leaf.last[what] == number) return;
  leaf.last[what] = static_cast<std::uint32_t>(number);
  ++leaf.counts[what];
  if (keeps_fates_) fates_.push_back(reinterpret_cast<std::uintptr_t>(&leaf) | what);
}

// Recursion: bounded by Limits::depth.
void Ledger::count_below(const Sources& sources, const Value& container, merge::Fate fate, bool is_secret,
                         std::size_t number) {
  const bool is_shown = fate == merge::Fate::merged || fate == merge::Fate::won;
  const auto look_at = [&](const Value& member) {
    if (!member.is_leaf()) return count_below(sources, member, fate, is_secret, number);
    LeafRecord* leaf = stated_.leaf_at(sources, member.origin());
    if (leaf == nullptr) return;
    // A text that a document is given has the place of a part of it.
    const bool is_written = !stated_.traits().has_documents || identical(member, leaf->value);
    if ((is_secret || member.is_secret()) && is_written) Statements::hide(*leaf);
    if (!is_shown) return;
    tally(*leaf, fate, number);
    show(leaf->statement);
  };
  if (container.is_sequence()) {
    for (const Value& item : container.items()) look_at(item);
  } else if (container.is_mapping()) {
    for (const Entry& entry : container.entries()) {
      if (container.is_secret() || is_secret) stated_.hide_key(sources, entry.key);
      look_at(entry.value);
    }
  }
}

bool Ledger::may_need(const Statement& statement, const Item& item, const Value& value) const {
  // Interpolation and references may make any value of it.
  const query::Traits& traits = stated_.traits();
  if (value.is_text() && query::refers(traits.reference_syntax, value.text())) return false;
  if (traits.items != query::ItemKind::section_member) return true;
  // The target of a reference has rivals at its own place. A node without an environment has one, too.
  return !stated_.is_in_further_section(statement) && stated_.item_of(statement) == item.name;
}

void Ledger::count(const Sources& sources, const Item& item, const merge::PathHistory& path, std::size_t number) {
  for (const merge::Contribution& one : path.contributions) {
    const bool is_shown = one.fate == merge::Fate::merged || one.fate == merge::Fate::won;
    LeafRecord* leaf = stated_.leaf_at(sources, one.value.origin());
    if (leaf == nullptr) {
      // A list or mapping that became one value, or is kept secret as one: what is in it is part of that.
      const bool is_secret = shows_secret(path, one, stated_.traits());
      if (!one.value.is_leaf() && (is_shown || is_secret)) count_below(sources, one.value, one.fate, is_secret, number);
      continue;
    }
    if (shows_secret(path, one, stated_.traits())) Statements::hide(*leaf);
    tally(*leaf, one.fate, number);
    if (!is_shown) note_rival(leaf->statement, sources, path);
    // The statement of an anchor says nothing of where its aliases stand.
    if (one.via || one.value.origin().through_alias()) {
      if (!is_shown) continue;
      if (const auto alias = stated_.alias_at(*leaf, sources, one.via ? one.via : one.value.origin())) show(*alias);
      continue;
    }
    if (is_shown) show(leaf->statement);
    // Empty containers that merge leave no trace of the weaker one.
    if (one.fate != merge::Fate::won || !path.value || one.value.is_container()) continue;
    const Statement& statement = stated_.all()[leaf->statement];
    if (!may_need(statement, item, one.value)) continue;
    // Nothing else could give the same here.
    const bool has_rival = std::ranges::any_of(path.contributions, [&](const merge::Contribution& other) {
      return &other != &one && (!may_need(statement, item, other.value) || identical(other.value, one.value));
    });
    // Of equal items of joined lists one is kept, at any place.
    if (!has_rival && !stated_.is_in_joined_list(leaf->statement)) need(leaf->statement);
  }
}

/// What one document states can be part of the result of another.
void Ledger::note_rival(std::uint32_t statement, const Sources& sources, const merge::PathHistory& path) {
  if (!stated_.traits().has_documents || rivals_.contains(statement)) return;
  const auto winner = std::ranges::find(path.contributions, merge::Fate::won, &merge::Contribution::fate);
  if (winner == path.contributions.end()) return;
  const Excerpt where = excerpt_at(sources, winner->value.origin());
  for (std::uint32_t at = statement; at != Statement::kNone; at = stated_.all()[at].parent)
    rivals_.try_emplace(at, where);
}

const Excerpt* Ledger::rival(std::uint32_t statement) const {
  const auto found = rivals_.find(statement);
  return found == rivals_.end() ? nullptr : &found->second;
}

void Ledger::show(std::uint32_t statement) {
  for (std::uint32_t at = statement; at != Statement::kNone; at = stated_.all()[at].parent)
    stated_.all()[at].is_visible = true;
}

/// The error of an item that is secret shows no line, and no result marks what the files state of it.
void Ledger::note_failed(const Subject::Answer& answer, const ReadingClass& read) {
  for (const Item& item : answer.outcome.items) {
    if (!item.failure) continue;
    for (const std::uint32_t file : read.files) stated_.files()[file]->failed_items.insert(item.name);
    if (!item.failure->where.place.line || !item.failure->where.line.empty()) continue;
    for (const std::uint32_t file : read.files) {
      for (LeafRecord& leaf : stated_.files()[file]->leaves) {
        if (stated_.item_of(stated_.all()[leaf.statement]) == item.name) Statements::hide(leaf);
      }
    }
  }
}

void Ledger::need(std::uint32_t statement) {
  for (std::uint32_t at = statement; at != Statement::kNone && !stated_.all()[at].is_needed;
       at = stated_.all()[at].parent) {
    stated_.all()[at].is_needed = true;
  }
}

bool Ledger::is_doubtful(const Statement& statement) const {
  const FileRecord& file = *stated_.files()[statement.file];
  return file.has_failed || file.first_reader == 0 ||
         (!file.failed_items.empty() && file.failed_items.contains(stated_.item_of(statement)));
}

bool Ledger::is_stronger(std::string_view name, std::uint32_t file) const {
  // Of documents, files do not say which is stronger.
  const auto other = stated_.traits().has_documents ? std::nullopt : stated_.find_shown(name);
  if (!other || *other == file) return true;
  for (const ReadingClass& one : classes_) {
    const auto first =
        std::ranges::find_if(one.files, [&](std::uint32_t each) { return each == file || each == *other; });
    if (first == one.files.end()) continue;
    const std::uint32_t second = *first == file ? *other : file;
    if (std::find(first, one.files.end(), second) != one.files.end()) return *first != file;
  }
  return true;
}

}  // namespace strata::analysis
