// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "guarded.hpp"
#include "strata/builder.hpp"

namespace strata::c {
namespace {

constexpr std::size_t kMostBytes = std::size_t{256} << 20U;
constexpr std::string_view kName = "name";
/// Members of a project's options that are no members of a project in `.strata.yaml`.
constexpr std::array<std::string_view, 7> kOwn{"project", "more", "words", "folder", "seconds", "cache", "plugin-host"};

text::Document read(Sources& sources, std::string_view what, const std::string& code, std::string_view text) {
  if (text.size() > kMostBytes) misuse(code, fmt::format("{} is longer than {} bytes", what, kMostBytes));
  try {
    return text::read_json(sources, sources.add(fmt::format("<{}>", what), std::string(text)), {});
  } catch (const Error& error) {
    Diagnostic told = error.diagnostic();
    told.message = fmt::format("{} is not JSON: {}", what, told.message);
    told.code = code;
    throw Error(std::move(told));
  }
}

/// A copy that stands nowhere: the texts of calls are gone when somebody asks for places. Recursion: bounded by
/// Limits::depth, as the text was read.
Value without_places(Arena& arena, const Value& value) {
  if (value.is_sequence()) {
    SequenceBuilder out(arena, value.size());
    for (const Value& item : value.items()) out.append(without_places(arena, item));
    return out.finish();
  }
  if (value.is_mapping()) {
    MappingBuilder out(arena);
    for (const Entry& entry : value.entries())
      out.insert(arena.key(entry.key.text()), without_places(arena, entry.value));
    return out.finish();
  }
  return arena.deep_copy(value).with_origin({});
}

/// A value as JSON again.
std::string rewritten(const Value& value, std::string_view what, const std::string& code) {
  try {
    return text::write_json(value, {.indent = -1});
  } catch (const Error& error) {
    misuse(code, fmt::format("{} is not JSON: {}", what, error.diagnostic().message));
  }
}

}  // namespace

JsonObject::JsonObject(std::string_view what, std::string code, std::string_view text) : what_(what) {
  if (text.empty()) {
    empty_ = std::make_unique<Arena>();
    value_ = empty_->mapping();
  } else {
    document_ = read(sources_, what, code, text);
    value_ = document_.root;
  }
  errors_ = {.code = std::move(code), .sources = &sources_, .hint = "docs/library/c.md says which members there are"};
  fields_.emplace(value_, what_, errors_);
}

std::vector<std::string> JsonObject::words(std::string_view name) const {
  std::vector<std::string> out;
  const Value* given = fields_->find(name);
  if (given != nullptr && given->is_text()) return {std::string(given->text())};
  if (const Value* list = fields_->texts(name)) {
    for (const Value& word : list->items()) out.emplace_back(word.text());
  }
  return out;
}

Edits JsonObject::edits_of(const Value& mapping, std::string_view what, const std::string& code) {
  Edits out;
  for (const Entry& entry : mapping.entries()) {
    const std::string path(entry.key.text());
    if (path.empty() || path.find('\0') != std::string::npos)
      misuse(code, fmt::format("'{}' is not a path in {}", path, what));
    if (!entry.value.is_text() && !entry.value.is_null())
      misuse(code, wrong_kind(fmt::format("'{}' in {}", path, what), "a text or null", entry.value));
    out.insert_or_assign(path, entry.value.is_null() ? std::nullopt : std::optional<std::string>(entry.value.text()));
  }
  return out;
}

Edits JsonObject::edits(std::string_view name) const {
  const Value* mapping = fields_->mapping(name, "a mapping of paths to texts");
  return mapping == nullptr ? Edits() : edits_of(*mapping, name, errors_.code);
}

ProjectOptions read_project_options(const JsonObject& options, std::span<const std::string_view> more) {
  const Fields& fields = options.fields();
  ProjectOptions out;
  const auto is_own = [&](std::string_view name) {
    return std::ranges::find(kOwn, name) != kOwn.end() || std::ranges::find(more, name) != more.end();
  };
  if (const Value* folder = fields.word("folder")) {
    out.folder = folder->text();
    if (out.folder.find('\0') != std::string::npos)
      misuse("call.options", "'folder' is not a path: it has a zero byte");
  }
  if (const Value* project = fields.word("project"))
    out.project = project->text().substr(project->text().starts_with('@') ? 1 : 0);
  if (const Value* host = fields.word("plugin-host")) out.plugin_host = host->text();
  out.more = options.words("more");
  out.words = options.words("words");
  constexpr std::int64_t kMost = std::int64_t{1} << 40U;
  if (const auto seconds = fields.number("seconds", 1, std::int64_t{86'400} * 365, "seconds"))
    out.time = std::chrono::seconds(*seconds);
  if (const auto bytes = fields.number("cache", 0, kMost, "bytes")) out.kept = static_cast<std::size_t>(*bytes);
  if (const Value* threads = fields.find("threads");
      threads != nullptr && (threads->kind() == Kind::integer || fields.find("verb") == nullptr)) {
    out.threads = static_cast<unsigned>(*fields.number("threads", 0, 1024));
  }
  Arena arena;
  MappingBuilder entry(arena);
  std::vector<std::string_view> others;
  for (const Entry& one : options.value().entries()) {
    const std::string_view name = one.key.text();
    if (is_own(name)) continue;
    others.push_back(name);
    // In .strata.yaml it is a text.
    entry.insert(name, name == "threads" && one.value.kind() == Kind::integer ? arena.text(std::to_string(out.threads))
                                                                              : one.value);
  }
  if (!out.words.empty() && out.words.front().starts_with('@')) {
    out.project = out.words.front().substr(1);
    out.more.assign(out.words.begin() + 1, out.words.end());
    out.words.clear();
  }
  const int ways =
      (out.project.empty() ? 0 : 1) + (out.words.empty() ? 0 : 1) + (fields.find("verb") == nullptr ? 0 : 1);
  if (ways != 1) {
    misuse("call.options", ways == 0 ? "the options name no question" : "the options name a question in two ways",
           R"(give one of {"project": "@NAME"}, {"verb": VERB, OPTION: …} and {"words": [VERB, …]})");
  }
  if (fields.find("verb") != nullptr) {
    if (!out.more.empty()) misuse("call.options", "'more' goes with 'project': put the words into 'args'");
    out.entry = rewritten(entry.finish(), "the options", "call.options");
  } else {
    others.erase(std::remove(others.begin(), others.end(), "threads"), others.end());
    if (!others.empty()) {
      misuse("call.options",
             fmt::format("'{}' goes with 'verb': options of a project are words in 'more'", others.front()));
    }
    if (!out.words.empty() && !out.more.empty())
      misuse("call.options", "'more' goes with 'project': put the words into 'words'");
  }
  return out;
}

Query read_query(std::string_view text) {
  const JsonObject object("the query", "call.query", text);
  const Fields& fields = object.fields();
  constexpr std::array<std::string_view, 5> kKnown{"keys", "merge", "default", "history", "cleartext"};
  fields.only(kKnown);
  const auto arena = std::make_shared<Arena>();
  Query out{.memory = arena};
  out.keys.names = object.words("keys");
  out.has_history = fields.flag("history");
  out.is_cleartext = fields.flag("cleartext");
  if (const Value* merge = fields.find("merge")) {
    if (!merge->is_text() && !merge->is_mapping())
      fields.refuse_kind("merge", "a text or a mapping, as in lookup_options", *merge);
    out.keys.merge = without_places(*arena, *merge);
  }
  // A default can be null.
  if (const Value* otherwise = object.value().find("default")) out.keys.otherwise = without_places(*arena, *otherwise);
  if (out.keys.names.empty() && (out.keys.merge || out.keys.otherwise))
    misuse("call.query", "'merge' and 'default' are for 'keys': give both");
  return out;
}

std::optional<std::string> read_node(std::string_view subject) {
  if (!subject.starts_with('{')) return std::nullopt;
  const JsonObject node("the subject", "call.subject", subject);
  const Fields& fields = node.fields();
  constexpr std::array<std::string_view, 3> kKnown{kName, "facts", "trusted"};
  fields.only(kKnown);
  (void)fields.needed_word(kName);
  for (const std::string_view name : {"facts", "trusted"}) {
    (void)fields.mapping(name);
    const Value* given = node.value().find(name);
    if (given != nullptr && given->is_null()) fields.refuse_kind(name, "a mapping", *given);
  }
  Arena arena;
  const Value& value = node.value();
  return rewritten(arena.sequence({&value, 1}), "the subject", "call.subject");
}

}  // namespace strata::c
