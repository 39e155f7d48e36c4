// What is wrong with a value, as a list of faults.
#pragma once

#include <string>
#include <vector>

#include "strata/puppet.hpp"

namespace strata::puppet {

/// One step to the wrong part of a value.
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
  TypeRef expected{};  ///< Of type and pattern.
  TypeRef actual{};
  IntegerRange expected_size{};
  IntegerRange actual_size{};
  std::string key{};
};

/// The faults of what is of type `actual` where `expected` should be; none where it fits as far as Puppet sees.
/// `normalized`: look at the expected type as Puppet does, which drops sizes here and there.
[[nodiscard]] std::vector<Fault> describe(const TypeRef& expected, const TypeRef& actual, const std::vector<Step>& path, bool normalized);
/// The sentence of a fault, without a final full stop.
[[nodiscard]] std::string sentence(const Fault& fault);

}  // namespace strata::puppet
