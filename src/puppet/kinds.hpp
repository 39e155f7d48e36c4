// SPDX-License-Identifier: Apache-2.0
// Kinds of values in Puppet.
#pragma once

#include "strata/value.hpp"

namespace strata::puppet {

[[nodiscard]] inline bool is_whole(const Value& value) noexcept {
  return value.kind() == Kind::integer || value.kind() == Kind::big_integer;
}
[[nodiscard]] inline bool is_number(const Value& value) noexcept {
  return is_whole(value) || value.kind() == Kind::floating;
}
/// Bytes are text to Puppet.
[[nodiscard]] inline bool is_string(const Value& value) noexcept {
  return value.is_text() || value.kind() == Kind::binary;
}
[[nodiscard]] inline bool is_hash(const Value& value) noexcept {
  return value.is_mapping() || value.kind() == Kind::set;
}

}  // namespace strata::puppet
