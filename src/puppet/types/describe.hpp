// SPDX-License-Identifier: Apache-2.0
// Describes why a value does not match a type, as a list of mismatches.
#pragma once

#include <string>
#include <vector>

#include "puppet/types/integer.hpp"
#include "strata/puppet.hpp"

namespace strata::puppet {

/// One step to the mismatching part of a value.
struct Step {
  enum class Kind : std::uint8_t { subject, entry_value, entry_key, index, variant };
  Kind kind = Kind::subject;
  std::string name{};  ///< Subject or key.
  std::size_t number = 0;
  friend bool operator==(const Step&, const Step&) = default;
};

struct Fault {
  enum class Kind : std::uint8_t { type, pattern, size, missing_key, unknown_key };
  Kind kind = Kind::type;
  std::vector<Step> path{};
  TypeRef expected{};  ///< For type and pattern.
  TypeRef actual{};
  IntegerRange expected_size{};
  IntegerRange actual_size{};
  std::string key{};
};

/// The mismatches of a value of type `actual` with `expected`. Empty if it matches by Puppet's rules.
/// `normalized`: treats the expected type as Puppet does, which ignores some sizes.
[[nodiscard]] std::vector<Fault> describe(const TypeRef& expected, const TypeRef& actual, const std::vector<Step>& path,
                                          bool normalized);
/// The sentence for a mismatch, without a final full stop.
[[nodiscard]] std::string sentence(const Fault& fault);

}  // namespace strata::puppet
