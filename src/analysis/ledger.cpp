#include "analysis/ledger.hpp"

#include <algorithm>
#include <utility>

#include "strata/links.hpp"
#include "strata/path.hpp"
#include "strata/paths.hpp"

namespace strata::analysis {
namespace {

constexpr std::string_view kLookupOptions = "lookup_options";

constexpr std::uintptr_t kFateBits = 3;
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

/// Interpolation may make any value of it.
bool is_computed(const Value& value) { return value.is_text() && value.text().find("%{") != std::string_view::npos; }

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
    if (file.readers++ == 0) {
      file.first_reader = number;
      file.first_name = subject.name();
    }
  }
  add_history(answer, number);
  if (keeps_fates_) repeated->second = {.read = found, .begin = begin, .end = fates_.size()};
  return {*found, is_new};
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
  if (const auto known = by_reads_.find(answer.reads); known != by_reads_.end()) return {known->second, false};
  const auto of_subject = subject.files();
  ReadingClass made;
  for (const ConfigurationFile& file : of_subject->read()) made.files.push_back(file_of(file));
  ReadingClass* out = nullptr;
  if (results_ == Results::keys && subject.reads() != nullptr) {
    // Files that do not exist, of which each subject may have others, make no difference, but for what leads to files.
    std::vector<std::uint32_t> name = made.files;
    for (const Use& use : of_subject->uses()) name.push_back(use.is_used ? 1 : 0);
    const auto [known, is_new] = by_files_.try_emplace({made.files.size(), std::move(name)}, nullptr);
    if (is_new) known->second = &classes_.emplace_back(std::move(made));
    out = known->second;
    constexpr std::size_t kMostReads = 512;  // Whoever makes them keeps no more.
    if (by_reads_.size() >= kMostReads) by_reads_.clear();
    by_reads_.emplace(answer.reads, out);
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
  std::set<std::string> read;  // By links.
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
    const bool is_data = std::ranges::any_of(kExtensions, [&one](std::string_view extension) { return one.name.ends_with(extension); });
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
  file.has_merge_keys = file.form.syntax != edit::Syntax::json && text->find("<<") != std::string::npos;
  std::vector<std::string> tokens;
  for (std::uint32_t i = 0; i < file.reading->documents.size(); ++i) {
    list_below(number, i, file.reading->documents[i].root, Statement::kNone, tokens, false);
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
    if (results_ == Results::documents && is_encrypted(record.reading->documents[document].root)) hide(record.leaves.back());
    return;
  }
  const auto add = [&](std::string token, const Value& place, const Value& member, bool is_item) {
    if (place.origin().through_alias()) return;
    const bool is_merged = (parent != Statement::kNone && statements_[parent].is_merged) || (!is_item && !is_own(record, value, place, member));
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
    for (const merge::PathHistory& path : history->explain({item.value, item.slot})) count(*answer.outcome.sources, path, number);
  }
}

void Ledger::count(const Sources& sources, const merge::PathHistory& path, std::size_t number) {
  for (const merge::Contribution& one : path.contributions) {
    LeafRecord* leaf = leaf_at(sources, one.value.origin());
    if (leaf == nullptr) continue;
    if (one.value.is_secret() || path.value.is_secret()) hide(*leaf);
    const auto fate = static_cast<std::size_t>(one.fate);
    if (leaf->last[fate] != number) {
      leaf->last[fate] = static_cast<std::uint32_t>(number);
      ++leaf->counts[fate];
      if (keeps_fates_) fates_.push_back(reinterpret_cast<std::uintptr_t>(leaf) | fate);
    }
    // The statement of an anchor says nothing of where its aliases stand.
    const bool is_shown = one.fate == merge::Fate::merged || one.fate == merge::Fate::won;
    if (one.via || one.value.origin().through_alias()) {
      const auto& aliases = files_[statements_[leaf->statement].file]->aliases;
      const auto found = is_shown ? aliases.find(alias_key(sources, one.via ? one.via : one.value.origin())) : aliases.end();
      if (found != aliases.end()) show(found->second);
      continue;
    }
    if (is_shown) show(leaf->statement);
    // Empty containers that merge leave no trace of the weaker one.
    if (one.fate != merge::Fate::won || !path.value || one.value.is_container() || is_computed(one.value)) continue;
    // Nothing else could give the same here.
    const bool has_rival = std::ranges::any_of(path.contributions, [&one](const merge::Contribution& other) {
      return &other != &one && (is_computed(other.value) || identical(other.value, one.value));
    });
    // Of equal items of joined lists one is kept, at any place.
    if (!has_rival && !is_in_joined_list(leaf->statement)) need(leaf->statement);
  }
}

void Ledger::show(std::uint32_t statement) {
  for (std::uint32_t at = statement; at != Statement::kNone; at = statements_[at].parent) statements_[at].is_visible = true;
}

void Ledger::hide(LeafRecord& leaf) {
  if (std::exchange(leaf.is_secret, true)) return;
  FileRecord& file = *files_[statements_[leaf.statement].file];
  const auto position = file.reading->sources->position(leaf.value.origin());
  if (!position) return;
  file.secret_lines.insert(position->line + 1);
  // A text over several lines goes on in deeper ones.
  const std::string_view text = file.reading->text();
  const auto indent_of = [text](std::size_t begin) { return std::min(text.find_first_not_of(" \t-", begin), text.size()) - begin; };
  std::size_t begin = text.rfind('\n', file.reading->offset(leaf.value.origin()));
  begin = begin == std::string_view::npos ? 0 : begin + 1;
  const std::size_t indent = indent_of(begin);
  for (std::size_t line = position->line + 2;; ++line) {
    begin = text.find('\n', begin);
    if (begin == std::string_view::npos) return;
    ++begin;
    const std::size_t inside = indent_of(begin);
    const bool is_blank = begin + inside >= text.size() || text[begin + inside] == '\n' || text[begin + inside] == '\r';
    if (inside <= indent && !is_blank) return;
    file.secret_lines.insert(line);
  }
}

bool Ledger::is_in_joined_list(std::uint32_t statement) const {
  const Statement& one = statements_[statement];
  if (!one.is_item && !one.is_below_list) return false;
  if (results_ == Results::documents) return false;
  if (results_ != Results::keys) return true;
  const PartsOf* parts = parts_of(one);
  return parts != nullptr && parts->joins_items;
}

void Ledger::need(std::uint32_t statement) {
  for (std::uint32_t at = statement; at != Statement::kNone && !statements_[at].is_needed; at = statements_[at].parent) {
    statements_[at].is_needed = true;
  }
}

LeafRecord* Ledger::leaf_at(const Sources& sources, Origin origin) {
  const auto position = sources.position(origin);
  if (!position) return nullptr;
  const auto [known, is_new] = of_source_.try_emplace(static_cast<std::uint32_t>(position->source), nullptr);
  if (is_new && sources.part(position->source).empty()) {
    const auto found = by_path_.find(absolute_path(folder_, sources.file(position->source)));
    if (found != by_path_.end()) known->second = files_[found->second].get();
  }
  if (known->second == nullptr) return nullptr;
  const auto leaf = known->second->places.find(place_key(*position));
  return leaf == known->second->places.end() ? nullptr : leaf->second;
}

bool Ledger::is_looked_at(const Statement& statement) const {
  if (statement.is_merged) return false;
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
    case Results::other:
      return false;
  }
  return false;
}

bool Ledger::is_within(const Statement& statement) const {
  for (const Statement* one = &statement;; one = &statements_[one->parent]) {
    if (is_looked_at(*one)) return true;
    if (one->parent == Statement::kNone) return false;
  }
}

const PartsOf* Ledger::parts_of(const Statement& statement) const {
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
  if (results_ != Results::documents) return {};
  const Value root = files_[statement.file]->reading->documents[statement.document].root;
  const auto text_of = [](const Value* value) { return value != nullptr && value->is_text() ? std::string(value->text()) : std::string(); };
  const Value* metadata = root.find("metadata");
  return text_of(root.find("schema")) + '/' + text_of(metadata != nullptr && metadata->is_mapping() ? metadata->find("name") : nullptr);
}

std::string Ledger::path_of(const Statement& statement) const {
  return pointer_of(std::span(statement.tokens).subspan(results_ == Results::keys ? 1 : 0));
}

std::string Ledger::name_of(const Statement& statement) { return statement.tokens.front() + pointer_of(std::span(statement.tokens).subspan(1)); }

}  // namespace strata::analysis
