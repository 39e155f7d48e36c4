#include "heat/values.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "python/data.hpp"
#include "strata/builder.hpp"
#include "strata/path.hpp"

namespace strata::heat {
namespace {

/// A key as json.dumps() writes it, without quotes.
std::string json_key(const Value& key) { return key.kind() == Kind::floating ? python::json(key) : key_text(key); }

// Recursion: bounded by Limits::depth, which the readers keep.
void gather(const Value& value, JsonNeeds& needs) noexcept {
  if (value.kind() == Kind::floating) {
    if (!std::isfinite(value.as_floating()) && !needs.not_finite) needs.not_finite = value.origin();
  } else if (value.is_sequence()) {
    for (const Value& item : value.items()) gather(item, needs);
  } else if (value.is_container()) {
    if (value.kind() == Kind::set) needs.change = true;
    for (const Entry& entry : value.entries()) {
      if (!entry.key.is_text()) {
        needs.change = true;
        gather(entry.key, needs);
      }
      gather(entry.value, needs);
    }
  }
}

/// What a value becomes; none where it stays as it is.
// Recursion: bounded by Limits::depth.
std::optional<Value> changed(Arena& arena, const Value& value, bool& collided) {
  const auto like_before = [&value](const Value& made) { return made.with_origin(value.origin()).with_secret(value.is_secret()); };
  if (value.is_sequence()) {
    std::optional<SequenceBuilder> result;
    const auto items = value.items();
    for (std::size_t i = 0; i < items.size(); ++i) {
      const auto item = changed(arena, items[i], collided);
      if (item && !result) {
        result.emplace(arena, items.size());
        result->append(items.first(i));
      }
      if (result) result->append(item.value_or(items[i]));
    }
    if (result) return like_before(result->finish());
  } else if (value.is_mapping()) {
    std::optional<MappingBuilder> result;
    const auto entries = value.entries();
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const auto& [key, member] = entries[i];
      const auto made = changed(arena, member, collided);
      if (key.is_text() && !made && !result) continue;
      if (!result) {
        result.emplace(arena, KeyEquality::exact, entries.size());
        for (const Entry& before : entries.first(i)) result->insert(before.key, before.value);
      }
      const Value text = key.is_text() ? key : arena.key(json_key(key)).with_origin(key.origin());
      if (!result->insert(text, made.value_or(member))) collided = true;
    }
    if (result) return like_before(result->finish());
  } else if (value.kind() == Kind::set) {
    SequenceBuilder result(arena, value.size());
    for (const Entry& entry : value.entries()) result.append(entry.key);
    return like_before(result.finish());
  }
  return std::nullopt;
}

}  // namespace

bool is_idle(const Value& mapping) noexcept {
  return mapping.is_mapping() && std::ranges::all_of(mapping.entries(), [](const Entry& entry) { return entry.value.is_null(); });
}

JsonNeeds json_needs(const Value& value) noexcept {
  JsonNeeds needs;
  gather(value, needs);
  return needs;
}

JsonForm json_form(Arena& arena, const Value& value) {
  JsonForm form;
  form.value = changed(arena, value, form.collided).value_or(value);
  return form;
}

}  // namespace strata::heat
