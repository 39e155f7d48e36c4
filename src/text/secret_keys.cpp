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
  return with_members(arena, value, [&arena](const Value& member) { return with_secrets(arena, member); }).with_secret();
}

}  // namespace strata
