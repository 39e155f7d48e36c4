// SPDX-License-Identifier: Apache-2.0
#include "strata/secret_keys.hpp"

#include <algorithm>

#include "strata/builder.hpp"
#include "strata/error.hpp"
#include "text/regex/regex.hpp"

namespace strata {

struct SecretKeys::Patterns {
  std::vector<text::Regex> all;
};

SecretKeys::SecretKeys(const std::vector<std::string>& patterns) {
  auto made = std::make_unique<Patterns>();
  for (const std::string& pattern : patterns) {
    made->all.emplace_back(pattern);
    identity_ += std::to_string(pattern.size()) + ':' + pattern;
  }
  patterns_ = std::move(made);
}
SecretKeys::~SecretKeys() = default;

bool SecretKeys::has(std::string_view name) const {
  return std::ranges::any_of(patterns_->all, [name](const text::Regex& pattern) { return pattern.search(name); });
}

// Recursion: bounded by Limits::depth, which the reader keeps.
Value with_secrets(Arena& arena, const Value& value) {
  if (!value.is_container() || value.size() == 0) return value.with_secret();
  return with_members(arena, value, [&arena](const Value& member) { return with_secrets(arena, member); })
      .with_secret();
}

// Recursion: bounded by Limits::depth, which whoever made the value keeps.
Value with_secrets(Arena& arena, const SecretKeys& keys, std::string_view name, const Value& value) {
  if (!value) return value;
  if (keys.has(name)) return with_secrets(arena, value);
  if (value.is_sequence())
    return with_members(arena, value, [&](const Value& item) { return with_secrets(arena, keys, {}, item); });
  if (!value.is_mapping()) return value;
  MappingBuilder out(arena, KeyEquality::exact, value.size());
  for (const Entry& entry : value.entries())
    out.insert(entry.key,
               with_secrets(arena, keys, entry.key.is_text() ? entry.key.text() : std::string_view(), entry.value));
  return out.finish().with_origin(value.origin()).with_secret(value.is_secret());
}

}  // namespace strata
