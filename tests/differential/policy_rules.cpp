// SPDX-License-Identifier: Apache-2.0
// Answers questions about rules of the policy: for policy_rules.py.
//
// Each line of standard input is a JSON object `{"rules", "rule", "who", "roles", "target"}`: a policy, a rule of it,
// and what it looks at. The answer is a line: `true`, `false`, or `error`.
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "service/policy_rule.hpp"
#include "strata/error.hpp"
#include "strata/text.hpp"

namespace {

using namespace strata;

class Facts final : public service::PolicyFacts {
 public:
  explicit Facts(std::map<std::string, std::string> facts) : facts_(std::move(facts)) {}
  [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const override {
    const auto found = facts_.find(std::string(name));
    return found == facts_.end() ? std::nullopt : std::optional<std::string_view>(found->second);
  }

 private:
  std::map<std::string, std::string> facts_;
};

std::string answer(const std::string& line) {
  const auto asked = nlohmann::json::parse(line);
  std::map<std::string, std::shared_ptr<const service::PolicyRule>, std::less<>> rules;
  try {
    for (const auto& [name, rule] : asked["rules"].items()) {
      Sources sources;
      const text::Document document = text::read_json(sources, sources.add("rule", rule.dump()), Limits());
      rules[name] = service::read_rule(service::rule_text(document.root));
    }
  } catch (const Error&) {
    return "error";
  }
  const std::function<const service::PolicyRule*(std::string_view)> rule =
      [&rules](std::string_view name) -> const service::PolicyRule* {
    auto found = rules.find(name);
    if (found == rules.end()) found = rules.find("default");
    return found == rules.end() ? nullptr : found->second.get();
  };
  const Facts who(asked["who"]);
  const Facts target(asked["target"]);
  const std::vector<std::string> roles = asked["roles"];
  return rules.at(asked["rule"])->allows({.who = who, .roles = roles, .target = target, .rule = rule}) ? "true"
                                                                                                       : "false";
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) std::cout << answer(line) << std::endl;
}
