// SPDX-License-Identifier: Apache-2.0
#include "edit/editor.hpp"

namespace strata::edit {
namespace {

/// A spelling of one line that may stand in a text: nothing that needs lines of its own, no comments.
bool is_usable(std::string_view given, bool is_container) {
  if (given.empty() || given.find_first_of("\r\n") != std::string_view::npos) return false;
  if (given.front() == '#' || given.find(" #") != std::string_view::npos || given.find("\t#") != std::string_view::npos)
    return false;
  return !is_container || std::string_view("[{!&").find(given.front()) != std::string_view::npos;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

bool is_block_worthy(const Value& value) { return value.size() != 0; }

}  // namespace

std::vector<std::string> Editor::value_spellings(const Value& value, Style old, bool has_tag) const {
  std::string_view given = target_.is_wrapped && target_.action != Action::begin ? std::string_view() : trimmed(given_);
  if (!is_usable(given, value.is_container())) given = {};
  std::vector<std::string> all;
  if (is_json_) {
    if (!given.empty()) all.emplace_back(given);
    std::string json;
    text::append_json(json, value, {.sort_keys = false, .indent = -1});
    if (all.empty() || all.front() != json) all.push_back(std::move(json));
    return all;
  }
  if (value.is_text()) return spelling_.texts(value.text(), old, is_in_flow(), has_tag, given);
  if (!given.empty()) all.emplace_back(given);
  try {
    std::string own = spelling_.flow(value, is_in_flow());
    if (all.empty() || all.front() != own) all.push_back(std::move(own));
  } catch (const Spelling::Unwritable&) {
    if (all.empty()) throw;
  }
  return all;
}

std::vector<std::string> Editor::key_spellings(std::string_view key) const {
  if (!is_json_) return spelling_.keys(key, is_in_flow());
  std::string json;
  text::append_json_text(json, key);
  return {json};
}

std::vector<Attempt> Editor::attempts() {
  switch (target_.action) {
    case Action::begin:
      first_member();
      break;
    case Action::replace:
      replace();
      break;
    case Action::insert:
      insert();
      break;
    case Action::append:
      append();
      break;
    case Action::remove:
      if (is_in_flow()) {
        remove_from_flow();
      } else {
        remove_from_block();
      }
      break;
  }
  // What is too long for one line is written so after all where no other way is possible.
  const std::size_t count = attempts_.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (!attempts_[i].is_limited) continue;
    Attempt again = attempts_[i];
    again.is_limited = false;
    attempts_.push_back(std::move(again));
  }
  return std::move(attempts_);
}

/// The document is `KEY: VALUE`, or another value, as the last line.
void Editor::first_member() {
  const std::size_t end = target_.outline.end;
  if (is_json_) {
    for (const std::string& value : value_spellings(target_.value, Style::none, false)) add_line(end, value, false);
    return;
  }
  const Indentation indentation = this->indentation();
  const Value& root = target_.value;
  const bool is_member = target_.is_wrapped && root.is_mapping() && root.size() == 1;
  if (!is_member) {
    const bool is_limited = is_block_worthy(root);
    for (const std::string& value : value_spellings(root, Style::none, false)) add_line(end, value, is_limited);
    if (is_limited) add_line(end, spelling_.block(root, 0, indentation, lines_.line_break()), false);
    return;
  }
  const Entry& entry = root.entries().front();
  const bool is_limited = is_block_worthy(entry.value);
  const std::vector<std::string> values = value_spellings(entry.value, Style::none, false);
  const std::vector<std::string> keys = key_spellings(entry.key.text());
  for (const std::string& key : keys) {
    for (const std::string& value : values) {
      std::string line = key;
      line.append(": ").append(value);
      add_line(end, line, is_limited);
    }
  }
  if (is_limited) add_line(end, spelling_.block(root, 0, indentation, lines_.line_break()), false);
}

void Editor::replace() {
  const text::NodeRange& node = target_.node();
  const bool is_limited = is_block_worthy(target_.value);
  const bool in_flow = is_in_flow();
  if (!in_flow) replace_by_block_scalar();
  const Style old = node.kind == NodeKind::scalar && !node.is_empty ? node.style : Style::none;
  for (const std::string& value : value_spellings(target_.value, old, node.has_properties)) {
    if (in_flow) {
      replace_in_flow(value, is_limited);
    } else {
      replace_in_block(value, is_limited);
    }
  }
  if (!is_limited) return;
  if (!in_flow) {
    replace_by_block();
  } else if (is_json_ && is_over_lines()) {
    replace_by_lines();
  }
}

void Editor::insert() {
  const bool is_limited = is_block_worthy(target_.value);
  const bool in_flow = is_in_flow();
  const std::vector<std::string> values = value_spellings(target_.value, Style::none, false);
  const std::vector<std::string> keys = key_spellings(target_.key);
  for (const std::string& key : keys) {
    for (const std::string& value : values) {
      std::string member = key;
      member.append(": ").append(value);
      if (in_flow) {
        add_to_flow(member, is_limited);
      } else {
        add_to_block(member, is_limited);
      }
    }
    if (!is_limited) continue;
    if (!in_flow) {
      add_to_block(block_member(key + ":"), false);
    } else if (is_json_) {
      add_lines_to_flow(key + ": ");
    }
  }
}

void Editor::append() {
  const bool is_limited = is_block_worthy(target_.value);
  const bool in_flow = is_in_flow();
  for (const std::string& value : value_spellings(target_.value, Style::none, false)) {
    if (in_flow) {
      add_to_flow(value, is_limited);
    } else {
      add_to_block("- " + value, is_limited);
    }
  }
  if (!is_limited) return;
  if (!in_flow) {
    add_to_block(block_member({}), false);
  } else if (is_json_) {
    add_lines_to_flow({});
  }
}

}  // namespace strata::edit
