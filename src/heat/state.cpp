// SPDX-License-Identifier: Apache-2.0
#include "heat/state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "heat/values.hpp"
#include "strata/builder.hpp"
#include "strata/near_names.hpp"
#include "strata/path.hpp"
#include "strata/text.hpp"
#include "value/fields.hpp"

namespace strata::heat {
namespace {

constexpr std::array<std::string_view, 8> kMembers{"template",    "environment_files", "files",
                                                   "parameters",  "base_environment",  "cleared_parameters",
                                                   "environment", "checkpoint"};

/// Further members of an exported stack. They identify the stack, and have no part in the combination.
constexpr std::array<std::string_view, 8> kStackMembers{"name",      "id",   "action",     "status",
                                                        "resources", "tags", "project_id", "stack_user_project_id"};

class StateReader {
 public:
  StateReader(Documents& documents, SourceId source) : documents_(documents) {
    state_.source = source;
    documents.session().sources().mark_secret(source);
    document_ = text::read_json(documents.session().sources(), source, documents.session().limits());
    documents.count(document_.nodes);
  }

  State read() {
    const FieldErrors errors{.code = "heat.state",
                             .sources = &documents_.session().sources(),
                             .hint = "states are written by --save-state; this one was edited or cut off"};
    const Fields fields(document_.root, "a state", errors);
    for (const Entry& entry : document_.root.entries()) {
      const std::string_view name = entry.key.text();
      if (std::ranges::find(kMembers, name) != kMembers.end() ||
          std::ranges::find(kStackMembers, name) != kStackMembers.end())
        continue;
      warn(documents_.session(), "heat.state-member", fmt::format("a state has no member '{}': it is ignored", name),
           entry.key.origin(), name_hint(kMembers, name));
    }
    if (const Value* text = fields.find("template")) {
      if (!text->is_text() && !text->is_mapping()) fields.refuse_kind("template", "a text or a mapping", *text);
      state_.template_value = *text;
    }
    if (const Value* names = fields.texts("environment_files", "a sequence of names")) {
      state_.has_list = true;
      for (const Value& name : names->items()) state_.environment_files.emplace_back(name.text());
    }
    constexpr std::string_view kFiles = "a mapping from names to texts";
    if (const Value* files = fields.mapping("files", kFiles)) {
      for (const Entry& file : files->entries()) {
        if (!file.value.is_text()) fields.refuse_item("files", kFiles, file.value);
        add_text(state_, {.name = std::string(file.key.text()), .source = {}, .text = file.value});
      }
    }
    const auto mapping = [&fields](std::string_view name) {
      const Value* found = fields.mapping(name);
      return found == nullptr ? Value() : *found;
    };
    state_.parameters = mapping("parameters");
    state_.base_environment = mapping("base_environment");
    state_.environment = mapping("environment");
    if (const Value* cleared =
            fields.mapping("cleared_parameters", "a mapping from names to sequences of file names")) {
      const Fields notes(*cleared, "'cleared_parameters'", errors);
      for (const Entry& note : cleared->entries()) {
        const std::string_view name = note.key.text();
        const Value* files = notes.texts(name, "a sequence of file names");
        if (files == nullptr) notes.refuse_kind(name, "a sequence of file names", note.value);
        for (const Value& file : files->items()) state_.cleared[std::string(name)].emplace(file.text());
      }
    }
    if (const Value* checkpoint = document_.root.find("checkpoint")) state_.checkpoint = *checkpoint;
    documents_.session().keep(document_.arena);
    return std::move(state_);
  }

 private:
  Documents& documents_;
  State state_;
  text::Document document_;
};

/// The members of a JSON object, line by line.
class ObjectWriter {
 public:
  explicit ObjectWriter(std::string& out) : out_(out) { out_ += '{'; }
  void key(std::string_view name) {
    out_ += is_first_ ? "\n  " : ",\n  ";
    is_first_ = false;
    text::append_json_text(out_, name);
    out_ += ": ";
  }
  void value(std::string_view name, const Value& value) {
    key(name);
    text::append_json(out_, value, kStyle, 1);
  }
  void finish() { out_ += "\n}\n"; }

 private:
  static constexpr text::JsonStyle kStyle{.sort_keys = false, .indent = 2};
  std::string& out_;
  bool is_first_ = true;
};

void append_texts(std::string& out, const Sources& sources, const std::vector<StoredText>& files) {
  out += '{';
  for (std::size_t i = 0; i < files.size(); ++i) {
    out += i == 0 ? "\n    " : ",\n    ";
    text::append_json_text(out, files[i].name);
    out += ": ";
    text::append_json_text(out, characters(sources, files[i]));
  }
  out += files.empty() ? "}" : "\n  }";
}

Value names_value(Arena& arena, const auto& names) {
  SequenceBuilder list(arena);
  for (const std::string& name : names) list.append(arena.text(name));
  return list.finish();
}

}  // namespace

StoredText* State::find(std::string_view name) {
  const auto found = index_.find(name);
  return found == index_.end() ? nullptr : &files[found->second];
}

std::map<std::string, NameSet, std::less<>> State::cleared_by_file() const {
  std::map<std::string, NameSet, std::less<>> by_file;
  for (const auto& [name, notes] : cleared) {
    for (const std::string& file : notes) by_file[file].insert(name);
  }
  return by_file;
}

void add_text(State& state, StoredText text) {
  const auto [found, is_new] = state.index_.try_emplace(text.name, state.files.size());
  if (is_new) {
    state.files.push_back(std::move(text));
  } else {
    state.files[found->second] = std::move(text);
  }
}

State read_state(Documents& documents, SourceId source) { return StateReader(documents, source).read(); }

std::string_view characters(const Sources& sources, const StoredText& text) {
  return text.source ? sources.text(*text.source) : text.text.text();
}

SourceId source_of(Documents& documents, const State& state, StoredText& text) {
  if (!text.source) {
    text.source = documents.session().sources().add_decoded(*state.source, text.name, std::string(text.text.text()));
    text.text = {};
  }
  return *text.source;
}

std::string write_state(const Sources& sources, const State& state) {
  Arena arena;
  std::string out;
  ObjectWriter object(out);
  if (state.template_value) object.value("template", state.template_value);
  if (state.compat == Compat::promised) object.value("environment_files", names_value(arena, state.environment_files));
  object.key("files");
  append_texts(out, sources, state.files);
  if (state.compat == Compat::promised) {
    object.value("parameters", state.parameters ? state.parameters : arena.mapping());
    object.value("base_environment",
                 state.base_environment ? json_form(arena, state.base_environment).value : arena.mapping());
    MappingBuilder cleared(arena);
    for (const auto& [name, files] : state.cleared) cleared.insert(name, names_value(arena, files));
    object.value("cleared_parameters", cleared.finish());
  }
  object.value("environment", state.environment ? state.environment : arena.mapping());
  if (state.checkpoint) object.value("checkpoint", state.checkpoint);
  object.finish();
  return out;
}

}  // namespace strata::heat
