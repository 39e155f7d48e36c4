// SPDX-License-Identifier: Apache-2.0
#include "service/explore/hiding.hpp"

#include <algorithm>
#include <optional>

#include "strata/builder.hpp"
#include "strata/report.hpp"

namespace strata::service::explore {

// Recursion: bounded by Limits::depth.
void Secrets::add(const Value& value) {
  constexpr std::size_t kMost = 100'000;
  if (value.is_sequence()) {
    for (const Value& item : value.items()) add(item);
  } else if (value.is_container()) {
    for (const Entry& entry : value.entries()) add(entry.value);
  } else if (std::string text = key_text(value); text.size() >= kLeast && texts.size() < kMost) {
    texts.insert(std::move(text));
  }
}

bool Hiding::has_secret(std::string_view text) const {
  return std::ranges::any_of(secrets_->texts,
                             [text](const std::string& one) { return text.find(one) != std::string_view::npos; });
}

/// Whether a value of a change, with its place, is from a line that had a secret.
bool Hiding::is_secret_line(const Value& side) const {
  const Value* file = side.find("file");
  const Value* line = side.find("line");
  if (side.find("value") == nullptr || file == nullptr || !file->is_text() || line == nullptr ||
      line->kind() != Kind::integer)
    return false;
  return secrets_->lines.contains({std::string(file->text()), static_cast<std::uint32_t>(line->as_integer())});
}

// Recursion: bounded by Limits::depth.
Value Hiding::hidden_member(Arena& arena, const Value& data, bool& has_changed) const {
  if (data.is_text()) {
    if (!has_secret(data.text())) return data;
    has_changed = true;
    return arena.text(report::kMask);
  }
  if (data.is_sequence()) {
    SequenceBuilder out(arena, data.size());
    bool differs = false;
    for (const Value& item : data.items()) out.append(hidden_member(arena, item, differs));
    has_changed = has_changed || differs;
    return differs ? out.finish() : data;
  }
  if (!data.is_container()) {
    const bool is_number =
        data.kind() == Kind::integer || data.kind() == Kind::big_integer || data.kind() == Kind::floating;
    if (!is_number || !secrets_->texts.contains(key_text(data))) return data;
    has_changed = true;
    return arena.text(report::kMask);
  }
  MappingBuilder out(arena, KeyEquality::exact, data.size());
  bool differs = is_secret_line(data);
  const bool is_secret = differs;
  for (const Entry& entry : data.entries()) {
    const bool is_value = entry.key.is_text() && entry.key.text() == "value";
    bool is_hidden = false;
    const Value key = hidden_member(arena, entry.key, differs);
    const Value value =
        is_value && is_secret ? arena.text(report::kMask) : hidden_member(arena, entry.value, is_hidden);
    out.insert(key, value);
    if (is_value && (is_secret || is_hidden)) out.insert("secret", Value::boolean(true));
    differs = differs || is_hidden;
  }
  has_changed = has_changed || differs;
  return differs ? out.finish() : data;
}

Value Hiding::hidden(Arena& arena, const Value& data) const {
  if (secrets_ == nullptr || (secrets_->texts.empty() && secrets_->lines.empty())) return data;
  bool has_changed = false;
  return hidden_member(arena, data, has_changed);
}

}  // namespace strata::service::explore
