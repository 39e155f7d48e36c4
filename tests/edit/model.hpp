// SPDX-License-Identifier: Apache-2.0
// What edits mean, by their definition on values alone.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "strata/builder.hpp"
#include "strata/error.hpp"
#include "strata/path.hpp"
#include "strata/text_edit.hpp"

namespace strata::edit::testing {

/// A text and what it says. Errors: those of the readers.
struct Read {
  Sources sources;
  std::vector<text::Document> documents;

  Read(std::string_view text, const Form& form, const Limits& limits = {}) {
    const SourceId source = sources.add("f", std::string(text));
    if (form.syntax != Syntax::json) {
      documents =
          text::read_yaml_stream(sources, source, form.profile != nullptr ? *form.profile : text::pyyaml(), limits);
    } else if (text.find_first_not_of(" \t\r\n") != std::string_view::npos) {
      documents.push_back(text::read_json(sources, source, limits, 0, form.json));
    }
  }
  [[nodiscard]] Value root() const { return documents.empty() ? Value() : documents.front().root; }
};

/// The index of the member that a token names: a text, or else a key of another kind that says the same. The size:
/// none.
inline std::size_t member_of(const Value& mapping, const std::string& token) {
  std::size_t other = mapping.size();
  for (std::size_t i = 0; i < mapping.size(); ++i) {
    const Value& key = mapping.entries()[i].key;
    if (key.is_text() && key.text() == token) return i;
    if (!key.is_container() && key_text(key) == token) other = i;
  }
  return other;
}

/// A value with the operation done to it, at the end of mappings where it adds a member.
inline Value changed(Arena& arena, const Value& value, std::span<const std::string> tokens, const Change& change) {
  if (tokens.empty()) return change.value;
  const bool is_last = tokens.size() == 1;
  if (!value || value.is_null()) {
    MappingBuilder mapping(arena);
    mapping.insert(tokens.front(), changed(arena, {}, tokens.subspan(1), change));
    return mapping.finish();
  }
  const bool removes = is_last && change.operation == Operation::remove;
  if (value.is_sequence()) {
    SequenceBuilder items(arena);
    const std::size_t index = tokens.front() == "-" ? value.size() : std::stoul(tokens.front());
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (i != index) {
        items.append(value.items()[i]);
      } else if (!removes) {
        items.append(changed(arena, value.items()[i], tokens.subspan(1), change));
      }
    }
    if (index == value.size()) items.append(changed(arena, {}, tokens.subspan(1), change));
    return items.finish();
  }
  MappingBuilder entries(arena, Arena::equality(value));
  const std::size_t index = member_of(value, tokens.front());
  for (std::size_t i = 0; i < value.size(); ++i) {
    const Entry& entry = value.entries()[i];
    if (i != index) {
      entries.insert(entry.key, entry.value);
    } else if (!removes) {
      entries.insert(entry.key, changed(arena, entry.value, tokens.subspan(1), change));
    }
  }
  if (index == value.size()) entries.insert(tokens.front(), changed(arena, {}, tokens.subspan(1), change));
  return entries.finish();
}

/// What is wrong with what an edit gave; empty: nothing.
inline std::string mistake(std::string_view text, const Form& form, const Change& change, const Edited& edited,
                           const Limits& limits = {}) {
  const Read before(text, form, limits);
  const Read after(edited.text, form, limits);
  const std::size_t count = before.documents.empty() ? 1 : before.documents.size();
  if (after.documents.size() != count) return "another number of documents";
  Arena arena;
  for (std::size_t i = 0; i < count; ++i) {
    const Value old = before.documents.empty() ? Value() : before.documents[i].root;
    const Value now = after.documents[i].root;
    if (i != change.document.value_or(0)) {
      if (!identical(old, now)) return "another document changed";
      continue;
    }
    const Value wanted = changed(arena, old, parse_pointer(change.pointer), change);
    // A new member of a sorted mapping need not be the last one.
    const bool is_right = edited.outcome == Outcome::inserted ? equal(now, wanted) : identical(now, wanted);
    if (!is_right) return "not what was asked for";
  }
  return {};
}

/// Whether an error is one that edits have, beside those of readers.
inline bool is_refusal(std::string_view code) {
  return code == "edit.unsupported" || code == "edit.unsafe" || code == "edit.which-document" ||
         code == "edit.not-found";
}

}  // namespace strata::edit::testing
