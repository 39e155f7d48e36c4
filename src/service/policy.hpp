// Who may do what: actions with rules in the language of oslo.policy.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "service/request.hpp"
#include "strata/limits.hpp"

namespace strata::service {

/// A rule, read. Immutable.
class PolicyRule {
 public:
  /// What a rule looks at.
  struct Question {
    const Principal& principal;
    std::string_view project;                                             ///< Whose data the action is about.
    const std::function<const PolicyRule*(std::string_view name)>& rule;  ///< Of `rule:NAME`.
  };
  virtual ~PolicyRule() = default;
  /// `depth`: how many rules have led here.
  [[nodiscard]] virtual bool allows(const Question& question, std::size_t depth) const = 0;
};
/// Reads a rule: `role:admin or (role:editor and project_id:%(project_id)s)`, `rule:NAME`, `not`, `@`, `!`. Error `service.policy`.
[[nodiscard]] std::shared_ptr<const PolicyRule> read_rule(std::string_view text);

/// The rules of all actions. Immutable.
class Policy {
 public:
  /// The rules that are built in.
  Policy();
  /// With those of a file, a YAML map, in the place of built-in ones. Errors: `service.policy`, and those of the reader.
  Policy(const std::string& text, const std::string& file, const Limits& limits);

  [[nodiscard]] bool allows(std::string_view action, const Principal& principal, std::string_view project) const;
  /// All actions and rules, as the YAML map that a file would be.
  [[nodiscard]] std::string text() const;

 private:
  struct Rule {
    std::string text;
    std::shared_ptr<const PolicyRule> read;
  };
  std::map<std::string, Rule, std::less<>> rules_;
};

}  // namespace strata::service
