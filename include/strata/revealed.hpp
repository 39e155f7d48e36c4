// SPDX-License-Identifier: Apache-2.0
// Results for programs that configure machines: what is Sensitive is the secret itself.
#pragma once

#include "strata/builder.hpp"
#include "strata/puppet.hpp"

namespace strata::puppet {

/// A value with the contents of Sensitive values in their places, marked as secrets: a machine must not be configured
/// with a text that stands for a secret. Recursion: bounded by Limits::depth, as the value was made.
[[nodiscard]] inline Value revealed(Arena& arena, const Value& value) {
  if (const Sensitive* sensitive = as_sensitive(value)) {
    return revealed(arena, arena.deep_copy(sensitive->value())).with_origin(value.origin()).with_secret();
  }
  if (!value.is_container() || value.kind() == Kind::set) return value;
  return with_members(arena, value, [&arena](const Value& member) { return revealed(arena, member); });
}

}  // namespace strata::puppet
