// SPDX-License-Identifier: Apache-2.0
// Who may do what: actions with rules in the language of oslo.policy.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "service/policy_rule.hpp"
#include "service/request.hpp"
#include "strata/limits.hpp"

namespace strata::service {

/// The rules of all actions. Immutable.
class Policy {
 public:
  /// The rules that are built in.
  Policy();
  /// With those of a file, a YAML map, in the place of built-in ones. A rule `default` stands for all names that rules
  /// refer to and that are not there. Errors: `service.policy`, and those of the reader.
  Policy(const std::string& text, const std::string& file, const Limits& limits);

  [[nodiscard]] bool allows(std::string_view action, const Principal& principal, std::string_view project) const;
  /// All actions and rules, as the YAML map that a file would be.
  [[nodiscard]] std::string text() const;

 private:
  [[nodiscard]] const PolicyRule* find(std::string_view name) const;

  struct Rule {
    std::string text;
    std::shared_ptr<const PolicyRule> read;
  };
  std::map<std::string, Rule, std::less<>> rules_;
};

}  // namespace strata::service
