// SPDX-License-Identifier: Apache-2.0
// Which rules the stored values of hidden parameters have met. Whoever declares such a parameter anew, and does not
// know its value, would learn by the answer whether the value fits: nothing is learned only where that was answered
// before.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "strata/value.hpp"

namespace strata {
class Arena;
}  // namespace strata

namespace strata::service::stacks {

/// Where a stored value stands: the section, then the texts that it is made of.
using ValuePlace = std::vector<std::string>;

/// By name and place of a value: digests of the rules that it met. It knows no values.
class AcceptedRules {
 public:
  AcceptedRules() = default;
  /// As `value` wrote it.
  explicit AcceptedRules(const Value& written);

  /// The first rules of a name of which nothing is known.
  void begin(std::string_view name, const std::string& rules);
  /// Whether the value at a place is known to meet rules: it did before; or nothing is known of this value, and its
  /// name never had others.
  [[nodiscard]] bool has(std::string_view name, const ValuePlace& place, const std::string& rules) const;
  void add(std::string_view name, const ValuePlace& place, const std::string& rules);
  /// Forgets what the values of places met. That their names had these rules stays known.
  void forget(const std::function<bool(std::string_view name, const ValuePlace& place)>& is_other);

  /// `{name: {"rules": [...], "values": [{"place": [...], "rules": [...]}]}}`
  [[nodiscard]] Value value(Arena& arena) const;

 private:
  using Rules = std::vector<std::string>;
  struct Known {
    Rules all;  ///< The first ones stay, however many there are: they say that the name had others.
    std::map<ValuePlace, Rules> met;
  };
  std::map<std::string, Known, std::less<>> names_;
};

}  // namespace strata::service::stacks
