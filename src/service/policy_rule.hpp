// SPDX-License-Identifier: Apache-2.0
// Rules in the language of oslo.policy 4.0.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "strata/value.hpp"

namespace strata::service {

/// What rules look at: names with values, as oslo.policy's dictionaries.
class PolicyFacts {
 public:
  virtual ~PolicyFacts() = default;
  /// The text of a value; `None` for one that is not known. No value: there is no such name.
  [[nodiscard]] virtual std::optional<std::string_view> find(std::string_view name) const = 0;
};

/// A rule, read. Immutable.
class PolicyRule {
 public:
  struct Question {
    const PolicyFacts& who;                 ///< `user_id`, `project_id`, … of who asks.
    const std::vector<std::string>& roles;  ///< Of who asks.
    const PolicyFacts& target;              ///< What `%(NAME)s` stands for.
    const std::function<const PolicyRule*(std::string_view name)>&
        rule;  ///< Of `rule:NAME`. Null: there is none, and the check fails.
  };
  virtual ~PolicyRule() = default;
  /// Rules must not refer to themselves (`names`), and cost what `size` says.
  [[nodiscard]] virtual bool allows(const Question& question) const = 0;
  /// Adds the names of the rules that it refers to.
  virtual void add_names(std::vector<std::string>& names) const = 0;
};

/// Reads a rule: `role:admin or (role:editor and project_id:%(project_id)s)`, `rule:NAME`, `not`, `@`, `!`; nothing at
/// all allows everybody.
///
/// A check is KIND:TEXT. KIND is `rule`, `role`, a member of who asks (`user_id`, `project_id`, `system_scope`,
/// `is_admin`, `roles`, …), or a literal:
/// `'text'`, `None`, `True`, `False`, a number. In TEXT `%(NAME)s` stands for a member of the target.
/// Error `service.policy` where oslo.policy fails closed: texts that it cannot read. Checks over HTTP are refused, too.
[[nodiscard]] std::shared_ptr<const PolicyRule> read_rule(std::string_view text);

/// A rule as a file has it: a text, or a list of alternatives, each a check or a list of checks that all must hold.
/// Returns it as text for `read_rule`. Error `service.policy` for values of other kinds, and checks that cannot stand
/// in a text.
[[nodiscard]] std::string rule_text(const Value& value);

}  // namespace strata::service
