// SPDX-License-Identifier: Apache-2.0
#include "analysis/statements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "analysis/secret_texts.hpp"
#include "strata/inside_tree.hpp"
#include "strata/links.hpp"
#include "strata/path.hpp"
#include "strata/paths.hpp"

namespace strata::analysis {
namespace {

/// The name of a member without Traits::member_prefixes.
std::string_view without_prefix(const query::Traits& traits, std::string_view key) {
  return key.size() > 1 && traits.member_prefixes.find(key.front()) != std::string_view::npos ? key.substr(1) : key;
}

std::uint64_t place_key(const Position& position) { return std::uint64_t{position.line} << 32U | position.column; }

/// The place of the alias through which a value was reached.
std::uint64_t alias_key(const Sources& sources, Origin origin) {
  const Place place = sources.place(origin);
  const Place& alias = place.via ? *place.via : place;
  return std::uint64_t{alias.line.value_or(0)} << 32U | alias.column.value_or(0);
}

/// Whether all between two places of a text can stand between a key and its value: a colon, blanks, comments, a tag and
/// an anchor.
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

/// Whether a member of HOCON is written where its mapping is, and not at the target of a substitution. In doubt it is
/// not.
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

/// A text in the metadata of a document. Empty: there is none.
std::string_view metadata_text(const Value& root, std::string_view name) {
  const Value* metadata = root.is_mapping() ? root.find("metadata") : nullptr;
  const Value* value = metadata != nullptr && metadata->is_mapping() ? metadata->find(name) : nullptr;
  return value != nullptr && value->is_text() ? value->text() : std::string_view();
}
/// Whether a document of Deckhand is kept secret.
bool is_encrypted(const Value& root) { return metadata_text(root, "storagePolicy") == "encrypted"; }
/// Schemas, layers and validations: they are not part of any data.
bool is_control(const Value& root) { return metadata_text(root, "schema").starts_with("metadata/Control"); }

/// Whether a member is written in its mapping, key and value, and not in what a merge key adds there. In doubt it is
/// not.
bool is_own(const FileRecord& file, const Value& mapping, const Value& key, const Value& value) {
  const std::string_view text = file.reading->text();
  if (!file.has_merge_keys || !mapping.origin() || mapping.origin().through_alias()) return true;
  const std::size_t begin = file.reading->offset(mapping.origin());
  const std::size_t at = file.reading->offset(key.origin());
  if (at < begin || at >= text.size()) return false;
  const auto column = [text](std::size_t offset) { return offset - (text.substr(0, offset).rfind('\n') + 1); };
  const bool is_flow = text[begin] == '{';
  if (is_flow ? text.substr(begin, at - begin).find("<<") != std::string_view::npos : column(at) != column(begin))
    return false;
  if (value.origin().through_alias()) return true;
  const std::size_t value_at = file.reading->offset(value.origin());
  if (value_at == at) return true;  // An implicit null.
  const std::size_t size = key_size(text.substr(at), key);
  return size != 0 && at + size < value_at && is_gap(text.substr(at + size, value_at - at - size));
}

}  // namespace

std::string Statement::pointer() const { return pointer_of(tokens); }

Statements::Statements(State state, const query::Traits& traits, std::string folder, Limits limits)
    : state_(std::move(state)),
      tree_(inside_tree(state_.files)),
      traits_(traits),
      folder_(std::move(folder)),
      limits_(std::move(limits)) {}

Statements::~Statements() = default;

std::string Statements::shown(const std::string& path) const { return shown_path(path, folder_); }

std::uint32_t Statements::add(const ConfigurationFile& file) {
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

void Statements::list(FileRecord& file, std::uint32_t number) {
  if (file.form.syntax == edit::Syntax::other) return;
  const auto text = tree_->read(file.path);
  if (!text || !traits_.has_statements || (traits_.is_data_file != nullptr && !traits_.is_data_file(*text))) return;
  try {
    file.reading = std::make_unique<edit::Reading>(file.name, *text, file.form, limits_);
  } catch (const Error& error) {
    // Whoever needs it tells what is wrong.
    if (error.ends_request()) throw;
    return;
  }
  const auto& documents = file.reading->documents;
  if (traits_.is_data_document != nullptr && !documents.empty() && !traits_.is_data_document(documents.front().root))
    return;
  file.has_merge_keys = file.form.syntax == edit::Syntax::yaml && text->find("<<") != std::string::npos;
  std::vector<std::string> tokens;
  for (std::uint32_t i = 0; i < file.reading->documents.size(); ++i) {
    list_below(number, i, file.reading->documents[i].root, Statement::kNone, tokens, false);
  }
  if (traits_.secrets != query::SecretDeclarations::encrypted_documents) return;
  for (LeafRecord& leaf : file.leaves) {
    const Statement& statement = all_[leaf.statement];
    const bool is_shown =
        statement.tokens.front() != "data" && !(statement.tokens.size() > 1 && statement.tokens[1] == "substitutions");
    if (!is_shown && is_encrypted(file.reading->documents[statement.document].root)) hide(leaf);
  }
}

// Recursion: bounded by Limits::depth.
void Statements::list_below(std::uint32_t file, std::uint32_t document, const Value& value, std::uint32_t parent,
                            std::vector<std::string>& tokens, bool is_below_list) {
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
      return record.form.syntax == edit::Syntax::hocon ? is_own_hocon(record, place, member)
                                                       : is_own(record, value, place, member);
    };
    const bool is_merged = (parent != Statement::kNone && all_[parent].is_merged) || (!is_item && !is_written());
    const auto number = static_cast<std::uint32_t>(all_.size());
    tokens.push_back(std::move(token));
    all_.push_back({.file = file,
                    .document = document,
                    .parent = parent,
                    .tokens = tokens,
                    .place = place,
                    .value = member,
                    .is_item = is_item,
                    .is_below_list = is_below_list,
                    .is_merged = is_merged});
    record.statements.push_back(number);
    if (member.origin().through_alias())
      record.aliases.try_emplace(alias_key(*record.reading->sources, member.origin()), number);
    list_below(file, document, member, number, tokens, is_below_list || is_item);
    tokens.pop_back();
  };
  if (value.is_sequence()) {
    for (std::size_t i = 0; i < value.size(); ++i) add(std::to_string(i), value.items()[i], value.items()[i], true);
  } else {
    for (const Entry& entry : value.entries()) add(key_text(entry.key), entry.key, entry.value, false);
  }
}

