#include "analysis/ledger.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "strata/links.hpp"
#include "strata/path.hpp"
#include "strata/paths.hpp"

namespace strata::analysis {
namespace {

constexpr std::string_view kLookupOptions = "lookup_options";
// Of reclass.
constexpr std::string_view kParameters = "parameters";
constexpr std::string_view kApplications = "applications";
constexpr std::array<std::string_view, 4> kSections{kApplications, "classes", "environment", kParameters};
constexpr std::string_view kPrefixes = "~=";

bool is_section(std::string_view name) { return std::ranges::find(kSections, name) != kSections.end(); }

std::string_view without_prefix(std::string_view key) {
  return key.size() > 1 && kPrefixes.find(key.front()) != std::string_view::npos ? key.substr(1) : key;
}

constexpr std::uintptr_t kFateBits = 7;
static_assert(alignof(LeafRecord) > kFateBits && std::tuple_size_v<decltype(LeafRecord::counts)> <= kFateBits + 1);

std::uint64_t place_key(const Position& position) { return std::uint64_t{position.line} << 32U | position.column; }

/// The place of the alias through which a value was reached.
std::uint64_t alias_key(const Sources& sources, Origin origin) {
  const Place place = sources.place(origin);
  const Place& alias = place.via ? *place.via : place;
  return std::uint64_t{alias.line.value_or(0)} << 32U | alias.column.value_or(0);
}

/// Whether all between two places of a text can stand between a key and its value: a colon, blanks, comments, a tag and an anchor.
bool is_gap(std::string_view text) {
  bool has_colon = false;
  while (!text.empty()) {
    const char c = text.front();
    const bool is_blank = c == ' ' || c == '\t' || c == '\r' || c == '\n';
    if (is_blank || (c == ':' && !has_colon)) {
      has_colon = has_colon || c == ':';
      text.remove_prefix(1);
    } else if (has_colon && (c == '#' || c == '!' || c == '&')) {
      text.remove_prefix(std::min(text.find_first_of(c == '#' ? "\n" : " \t\r\n"), text.size()));
    } else {
      return false;
    }
  }
  return has_colon;
}

/// How much of a text that begins with a key belongs to the key; 0: it is not told.
std::size_t key_size(std::string_view text, const Value& key) {
  if (text.empty()) return 0;
  if (text.front() == '"') {
    for (std::size_t i = 1; i < text.size(); ++i) {
      if (text[i] == '\\') {
        ++i;
      } else if (text[i] == '"') {
        return i + 1;
      }
    }
    return 0;
  }
  if (text.front() == '\'') {
    for (std::size_t i = 1; i < text.size(); ++i) {
      if (text[i] != '\'') continue;
      if (text.substr(i + 1, 1) != "'") return i + 1;
      ++i;
    }
    return 0;
  }
  if (!key.is_text()) return std::min(text.find_first_of(": \t\r\n"), text.size());
  return text.starts_with(key.text()) ? key.text().size() : 0;
}

/// Whether a member of HOCON is written where its mapping is, and not at the target of a substitution. In doubt it is not.
bool is_own_hocon(const FileRecord& file, const Value& key, const Value& value) {
  const std::size_t at = file.reading->offset(key.origin());
  const std::size_t value_at = file.reading->offset(value.origin());
  if (value_at == at) return true;
  std::string_view text = file.reading->text();
  if (value_at < at || value_at > text.size()) return false;
  text = text.substr(at, value_at - at);
  text.remove_prefix(text.front() == '"' ? std::min(text.find('"', 1), text.size() - 1) + 1
                                         : std::min(text.find_first_of(".:={+ \t\r\n"), text.size()));
  if (text.find_first_not_of(":={+ \t\r\n") == std::string_view::npos) return true;
  // A path: `a.b = 1`.
  return text.starts_with('.') && text.find_first_of("$,\r\n") == std::string_view::npos;
}

bool is_cloud_config(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return text.starts_with("#cloud-config") && !text.starts_with("#cloud-config-");
}

/// Whether a document of Deckhand is kept secret.
bool is_encrypted(const Value& root) {
  const Value* metadata = root.is_mapping() ? root.find("metadata") : nullptr;
  const Value* policy = metadata != nullptr && metadata->is_mapping() ? metadata->find("storagePolicy") : nullptr;
  return policy != nullptr && policy->is_text() && policy->text() == "encrypted";
}

/// Whether documents are a template of Heat: it has members with the names of an environment's sections.
bool is_template(const std::vector<text::Document>& documents) {
  if (documents.empty() || !documents.front().root.is_mapping()) return false;
  const Value& root = documents.front().root;
  return root.find("heat_template_version") != nullptr || root.find("HeatTemplateFormatVersion") != nullptr ||
         root.find("AWSTemplateFormatVersion") != nullptr;
}

/// Whether a member is written in its mapping, key and value, and not in what a merge key adds there. In doubt it is not.
bool is_own(const FileRecord& file, const Value& mapping, const Value& key, const Value& value) {
  const std::string_view text = file.reading->text();
  if (!file.has_merge_keys || !mapping.origin() || mapping.origin().through_alias()) return true;
  const std::size_t begin = file.reading->offset(mapping.origin());
  const std::size_t at = file.reading->offset(key.origin());
  if (at < begin || at >= text.size()) return false;
  const auto column = [text](std::size_t offset) { return offset - (text.substr(0, offset).rfind('\n') + 1); };
  const bool is_flow = text[begin] == '{';
  if (is_flow ? text.substr(begin, at - begin).find("<<") != std::string_view::npos : column(at) != column(begin)) return false;
  if (value.origin().through_alias()) return true;
  const std::size_t value_at = file.reading->offset(value.origin());
  if (value_at == at) return true;  // An implicit null.
  const std::size_t size = key_size(text.substr(at), key);
  return size != 0 && at + size < value_at && is_gap(text.substr(at + size, value_at - at - size));
}

}  // namespace

std::string Statement::pointer() const { return pointer_of(tokens); }

Ledger::Ledger(State state, Results results, std::string folder, Limits limits)
    : state_(std::move(state)), results_(results), folder_(std::move(folder)), limits_(std::move(limits)) {}

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
    FileRecord& file = *files_[one];
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
  // What a node of an inventory has read is not known from what all have.
  const bool is_shared = own && results_ == Results::keys;
  const auto known = is_shared ? files_of_failed_.find(reads) : files_of_failed_.end();
  std::vector<std::uint32_t> files;
  if (known != files_of_failed_.end()) {
    files = known->second;
  } else {
    for (const std::string& path : reads->files) {
      if (!read_by_failed_.insert(path).second) continue;
      read_by_failed_.insert(detail::real_path(*state_.files, path));
    }
    for (const ConfigurationFile& file : unless_it_fails([&] { return subject.files()->read(); })) files.push_back(file_of(file));
    if (is_shared) files_of_failed_.emplace(reads, files);
  }
  if (lists) {
    const auto of_subject = subject.files();
    for (std::string& folder : unless_it_fails([&] { return of_subject->folders(); })) folders_.insert(std::move(folder));
    // What comes behind the file that is broken is not read.
    for (const ConfigurationFile& file : unless_it_fails([&] { return of_subject->editable({}); })) {
      if (state_.files->kind(file.path) == FileKind::file) files.push_back(file_of(file));
    }
    std::ranges::sort(files);
    files.erase(std::unique(files.begin(), files.end()), files.end());
  }
  for (const std::uint32_t file : files) {
    ++files_[file]->readers;
    files_[file]->has_failed = true;
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
  const auto asked = question.in(state_, Question::History::no, Question::Telling::nothing);
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
    for (const std::uint32_t file : one.read->files) files_[file]->readers += one.more;
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

std::pair<ReadingClass*, bool> Ledger::class_of(Subject& subject, const Subject::Answer& answer) {
  // What nodes of an inventory have read is known for all together.
  const bool has_own_reads = results_ != Results::inventory;
  if (const auto known = by_reads_.find(answer.reads); has_own_reads && known != by_reads_.end()) return {known->second, false};
  const auto of_subject = subject.files();
  ReadingClass made;
  for (const ConfigurationFile& file : of_subject->read()) made.files.push_back(file_of(file));
  ReadingClass* out = nullptr;
  if (!has_own_reads || (results_ == Results::keys && subject.reads() != nullptr)) {
    // Files that do not exist, of which each subject may have others, make no difference, but for what leads to files.
    std::vector<std::uint32_t> name = made.files;
    for (const Use& use : of_subject->uses()) name.push_back(use.is_used ? 1 : 0);
    const auto [known, is_new] = by_files_.try_emplace({made.files.size(), std::move(name)}, nullptr);
    if (is_new) known->second = &classes_.emplace_back(std::move(made));
    out = known->second;
    constexpr std::size_t kMostReads = 512;  // Whoever makes them keeps no more.
    if (by_reads_.size() >= kMostReads) by_reads_.clear();
    if (has_own_reads) by_reads_.emplace(answer.reads, out);
    if (!is_new) return {out, false};
  } else {
    out = &classes_.emplace_back(std::move(made));
    by_reads_.emplace(answer.reads, out);
  }
  begin(*out, *of_subject);
  return {out, true};
}

void Ledger::begin(ReadingClass& made, SubjectFiles& of_subject) {
  for (std::string& folder : of_subject.folders()) folders_.insert(std::move(folder));
  for (const std::uint32_t one : made.files) {
    for (const std::uint32_t other : made.files) {
      auto& others = files_[one]->read_with;
      const auto at = std::ranges::lower_bound(others, other);
      if (at == others.end() || *at != other) others.insert(at, other);
    }
  }
  add_parts(of_subject, made);
}

std::string Ledger::shown(const std::string& path) const { return shown_path(path, folder_); }

std::vector<std::string> Ledger::unread() const {
  std::vector<std::string> out;
  for (const std::string& folder : folders_) find_files(folder, 0, out);
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  std::set<std::string> read = read_by_failed_;  // By links.
  for (const auto& file : files_) read.insert(detail::real_path(*state_.files, file->path));
  std::erase_if(out, [&read](const std::string& path) { return read.contains(path); });
  return out;
}

// Recursion: bounded by kDeepest.
void Ledger::find_files(const std::string& folder, std::size_t depth, std::vector<std::string>& out) const {
  constexpr std::size_t kDeepest = 64;  // Links can make circles.
  if (depth > kDeepest) return;
  for (const FileTree::Named& one : state_.files->entries(folder)) {
    const std::string path = folder.ends_with('/') ? folder + one.name : folder + '/' + one.name;
    const FileKind kind = one.kind ? *one.kind : state_.files->kind(path);
    if (kind == FileKind::folder) {
      find_files(path, depth + 1, out);
      continue;
    }
    constexpr std::array<std::string_view, 5> kExtensions{".yaml", ".yml", ".json", ".eyaml", ".conf"};
    const auto extensions = std::span(kExtensions).first(results_ == Results::inventory ? 2 : kExtensions.size());
    const bool is_data = std::ranges::any_of(extensions, [&one](std::string_view extension) { return one.name.ends_with(extension); });
    if (kind == FileKind::file && is_data && one.name != "hiera.yaml" && !by_path_.contains(path)) out.push_back(path);
  }
}

std::uint32_t Ledger::file_of(const ConfigurationFile& file) {
  const auto [known, is_new] = by_path_.try_emplace(file.path, static_cast<std::uint32_t>(files_.size()));
  if (!is_new) return known->second;
  auto made = std::make_unique<FileRecord>();
  made->path = file.path;
  made->name = shown(file.path);
  made->form = file.form;
  files_.push_back(std::move(made));
  list(*files_.back(), known->second);
  return known->second;
}

void Ledger::list(FileRecord& file, std::uint32_t number) {
  if (file.form.syntax == edit::Syntax::other) return;
  const auto text = state_.files->read(file.path);
  if (!text || results_ == Results::other || (results_ == Results::cloud_config && !is_cloud_config(*text))) return;
  try {
    file.reading = std::make_unique<edit::Reading>(file.name, *text, file.form, limits_);
  } catch (const Error& error) {
    // Whoever needs it tells what is wrong.
    if (error.ends_request()) throw;
    return;
  }
  if (results_ == Results::environment && is_template(file.reading->documents)) return;
  for (std::size_t at = text->find('\r'); at != std::string::npos && !file.has_own_breaks; at = text->find('\r', at + 1)) {
    file.has_own_breaks = text->compare(at + 1, 1, "\n") != 0;
  }
  for (const std::string_view one : {"\u0085", "\u2028", "\u2029"}) file.has_own_breaks = file.has_own_breaks || text->find(one) != std::string::npos;
  file.has_merge_keys = file.form.syntax == edit::Syntax::yaml && text->find("<<") != std::string::npos;
  std::vector<std::string> tokens;
  for (std::uint32_t i = 0; i < file.reading->documents.size(); ++i) {
    list_below(number, i, file.reading->documents[i].root, Statement::kNone, tokens, false);
  }
  if (results_ != Results::documents) return;
  for (LeafRecord& leaf : file.leaves) {
    if (is_encrypted(file.reading->documents[statements_[leaf.statement].document].root)) hide(leaf);
  }
}

// Recursion: bounded by Limits::depth.
void Ledger::list_below(std::uint32_t file, std::uint32_t document, const Value& value, std::uint32_t parent, std::vector<std::string>& tokens,
                        bool is_below_list) {
  if (value.origin().through_alias()) return;
  FileRecord& record = *files_[file];
  if (value.is_leaf()) {
    const auto position = record.reading->sources->position(value.origin());
    if (!position || parent == Statement::kNone) return;
    record.leaves.push_back({.statement = parent, .value = value});
    record.places.try_emplace(place_key(*position), &record.leaves.back());
    if (value.is_secret()) hide(record.leaves.back());
    return;
  }
  const auto add = [&](std::string token, const Value& place, const Value& member, bool is_item) {
    if (place.origin().through_alias()) return;
    const auto is_written = [&] {
      return record.form.syntax == edit::Syntax::hocon ? is_own_hocon(record, place, member) : is_own(record, value, place, member);
    };
    const bool is_merged = (parent != Statement::kNone && statements_[parent].is_merged) || (!is_item && !is_written());
    const auto number = static_cast<std::uint32_t>(statements_.size());
    tokens.push_back(std::move(token));
    statements_.push_back({.file = file,
                           .document = document,
                           .parent = parent,
                           .tokens = tokens,
                           .place = place,
                           .value = member,
                           .is_item = is_item,
                           .is_below_list = is_below_list,
                           .is_merged = is_merged});
    record.statements.push_back(number);
    if (member.origin().through_alias()) record.aliases.try_emplace(alias_key(*record.reading->sources, member.origin()), number);
    list_below(file, document, member, number, tokens, is_below_list || is_item);
    tokens.pop_back();
  };
  if (value.is_sequence()) {
    for (std::size_t i = 0; i < value.size(); ++i) add(std::to_string(i), value.items()[i], value.items()[i], true);
  } else {
    for (const Entry& entry : value.entries()) add(key_text(entry.key), entry.key, entry.value, false);
  }
}

void Ledger::add_parts(SubjectFiles& of_subject, ReadingClass& known) {
  if (results_ != Results::keys) return;
  for (const std::uint32_t one : known.files) {
    for (const std::uint32_t number : files_[one]->statements) {
      const Statement& statement = statements_[number];
      if (statement.parent != Statement::kNone || statement.is_item || !statement.value.is_container()) continue;
      const std::string& key = statement.tokens.front();
      const auto [place, is_new] = known.keys.try_emplace(key, Merging{.parts = Merging::Parts::none, .joins_items = false});
      Merging& merging = place->second;
      try {
        if (is_new) merging = of_subject.merging(key);
      } catch (const Error& error) {
        if (!is_failure(error)) throw;
      }
      PartsOf& parts = parts_[{one, key}];
      parts.parts = std::max(parts.parts, merging.parts);
      parts.joins_items = parts.joins_items || merging.joins_items;
      if (merging.knockout_prefix) parts.prefixes.insert(*merging.knockout_prefix);
    }
  }
}

void Ledger::add_history(const Subject::Answer& answer, std::size_t number) {
  const merge::History* history = answer.outcome.history;
  if (history == nullptr) return;
  of_source_.clear();
  for (const Item& item : answer.outcome.items) {
    if (item.failure) continue;
    for (const merge::PathHistory& path : history->explain({item.value, item.slot})) count(*answer.outcome.sources, item, path, number);
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
void Ledger::count_below(const Sources& sources, const Value& container, merge::Fate fate, bool is_secret, std::size_t number) {
  const bool is_shown = fate == merge::Fate::merged || fate == merge::Fate::won;
  const auto look_at = [&](const Value& member) {
    if (!member.is_leaf()) return count_below(sources, member, fate, is_secret, number);
    LeafRecord* leaf = leaf_at(sources, member.origin());
    if (leaf == nullptr) return;
    if (is_secret || member.is_secret()) hide(*leaf);
    if (!is_shown) return;
    tally(*leaf, fate, number);
    show(leaf->statement);
  };
  if (container.is_sequence()) {
    for (const Value& item : container.items()) look_at(item);
  } else if (container.is_mapping()) {
    for (const Entry& entry : container.entries()) {
      if (container.is_secret() || is_secret) hide_key(sources, entry.key);
      look_at(entry.value);
    }
  }
}

bool Ledger::may_need(const Statement& statement, const Item& item, const Value& value) const {
  // Interpolation and references may make any value of it.
  const std::string_view sign = results_ == Results::inventory ? "${" : "%{";
  if (value.is_text() && value.text().find(sign) != std::string_view::npos) return false;
  if (results_ != Results::inventory) return true;
  // What a reference leads to has rivals at its own place; a node without an environment has one, too.
  return statement.tokens.front() == kParameters && item_of(statement) == item.name;
}

void Ledger::count(const Sources& sources, const Item& item, const merge::PathHistory& path, std::size_t number) {
  for (const merge::Contribution& one : path.contributions) {
    const bool is_shown = one.fate == merge::Fate::merged || one.fate == merge::Fate::won;
    LeafRecord* leaf = leaf_at(sources, one.value.origin());
    if (leaf == nullptr) {
      // A list or mapping that became one value, or is kept secret as one: what is in it is part of that.
      const bool is_secret = one.value.is_secret() || path.value.is_secret();
      if (!one.value.is_leaf() && (is_shown || is_secret)) count_below(sources, one.value, one.fate, is_secret, number);
      continue;
    }
    if (one.value.is_secret() || path.value.is_secret()) hide(*leaf);
    tally(*leaf, one.fate, number);
    // The statement of an anchor says nothing of where its aliases stand.
    if (one.via || one.value.origin().through_alias()) {
      const auto& aliases = files_[statements_[leaf->statement].file]->aliases;
      const auto found = is_shown ? aliases.find(alias_key(sources, one.via ? one.via : one.value.origin())) : aliases.end();
      if (found != aliases.end()) show(found->second);
      continue;
    }
    if (is_shown) show(leaf->statement);
    // Empty containers that merge leave no trace of the weaker one.
    if (one.fate != merge::Fate::won || !path.value || one.value.is_container()) continue;
    const Statement& statement = statements_[leaf->statement];
    if (!may_need(statement, item, one.value)) continue;
    // Nothing else could give the same here.
    const bool has_rival = std::ranges::any_of(path.contributions, [&](const merge::Contribution& other) {
      return &other != &one && (!may_need(statement, item, other.value) || identical(other.value, one.value));
    });
    // Of equal items of joined lists one is kept, at any place.
    if (!has_rival && !is_in_joined_list(leaf->statement)) need(leaf->statement);
  }
}

void Ledger::show(std::uint32_t statement) {
  for (std::uint32_t at = statement; at != Statement::kNone; at = statements_[at].parent) statements_[at].is_visible = true;
}

/// The error of an item that is secret shows no line, and there is no result that marks what the files state of it.
void Ledger::note_failed(const Subject::Answer& answer, const ReadingClass& read) {
  for (const Item& item : answer.outcome.items) {
    if (!item.failure) continue;
    for (const std::uint32_t file : read.files) files_[file]->failed_items.insert(item.name);
    if (!item.failure->where.place.line || !item.failure->where.line.empty()) continue;
    for (const std::uint32_t file : read.files) {
      for (LeafRecord& leaf : files_[file]->leaves) {
        if (item_of(statements_[leaf.statement]) == item.name) hide(leaf);
      }
    }
  }
}

void Ledger::hide(LeafRecord& leaf) {
  if (std::exchange(leaf.is_secret, true)) return;
  FileRecord& file = *files_[statements_[leaf.statement].file];
  const Sources& sources = *file.reading->sources;
  const auto position = sources.position(leaf.value.origin());
  if (!position) return;
  hide_lines(file, position->line + 1, file.reading->offset(leaf.value.origin()));
  // Between a key and its value stands the value of an earlier key that is the same.
  for (std::uint32_t at = leaf.statement; at != Statement::kNone; at = statements_[at].parent) {
    Statement& statement = statements_[at];
    if (statement.is_item || statement.hides_from != 0 || statement.value.origin().through_alias()) continue;
    const std::size_t begin = file.reading->offset(statement.place.origin());
    const std::size_t end = file.reading->offset(statement.value.origin());
    const std::string_view text = file.reading->text();
    if (end <= begin || end > text.size()) continue;
    const std::size_t size = key_size(text.substr(begin), statement.place);
    if (size != 0 && begin + size <= end && is_gap(text.substr(begin + size, end - begin - size))) continue;
    statement.hides_from = static_cast<std::uint32_t>(sources.place(statement.place.origin()).line.value_or(1));
    const std::size_t last = sources.place(statement.value.origin()).line.value_or(1);
    for (std::size_t line = statement.hides_from; line <= last; ++line) file.secret_lines.insert(line);
  }
}

void Ledger::hide_key(const Sources& sources, const Value& key) {
  const auto position = sources.position(key.origin());
  FileRecord* file = position ? file_at(sources, *position) : nullptr;
  if (file == nullptr) return;
  if (file->keys.empty()) {
    for (const std::uint32_t number : file->statements) {
      const auto place = file->reading->sources->position(statements_[number].place.origin());
      if (place && !statements_[number].is_item) file->keys.try_emplace(place_key(*place), number);
    }
  }
  const auto found = file->keys.find(place_key(*position));
  if (found == file->keys.end() || std::exchange(statements_[found->second].is_hidden, true)) return;
  hide_lines(*file, position->line + 1, file->reading->offset(statements_[found->second].place.origin()));
}

/// `line`: in which a text begins, from 1. `offset`: where.
void Ledger::hide_lines(FileRecord& file, std::size_t line, std::size_t offset) {
  file.secret_lines.insert(line);
  const std::string_view text = file.reading->text();
  if (file.has_own_breaks) {
    for (std::size_t one = 1 + static_cast<std::size_t>(std::ranges::count(text, '\n')); one > 0; --one) file.secret_lines.insert(one);
  }
  const auto line_end = [text](std::size_t at) { return std::min(text.find('\n', at), text.size()); };
  const char first = offset < text.size() ? text[offset] : '\0';
  if ((first == '"' || first == '\'') && !text.substr(offset).starts_with(R"(""")")) {
    std::size_t at = offset + 1;
    while (at < text.size() && (text[at] != first || (first == '\'' && text.substr(at + 1).starts_with('\'')))) {
      at += text[at] == first || (first == '"' && text[at] == '\\') ? 2 : 1;
    }
    const std::string_view inside = text.substr(offset, std::min(at, text.size()) - offset);
    for (auto breaks = std::ranges::count(inside, '\n'); breaks > 0; --breaks) file.secret_lines.insert(++line);
    return;
  }
  if (file.begins.empty()) {
    const Sources& sources = *file.reading->sources;
    for (const std::uint32_t one : file.statements) file.begins.insert(sources.place(statements_[one].place.origin()).line.value_or(1));
    for (const LeafRecord& one : file.leaves) file.begins.insert(sources.place(one.value.origin()).line.value_or(1));
  }
  // Up to what follows. A comment ends all but blocks.
  const bool is_plain = first != '|' && first != '>' && first != '"';
  const auto next = file.begins.upper_bound(line);
  std::vector<std::size_t> more;
  for (std::size_t at = line_end(offset) + 1; at < text.size() && (next == file.begins.end() || line + 1 < *next); at = line_end(at) + 1) {
    const std::string_view here = text.substr(at, line_end(at) - at);
    const std::size_t content = here.find_first_not_of(" \t\r");
    if (here.starts_with("---") || here.starts_with("...")) break;
    if (is_plain && content != std::string_view::npos && here[content] == '#') break;
    more.push_back(++line);
    if (content != std::string_view::npos) file.secret_lines.insert(more.begin(), more.end());  // Blank lines at the end say nothing.
  }
}

bool Ledger::is_in_joined_list(std::uint32_t statement) const {
  const Statement& one = statements_[statement];
  if (!one.is_item && !one.is_below_list) return false;
  if (results_ == Results::documents) return false;
  // Lists of parameters are put one behind the other.
  if (results_ == Results::inventory) return one.tokens.front() != kParameters;
  if (results_ != Results::keys) return true;
  const PartsOf* parts = parts_of(one);
  return parts != nullptr && parts->joins_items;
}

void Ledger::need(std::uint32_t statement) {
  for (std::uint32_t at = statement; at != Statement::kNone && !statements_[at].is_needed; at = statements_[at].parent) {
    statements_[at].is_needed = true;
  }
}

FileRecord* Ledger::file_at(const Sources& sources, const Position& position) {
  const auto [known, is_new] = of_source_.try_emplace(static_cast<std::uint32_t>(position.source), nullptr);
  if (is_new && sources.part(position.source).empty()) {
    const auto found = by_path_.find(absolute_path(folder_, sources.file(position.source)));
    if (found != by_path_.end() && files_[found->second]->reading) known->second = files_[found->second].get();
  }
  return known->second;
}

LeafRecord* Ledger::leaf_at(const Sources& sources, Origin origin) {
  const auto position = sources.position(origin);
  const FileRecord* file = position ? file_at(sources, *position) : nullptr;
  if (file == nullptr) return nullptr;
  const auto leaf = file->places.find(place_key(*position));
  return leaf == file->places.end() ? nullptr : leaf->second;
}

bool Ledger::is_looked_at(const Statement& statement) const {
  if (statement.is_merged || statement.is_hidden) return false;
  if (statement.is_item && statement.is_below_list) return false;
  const std::size_t depth = statement.tokens.size();
  switch (results_) {
    case Results::keys: {
      if (statement.tokens.front() == kLookupOptions) return false;
      if (depth == 1) return !statement.is_item;
      const PartsOf* found = parts_of(statement);
      if (found == nullptr) return false;
      const PartsOf& parts = *found;
      if (statement.is_item) return parts.joins_items && (depth == 2 || parts.parts == Merging::Parts::all);
      return parts.parts == Merging::Parts::all || (parts.parts == Merging::Parts::members && depth == 2);
    }
    case Results::cloud_config:
      return statement.tokens.front() != "merge_how" && statement.tokens.front() != "merge_type";
    case Results::environment:
      return depth > 1;
    case Results::documents:
      return depth > 1 && statement.tokens.front() == "data";
    case Results::inventory:
      if (statement.tokens.front() == kParameters) return depth > 1;
      return is_section(statement.tokens.front()) && depth <= 2;
    case Results::other:
      return false;
  }
  return false;
}

bool Ledger::is_doubtful(const Statement& statement) const {
  const FileRecord& file = *files_[statement.file];
  return file.has_failed || file.first_reader == 0 || (!file.failed_items.empty() && file.failed_items.contains(item_of(statement)));
}

bool Ledger::is_stronger(std::string_view name, std::uint32_t file) const {
  // Of documents, files do not say which is stronger.
  const auto other = results_ == Results::documents ? by_path_.end() : by_path_.find(absolute_path(folder_, name));
  if (other == by_path_.end() || other->second == file) return true;
  for (const ReadingClass& one : classes_) {
    const auto first = std::ranges::find_if(one.files, [&](std::uint32_t each) { return each == file || each == other->second; });
    if (first == one.files.end()) continue;
    const std::uint32_t second = *first == file ? other->second : file;
    if (std::find(first, one.files.end(), second) != one.files.end()) return *first != file;
  }
  return true;
}

bool Ledger::is_root(const Statement& statement) const {
  if (statement.is_item) return false;
  if (results_ == Results::inventory) return statement.tokens.size() == 2 && statement.tokens.front() == kParameters;
  return statement.tokens.size() == 1;
}

bool Ledger::is_secret(std::uint32_t statement) const {
  const auto& leaves = files_[statements_[statement].file]->leaves;
  const auto found = std::ranges::lower_bound(leaves, statement, {}, &LeafRecord::statement);
  return found != leaves.end() && found->statement == statement && found->is_secret;
}

std::string Ledger::shown_pointer(const Statement& statement) const {
  std::size_t depth = statement.tokens.size();
  for (const Statement* one = &statement; one->parent != Statement::kNone; one = &statements_[one->parent]) {
    if (one->is_hidden) depth = one->tokens.size() - 1;
  }
  return pointer_of(std::span(statement.tokens).first(depth));
}

std::string_view Ledger::merged_name(const Statement& statement) const {
  return results_ == Results::inventory ? without_prefix(statement.tokens.back()) : std::string_view(statement.tokens.back());
}

bool Ledger::is_within(const Statement& statement) const {
  for (const Statement* one = &statement;; one = &statements_[one->parent]) {
    if (is_looked_at(*one)) return true;
    if (one->parent == Statement::kNone) return false;
  }
}

const PartsOf* Ledger::parts_of(const Statement& statement) const {
  if (results_ == Results::inventory) {
    static const PartsOf all{.parts = Merging::Parts::all, .joins_items = true};
    static const PartsOf removing{.parts = Merging::Parts::all, .joins_items = true, .prefixes = {"~"}};
    return statement.tokens.front() == kApplications ? &removing : &all;
  }
  const auto found = parts_.find({statement.file, statement.tokens.front()});
  return found == parts_.end() ? nullptr : &found->second;
}

bool Ledger::is_knockout(const Statement& statement) const {
  if (!statement.is_item || !statement.value.is_text()) return false;
  const PartsOf* parts = parts_of(statement);
  return parts != nullptr &&
         std::ranges::any_of(parts->prefixes, [&](const std::string& prefix) { return statement.value.text().starts_with(prefix); });
}

std::string Ledger::item_of(const Statement& statement) const {
  if (results_ == Results::keys) return statement.tokens.front();
  if (results_ == Results::inventory) {
    if (statement.tokens.front() != kParameters || statement.tokens.size() < 2) return statement.tokens.front();
    const std::string_view name = without_prefix(statement.tokens[1]);
    return is_section(name) ? std::string(kParameters).append("/").append(name) : std::string(name);
  }
  if (results_ != Results::documents) return {};
  const Value root = files_[statement.file]->reading->documents[statement.document].root;
  const auto text_of = [](const Value* value) { return value != nullptr && value->is_text() ? std::string(value->text()) : std::string(); };
  const Value* metadata = root.find("metadata");
  return text_of(root.find("schema")) + '/' + text_of(metadata != nullptr && metadata->is_mapping() ? metadata->find("name") : nullptr);
}

std::string Ledger::path_of(const Statement& statement) const {
  if (results_ == Results::inventory) {
    const std::size_t first = statement.tokens.front() == kParameters ? 2 : 1;
    std::vector<std::string> tokens;
    for (std::size_t i = first; i < statement.tokens.size(); ++i) tokens.emplace_back(without_prefix(statement.tokens[i]));
    return pointer_of(tokens);
  }
  return pointer_of(std::span(statement.tokens).subspan(results_ == Results::keys ? 1 : 0));
}

std::string Ledger::name_of(const Statement& statement) { return statement.tokens.front() + pointer_of(std::span(statement.tokens).subspan(1)); }

}  // namespace strata::analysis
