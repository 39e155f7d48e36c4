// SPDX-License-Identifier: Apache-2.0
#include "analysis/statement_spans.hpp"

#include <algorithm>
#include <tuple>

#include "strata/path.hpp"

namespace strata::analysis {

StatementSpans::StatementSpans(const edit::Reading& reading) {
  for (std::size_t i = 0; i < reading.documents.size(); ++i) {
    const Value& root = reading.documents[i].root;
    if (!root || !root.origin()) continue;
    spans_.push_back({.begin = reading.offset(root.origin()), .depth = 0, .document = i, .token = {}});
    list(reading, root, i, 1);
  }
  nest(reading.text().size());
}

// Recursion: bounded by Limits::depth.
void StatementSpans::list(const edit::Reading& reading, const Value& value, std::size_t document, std::size_t depth) {
  const auto add = [&](std::string token, const Value& place, const Value& member) {
    if (!place.origin() || place.origin().through_alias()) return;
    spans_.push_back(
        {.begin = reading.offset(place.origin()), .depth = depth, .document = document, .token = std::move(token)});
    if (!member.origin().through_alias()) list(reading, member, document, depth + 1);
  };
  if (value.is_sequence()) {
    for (std::size_t i = 0; i < value.size(); ++i) add(std::to_string(i), value.items()[i], value.items()[i]);
  } else if (value.is_mapping()) {
    for (const Entry& entry : value.entries()) add(key_text(entry.key), entry.key, entry.value);
  }
}

void StatementSpans::nest(std::size_t size) {
  std::ranges::stable_sort(spans_, {}, [](const Span& one) { return std::tuple(one.begin, one.depth); });
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < spans_.size(); ++i) {
    for (; !open.empty() && spans_[open.back()].depth >= spans_[i].depth; open.pop_back())
      spans_[open.back()].end = spans_[i].begin;
    if (!open.empty()) spans_[i].parent = open.back();
    open.push_back(i);
  }
  for (const std::size_t one : open) spans_[one].end = size;
}

std::optional<std::size_t> StatementSpans::first_in(std::size_t begin, std::size_t end) const {
  auto found = std::ranges::lower_bound(spans_, begin, {}, &Span::begin);
  while (found != spans_.end() && found->is_document()) ++found;
  if (found == spans_.end() || found->begin >= end) return std::nullopt;
  return static_cast<std::size_t>(found - spans_.begin());
}

std::string StatementSpans::pointer(std::size_t number) const {
  std::vector<std::string> tokens;
  for (std::size_t at = number; at != Span::kNone && !spans_[at].is_document(); at = spans_[at].parent)
    tokens.push_back(spans_[at].token);
  std::ranges::reverse(tokens);
  return pointer_of(tokens);
}

}  // namespace strata::analysis