void Statements::hide_key(const Sources& sources, const Value& key) {
  const auto position = sources.position(key.origin());
  FileRecord* file = position ? file_at(sources, *position) : nullptr;
  if (file == nullptr) return;
  if (file->keys.empty()) {
    for (const std::uint32_t number : file->statements) {
      const auto place = file->reading->sources->position(all_[number].place.origin());
      if (place && !all_[number].is_item) file->keys.try_emplace(place_key(*place), number);
    }
  }
  const auto found = file->keys.find(place_key(*position));
  if (found != file->keys.end()) all_[found->second].is_hidden = true;
}

const SecretTexts& Statements::secret_texts() const {
  if (secret_texts_) return *secret_texts_;
  std::vector<SecretTexts::Text> texts;
  for (const auto& file : files_) {
    if (file->reading) texts.push_back({.path = file->path, .reading = file->reading.get()});
  }
  secret_texts_ = std::make_unique<const SecretTexts>(texts, traits_, limits_);
  return *secret_texts_;
}

std::string Statements::shown_text(const FileRecord& file, bool hides_doubtful) const {
  if (!file.reading) return {};
  std::vector<TextPlace> places;
  const auto add = [&](const Value& value) {
    const Place place = file.reading->sources->place(value.origin());
    if (place.line && place.column) places.push_back({.line = *place.line, .column = *place.column});
  };
  for (const LeafRecord& leaf : file.leaves) {
    const Statement& statement = all_[leaf.statement];
    const bool is_in_doubt = hides_doubtful && statement.tokens.front() == "data" &&
                             !is_control(file.reading->documents[statement.document].root) &&
                             std::ranges::all_of(leaf.counts, [](std::uint32_t count) { return count == 0; });
    if (leaf.is_secret || is_in_doubt) add(leaf.value);
  }
  for (const std::uint32_t number : file.statements) {
    if (all_[number].is_hidden) add(all_[number].place);
  }
  return secret_texts().shown(
      file.path, file.reading->text(),
      {.places = places, .form = &file.form, .reading = file.reading.get(), .shows_comments = true});
}

