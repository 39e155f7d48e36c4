// SPDX-License-Identifier: Apache-2.0
// Names whose values are secret, whatever the files that have them say.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "strata/value.hpp"

namespace strata {

/// Patterns for names of members and keys. Readers mark what a member with such a name holds, at any depth; the mark
/// travels to all that is made of it. Immutable; thread-safe.
class SecretKeys {
 public:
  /// `patterns`: regular expressions of Ruby, searched anywhere in a name. Errors: `regex.syntax`, `limit.regex`, which
  /// name the pattern.
  explicit SecretKeys(const std::vector<std::string>& patterns);
  ~SecretKeys();
  SecretKeys(const SecretKeys&) = delete;
  SecretKeys& operator=(const SecretKeys&) = delete;

  /// Whether one of the patterns matches. Errors: `limit.regex`.
  [[nodiscard]] bool has(std::string_view name) const;
  [[nodiscard]] bool has(const Value& key) const { return key.is_text() && has(key.text()); }
  /// The same for two objects with the same patterns.
  [[nodiscard]] const std::string& identity() const noexcept { return identity_; }

 private:
  struct Patterns;
  std::unique_ptr<const Patterns> patterns_;
  std::string identity_;
};

/// The value with a mark on each of its nodes: a mark on the root alone would be lost with it.
[[nodiscard]] Value with_secrets(Arena& arena, const Value& value);
/// The value of something with a name: marked where the name or that of a member around says so. For values that no
/// reader of texts made. Errors: `limit.regex`.
[[nodiscard]] Value with_secrets(Arena& arena, const SecretKeys& keys, std::string_view name, const Value& value);

}  // namespace strata
