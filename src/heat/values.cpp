// SPDX-License-Identifier: Apache-2.0
#include "heat/values.hpp"

#include <algorithm>
#include <cmath>

#include "python/data.hpp"
#include "strata/builder.hpp"
#include "strata/path.hpp"
#include "value/with_text_keys.hpp"

namespace strata::heat {
namespace {

/// A key as json.dumps() writes it, without quotes.
std::string json_key(const Value& key) { return key.kind() == Kind::floating ? python::json(key) : key_text(key); }

// Recursion: bounded by Limits::depth, which the readers keep.
void gather_needs(const Value& value, JsonNeeds& needs) noexcept {
  if (value.kind() == Kind::floating) {
    if (!std::isfinite(value.as_floating()) && !needs.not_finite) needs.not_finite = value.origin();
  } else if (value.is_sequence()) {
    for (const Value& item : value.items()) gather_needs(item, needs);
  } else if (value.is_container()) {
    if (value.kind() == Kind::set) needs.change = true;
    for (const Entry& entry : value.entries()) {
      if (!entry.key.is_text()) {
        needs.change = true;
        gather_needs(entry.key, needs);
      }
      gather_needs(entry.value, needs);
    }
  }
}

/// What a value becomes.
// Recursion: bounded by Limits::depth.
Value changed(Arena& arena, const Value& value, bool& collided) {
  const auto change = [&](const Value& member) { return changed(arena, member, collided); };
  if (value.is_sequence()) return with_members(arena, value, change);
  if (value.is_mapping()) {
    return with_text_keys(
        arena, value, KeyEquality::exact, json_key,
        [&change](const Value& /*key*/, const Value& member) { return change(member); },
        [&collided](const Value& /*key*/, const Value& /*written*/) { collided = true; });
  }
  if (value.kind() != Kind::set) return value;
  SequenceBuilder result(arena, value.size());
  for (const Entry& entry : value.entries()) result.append(entry.key);
  return result.finish().with_origin(value.origin()).with_secret(value.is_secret());
}

}  // namespace

bool is_idle(const Value& mapping) noexcept {
  return mapping.is_mapping() &&
         std::ranges::all_of(mapping.entries(), [](const Entry& entry) { return entry.value.is_null(); });
}

JsonNeeds json_needs(const Value& value) noexcept {
  JsonNeeds needs;
  gather_needs(value, needs);
  return needs;
}

JsonForm json_form(Arena& arena, const Value& value) {
  JsonForm form;
  form.value = changed(arena, value, form.collided);
  return form;
}

}  // namespace strata::heat