std::set<std::size_t> Statements::secret_lines(const FileRecord& file) const {
  return file.reading ? hidden_lines(file.reading->text(), shown_text(file)) : std::set<std::size_t>();
}

std::map<std::string, std::set<std::size_t>> Statements::secret_lines() const {
  std::map<std::string, std::set<std::size_t>> out;
  for (const auto& file : files_) {
    if (auto lines = secret_lines(*file); !lines.empty())
      out[detail::real_path(*state_.files, file->path)].merge(std::move(lines));
  }
  return out;
}

std::optional<std::uint32_t> Statements::find(std::string_view path) const {
  const auto found = by_path_.find(path);
  return found == by_path_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::uint32_t> Statements::find_shown(std::string_view name) const {
  return find(absolute_path(folder_, name));
}

void Statements::add_merging(std::uint32_t file, const std::string& key, const Merging& merging) {
  PartsOf& parts = parts_[{file, key}];
  parts.parts = std::max(parts.parts, merging.parts);
  parts.joins_items = parts.joins_items || merging.joins_items;
  if (merging.knockout_prefix) parts.prefixes.insert(*merging.knockout_prefix);
}

std::optional<std::uint32_t> Statements::alias_at(const LeafRecord& leaf, const Sources& sources, Origin origin) const {
  const auto& aliases = files_[all_[leaf.statement].file]->aliases;
  const auto found = aliases.find(alias_key(sources, origin));
  return found == aliases.end() ? std::nullopt : std::optional(found->second);
}

bool Statements::is_in_further_section(const Statement& statement) const {
  return traits_.items == query::ItemKind::section_member && statement.tokens.front() != traits_.sections.front().name;
}

FileRecord* Statements::file_at(const Sources& sources, const Position& position) {
  const auto [known, is_new] = of_source_.try_emplace(static_cast<std::uint32_t>(position.source), nullptr);
  if (is_new && sources.part(position.source).empty()) {
    const auto found = by_path_.find(absolute_path(folder_, sources.file(position.source)));
    if (found != by_path_.end() && files_[found->second]->reading) known->second = files_[found->second].get();
  }
  return known->second;
}

LeafRecord* Statements::leaf_at(const Sources& sources, Origin origin) {
  const auto position = sources.position(origin);
  const FileRecord* file = position ? file_at(sources, *position) : nullptr;
  if (file == nullptr) return nullptr;
  const auto leaf = file->places.find(place_key(*position));
  return leaf == file->places.end() ? nullptr : leaf->second;
}

bool Statements::is_in_joined_list(std::uint32_t statement) const {
  const Statement& one = all_[statement];
  if (!one.is_item && !one.is_below_list) return false;
  if (!traits_.merges_lists) return false;
  if (!traits_.merges_by_key()) {
    const query::Section* section = traits_.section(one.tokens.front());
    return section == nullptr || section->joins_items;
  }
  const PartsOf* parts = parts_of(one);
  return parts != nullptr && parts->joins_items;
}

bool Statements::is_looked_at(const Statement& statement) const {
  if (statement.is_merged || statement.is_hidden) return false;
  if (statement.is_item && statement.is_below_list) return false;
  if (!traits_.has_statements || is_setting(statement) || is_wrapped(statement)) return false;
  const std::size_t depth = statement.tokens.size();
  if (!traits_.sections.empty()) {
    const query::Section* section = traits_.section(statement.tokens.front());
    return section != nullptr && depth >= section->least_depth && depth <= section->most_depth;
  }
  if (!traits_.merges_by_key()) return depth >= traits_.least_depth;
  if (depth == 1) return !statement.is_item;
  const PartsOf* parts = parts_of(statement);
  if (parts == nullptr) return false;
  if (statement.is_item) return parts->joins_items && (depth == 2 || parts->parts == Merging::Parts::all);
  return parts->parts == Merging::Parts::all || (parts->parts == Merging::Parts::members && depth == 2);
}

bool Statements::is_wrapped(const Statement& statement) const {
  return traits_.is_wrapper != nullptr &&
         traits_.is_wrapper(files_[statement.file]->reading->documents[statement.document].root);
}

bool Statements::repeats_in_list(const Statement& statement) const {
  if (!statement.is_item || statement.parent == Statement::kNone) return false;
  const auto items = all_[statement.parent].value.items();
  return std::ranges::count_if(items, [&](const Value& one) { return identical(one, statement.value); }) > 1;
}

bool Statements::is_setting(const Statement& statement) const {
  return std::ranges::find(traits_.settings, statement.tokens.front()) != traits_.settings.end();
}

bool Statements::is_within(const Statement& statement) const {
  for (const Statement* one = &statement;; one = &all_[one->parent]) {
    if (is_looked_at(*one)) return true;
    if (one->parent == Statement::kNone) return false;
  }
}

const PartsOf* Statements::parts_of(const Statement& statement) const {
  const auto found = parts_.find({statement.file, statement.tokens.front()});
  return found == parts_.end() ? nullptr : &found->second;
}

bool Statements::is_root(const Statement& statement) const {
  if (statement.is_item) return false;
  if (traits_.items != query::ItemKind::section_member) return statement.tokens.size() == 1;
  return statement.tokens.size() == 2 && !is_in_further_section(statement);
}

bool Statements::is_secret(std::uint32_t statement) const {
  const auto& leaves = files_[all_[statement].file]->leaves;
  const auto found = std::ranges::lower_bound(leaves, statement, {}, &LeafRecord::statement);
  return found != leaves.end() && found->statement == statement && found->is_secret;
}

std::string Statements::shown_pointer(const Statement& statement) const {
  std::size_t depth = statement.tokens.size();
  for (const Statement* one = &statement; one->parent != Statement::kNone; one = &all_[one->parent]) {
    if (one->is_hidden) depth = one->tokens.size() - 1;
  }
  return pointer_of(std::span(statement.tokens).first(depth));
}

std::string_view Statements::merged_name(const Statement& statement) const {
  return without_prefix(traits_, statement.tokens.back());
}

bool Statements::is_knockout(const Statement& statement) const {
  if (!statement.is_item || !statement.value.is_text()) return false;
  const std::string_view text = statement.value.text();
  const query::Section* section = traits_.section(statement.tokens.front());
  if (section != nullptr) return !section->knockout_prefix.empty() && text.starts_with(section->knockout_prefix);
  const PartsOf* parts = parts_of(statement);
  return parts != nullptr &&
         std::ranges::any_of(parts->prefixes, [&](const std::string& prefix) { return text.starts_with(prefix); });
}

std::string Statements::item_of(const Statement& statement) const {
  const std::string& root = statement.tokens.front();
  switch (traits_.items) {
    case query::ItemKind::root_member:
      return root;
    case query::ItemKind::section_member: {
      if (is_in_further_section(statement) || statement.tokens.size() < 2) return root;
      const std::string_view name = without_prefix(traits_, statement.tokens[1]);
      // The name alone is that of the further section.
      return traits_.section(name) == nullptr ? std::string(name) : fmt::format("{}/{}", root, name);
    }
    case query::ItemKind::document:
      return traits_.document_item(files_[statement.file]->reading->documents[statement.document].root);
    case query::ItemKind::none:
      break;
  }
  return {};
}

std::string Statements::path_of(const Statement& statement) const {
  if (!traits_.has_items()) return statement.pointer();
  const bool is_in_section = traits_.items == query::ItemKind::section_member && !is_in_further_section(statement);
  std::vector<std::string> tokens;
  for (std::size_t i = is_in_section ? 2 : 1; i < statement.tokens.size(); ++i)
    tokens.emplace_back(without_prefix(traits_, statement.tokens[i]));
  return pointer_of(tokens);
}

std::string Statements::name_of(const Statement& statement) {
  return statement.tokens.front() + pointer_of(std::span(statement.tokens).subspan(1));
}

}  // namespace strata::analysis
