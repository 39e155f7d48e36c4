// SPDX-License-Identifier: Apache-2.0
// Patterns, options of branches, and `in`.
#include <algorithm>
#include <cstring>

#include "puppet/characters.hpp"
#include "puppet/evaluation/objects.hpp"
#include "puppet/evaluation/operations.hpp"
#include "puppet/evaluation/pattern_object.hpp"
#include "puppet/kinds.hpp"
#include "ruby/text.hpp"
#include "strata/builder.hpp"

namespace strata::puppet {
namespace {

/// A part of so few bytes may be compared at each place of a text.
constexpr std::size_t kFewBytes = 16;

bool is_ascii(std::string_view text) noexcept {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

bool holds_text(std::string_view text, std::string_view part, Evaluator& evaluator) {
  if (!is_ascii(text) || !is_ascii(part)) {
    evaluator.charge_text(text.size() + part.size());
    return find_part(ruby::downcase(text), ruby::downcase(part)) != std::string::npos;
  }
  if (part.size() > text.size()) return false;
  evaluator.charge_text(text.size());
  if (part.size() > kFewBytes) return find_part(lower(text), lower(part)) != std::string::npos;
  const auto same = [](char one, char other) { return lower(one) == lower(other); };
  return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

bool in_items(std::span<const Value> items, const Value& item, Scope& scope, Evaluator& evaluator) {
  evaluator.charge(items.size() / 4);
  if (const PatternObject* pattern = as_pattern(item))
    return std::any_of(items.begin(), items.end(), [&](const Value& one) {
      return one.is_text() && search(pattern->regex(), one, scope, evaluator);
    });
  if (is_string(item))
    return std::any_of(items.begin(), items.end(),
                       [&](const Value& one) { return matches(item, one, scope, evaluator); });
  if (const TypeObject* type = as_type(item))
    return std::any_of(items.begin(), items.end(),
                       [&](const Value& one) { return evaluator.is_member(*type->type(), one); });
  return std::any_of(items.begin(), items.end(), [&](const Value& one) { return equals(one, item, evaluator); });
}

}  // namespace

std::size_t find_part(std::string_view text, std::string_view part, std::size_t from) {
  if (part.size() <= kFewBytes || from > text.size()) return text.find(part, from);
  const void* found = memmem(text.data() + from, text.size() - from, part.data(), part.size());
  return found == nullptr ? std::string_view::npos
                          : static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

bool search(const text::Regex& regex, const Value& text, Scope& scope, Evaluator& evaluator) {
  const std::string_view subject = text.text();
  const std::optional<text::Regex::Match> match = evaluator.find(regex, subject);
  if (!match) return false;
  Arena& arena = evaluator.arena();
  SequenceBuilder groups(arena, match->groups.size());
  for (const std::optional<text::Regex::Span>& span : match->groups) {
    Value group = Value::null();
    if (span) {
      evaluator.charge_text(span->end - span->begin);
      group = arena.text(subject.substr(span->begin, span->end - span->begin)).with_secret(text.is_secret());
    }
    groups.append(group.with_origin(text.origin()));
  }
  scope.set_groups(groups.finish());
  return true;
}

// Recursion: values nest as deep as Limits::depth.
bool matches(const Value& value, const Value& pattern, Scope& scope, Evaluator& evaluator) {
  if (const PatternObject* regex = as_pattern(pattern))
    return value.is_text() && search(regex->regex(), value, scope, evaluator);
  if (const TypeObject* type = as_type(pattern)) return evaluator.is_member(*type->type(), value);
  if (is_default(pattern)) return true;
  if (pattern.is_sequence()) {
    if (!value.is_sequence() || value.size() != pattern.size()) return false;
    evaluator.charge(pattern.size());
    return std::equal(value.items().begin(), value.items().end(), pattern.items().begin(),
                      [&](const Value& one, const Value& wanted) { return matches(one, wanted, scope, evaluator); });
  }
  if (is_hash(pattern)) {
    if (!is_hash(value)) return false;
    evaluator.charge(pattern.size());
    return std::all_of(pattern.entries().begin(), pattern.entries().end(), [&](const Entry& entry) {
      evaluator.charge_value(entry.key);
      const Value* member = value.find(entry.key);
      return matches(member == nullptr ? Value::null() : *member, entry.value, scope, evaluator);
    });
  }
  return equals(value, pattern, evaluator);
}

bool contains(const Value& collection, const Value& item, Scope& scope, Evaluator& evaluator) {
  if (collection.is_text()) {
    if (const PatternObject* pattern = as_pattern(item)) return search(pattern->regex(), collection, scope, evaluator);
    return item.is_text() && holds_text(collection.text(), item.text(), evaluator);
  }
  if (collection.is_sequence()) return in_items(collection.items(), item, scope, evaluator);
  if (!is_hash(collection)) return false;
  std::vector<Value> keys;
  keys.reserve(collection.size());
  for (const Entry& entry : collection.entries()) keys.push_back(entry.key);
  return in_items(keys, item, scope, evaluator);
}

}  // namespace strata::puppet
