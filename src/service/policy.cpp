// SPDX-License-Identifier: Apache-2.0
#include "service/policy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "strata/error.hpp"
#include "strata/near_names.hpp"
#include "strata/text.hpp"

namespace strata::service {
namespace {

struct BuiltIn {
  std::string_view name;
  std::string_view rule;
};
constexpr std::array kBuiltIn{
    BuiltIn{"actions:action", "rule:editor"},
    BuiltIn{"admin", "role:admin"},
    BuiltIn{"build_info:build_info", "rule:reader"},
    // The rules of the systems behind the faces, to which files of a deployment refer without saying what they are.
    BuiltIn{"admin_api", "role:admin"},
    BuiltIn{"allow_everybody", ""},
    BuiltIn{"context_is_admin", "(role:admin and is_admin_project:True) or (role:admin and system_scope:all)"},
    BuiltIn{"deny_everybody", "!"},
    BuiltIn{"deny_stack_user", "not role:heat_stack_user"},
    BuiltIn{"project_admin", "role:admin"},
    BuiltIn{"deckhand:create_cleartext_documents", "rule:admin"},
    BuiltIn{"deckhand:create_encrypted_documents", "rule:admin"},
    BuiltIn{"deckhand:create_tag", "rule:admin"},
    BuiltIn{"deckhand:create_validation", "rule:admin"},
    BuiltIn{"deckhand:delete_revisions", "rule:admin"},
    BuiltIn{"deckhand:delete_tag", "rule:admin"},
    BuiltIn{"deckhand:delete_tags", "rule:admin"},
    BuiltIn{"deckhand:list_cleartext_documents", "rule:admin"},
    BuiltIn{"deckhand:list_encrypted_documents", "rule:admin"},
    BuiltIn{"deckhand:list_revisions", "rule:admin"},
    BuiltIn{"deckhand:list_tags", "rule:admin"},
    BuiltIn{"deckhand:list_validations", "rule:admin"},
    BuiltIn{"deckhand:show_revision", "rule:admin"},
    BuiltIn{"deckhand:show_revision_deepdiff", "rule:admin"},
    BuiltIn{"deckhand:show_revision_diff", "rule:admin"},
    BuiltIn{"deckhand:show_tag", "rule:admin"},
    BuiltIn{"deckhand:show_validation", "rule:admin"},
    BuiltIn{"editor", "role:editor or role:member or rule:admin"},
    BuiltIn{"events:index", "rule:reader"},
    BuiltIn{"events:show", "rule:reader"},
    BuiltIn{"nodes:cloud-init", "rule:reader or role:node"},
    BuiltIn{"nodes:enc", "rule:reader or role:node"},
    BuiltIn{"nodes:hiera", "rule:reader or role:node"},
    BuiltIn{"reader", "role:reader or rule:editor"},
    BuiltIn{"resource:index", "rule:reader"},
    BuiltIn{"resource:mark_unhealthy", "rule:editor"},
    BuiltIn{"resource:metadata", "rule:reader"},
    BuiltIn{"resource:show", "rule:reader"},
    BuiltIn{"resource:signal", "rule:editor"},
    BuiltIn{"service:index", "rule:reader"},
    BuiltIn{"software_configs:index", "rule:reader"},
    BuiltIn{"software_configs:show", "rule:reader"},
    BuiltIn{"software_deployments:index", "rule:reader"},
    BuiltIn{"software_deployments:show", "rule:reader"},
    BuiltIn{"stacks:abandon", "rule:editor"},
    BuiltIn{"stacks:create", "rule:editor"},
    BuiltIn{"stacks:delete", "rule:editor"},
    BuiltIn{"stacks:delete_snapshot", "rule:editor"},
    BuiltIn{"stacks:detail", "rule:reader"},
    BuiltIn{"stacks:environment", "rule:reader"},
    BuiltIn{"stacks:export", "rule:reader"},
    BuiltIn{"stacks:files", "rule:reader"},
    BuiltIn{"stacks:global_index", "rule:admin"},
    BuiltIn{"stacks:index", "rule:reader"},
    BuiltIn{"stacks:list_outputs", "rule:reader"},
    BuiltIn{"stacks:list_resource_types", "rule:reader"},
    BuiltIn{"stacks:list_snapshots", "rule:reader"},
    BuiltIn{"stacks:list_template_functions", "rule:reader"},
    BuiltIn{"stacks:list_template_versions", "rule:reader"},
    BuiltIn{"stacks:lookup", "rule:reader"},
    BuiltIn{"stacks:preview", "rule:editor"},
    BuiltIn{"stacks:preview_update", "rule:editor"},
    BuiltIn{"stacks:preview_update_patch", "rule:editor"},
    BuiltIn{"stacks:resource_schema", "rule:reader"},
    BuiltIn{"stacks:restore_snapshot", "rule:editor"},
    BuiltIn{"stacks:show", "rule:reader"},
    BuiltIn{"stacks:show_output", "rule:reader"},
    BuiltIn{"stacks:show_snapshot", "rule:reader"},
    BuiltIn{"stacks:snapshot", "rule:editor"},
    BuiltIn{"stacks:template", "rule:reader"},
    BuiltIn{"stacks:update", "rule:editor"},
    BuiltIn{"stacks:update_patch", "rule:editor"},
    BuiltIn{"stacks:validate_template", "rule:editor"},
    BuiltIn{"strata:audit", "rule:admin"},
    BuiltIn{"strata:evaluate", "rule:reader"},
    BuiltIn{"strata:node.write", "rule:editor"},
    BuiltIn{"strata:secret.read", "role:secret-reader"},
    BuiltIn{"strata:site.read", "rule:reader"},
    BuiltIn{"strata:site.write", "rule:admin"},
    BuiltIn{"strata:store.export", "rule:admin"},
    BuiltIn{"strata:token", "rule:admin"},
    BuiltIn{"strata:tree.write", "rule:editor"},
};

/// Actions of the systems behind the faces that nothing here asks for: files of a deployment name them.
constexpr std::array<std::string_view, 28> kOfOthers{
    "actions:cancel_update",
    "actions:cancel_without_rollback",
    "actions:check",
    "actions:resume",
    "actions:snapshot",
    "actions:suspend",
    "cloudformation:CancelUpdateStack",
    "cloudformation:CreateStack",
    "cloudformation:DeleteStack",
    "cloudformation:DescribeStackEvents",
    "cloudformation:DescribeStackResource",
    "cloudformation:DescribeStackResources",
    "cloudformation:DescribeStacks",
    "cloudformation:EstimateTemplateCost",
    "cloudformation:GetTemplate",
    "cloudformation:ListStackResources",
    "cloudformation:ListStacks",
    "cloudformation:UpdateStack",
    "cloudformation:ValidateTemplate",
    "software_configs:create",
    "software_configs:delete",
    "software_configs:global_index",
    "software_deployments:create",
    "software_deployments:delete",
    "software_deployments:metadata",
    "software_deployments:update",
    "stacks:generate_template",
    "stacks:update_no_change",
};
/// One name for each type of resources.
constexpr std::string_view kOfResourceTypes = "resource_types:";

bool is_of_others(std::string_view name) {
  return name.starts_with(kOfResourceTypes) || std::ranges::find(kOfOthers, name) != kOfOthers.end();
}

constexpr std::size_t kMostSteps = 100'000;  ///< Of one question.

/// Follows the names of rules.
class RuleWalk {
 public:
  using Find = std::function<const PolicyRule*(const std::string& name)>;

  explicit RuleWalk(Find find) : find_(std::move(find)) {}

  /// How many rules a question goes through at most. Error `service.policy` for a rule that refers to itself.
  // Recursion: bounded by the number of rules, which all differ; kMostDepth.
  std::size_t steps(const std::string& name, const PolicyRule& rule) {
    const auto [known, is_new] = steps_.try_emplace(name, kOpen);
    if (!is_new) {
      if (known->second == kOpen) throw Error("service.policy", fmt::format("the rule '{}' refers to itself", name));
      return known->second;
    }
    if (++depth_ > kMostDepth) throw Error("service.policy", fmt::format("too many rules lead to '{}'", name));
    std::vector<std::string> names;
    rule.add_names(names);
    std::size_t sum = 1;
    for (const std::string& other : names) {
      const PolicyRule* found = find_(other);
      if (found == nullptr)
        throw Error("service.policy", fmt::format("'{}' refers to the rule '{}', which is not there", name, other));
      sum += steps(other, *found);
      if (sum > kMostSteps) throw Error("service.policy", fmt::format("the rule '{}' leads to too many others", name));
    }
    --depth_;
    steps_[name] = sum;
    return sum;
  }

 private:
  static constexpr std::size_t kOpen = 0;
  static constexpr std::size_t kMostDepth = 200;

  Find find_;
  std::size_t depth_ = 0;
  std::map<std::string, std::size_t, std::less<>> steps_;
};

/// What is not known is `None`, as where the language comes from.
std::string_view known_or_none(std::string_view text) noexcept { return text.empty() ? "None" : text; }

/// Who asks.
class PrincipalFacts final : public PolicyFacts {
 public:
  explicit PrincipalFacts(const Principal& principal) noexcept : principal_(principal) {}
  [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const override {
    for (const Field& one : principal_.attributes) {
      if (one.name == name || (name == "system" && one.name == "system_scope")) return one.value;
    }
    if (name == "user_id" || name == "user") return principal_.name;
    if (name == "project_id" || name == "tenant_id" || name == "tenant") return known_or_none(principal_.project);
    if (name == "is_admin") return principal_.has_role("admin") ? "True" : "False";
    if (name == "is_admin_project") return "True";
    if (name == "method") return known_or_none(principal_.method);
    if (name == "node") return known_or_none(principal_.node);
    if (name == "domain_id" || name == "project_domain_id" || name == "user_domain_id" || name == "system_scope")
      return "None";
    return std::nullopt;
  }

 private:
  const Principal& principal_;
};

/// What an action is about.
class TargetFacts final : public PolicyFacts {
 public:
  TargetFacts(std::string_view project, std::string_view user) noexcept : project_(project), user_(user) {}
  [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const override {
    if (name == "project_id" || name == "tenant_id") return project_;
    if (name == "user_id") return user_;
    return std::nullopt;
  }

 private:
  std::string_view project_;
  std::string_view user_;
};

}  // namespace

Policy::Policy() {
  for (const BuiltIn& one : kBuiltIn)
    rules_[std::string(one.name)] = {.text = std::string(one.rule), .read = read_rule(one.rule)};
}

Policy::Policy(const std::string& text, const std::string& file, const Limits& limits) : Policy() {
  Sources sources;
  const SourceId source = sources.add(file, text);
  const text::Document document = text::read_yaml(sources, source, text::core12(), limits);
  if (!document.root || document.root.is_null()) return;
  if (!document.root.is_mapping())
    throw Error("service.policy", "a policy is a map of actions to rules").at(sources, document.root.origin());
  for (const Entry& entry : document.root.entries()) {
    if (!entry.key.is_text())
      throw Error("service.policy", "the name of an action or a rule is a text").at(sources, entry.key.origin());
    const std::string name(entry.key.text());
    // Rules that others use have any name; actions, which have a colon, must exist.
    if (name.find(':') != std::string::npos && !rules_.contains(name) && !is_of_others(name)) {
      std::vector<std::string_view> names;
      for (const auto& [known, rule] : rules_) names.push_back(known);
      names.insert(names.end(), kOfOthers.begin(), kOfOthers.end());
      throw Error("service.policy", fmt::format("unknown action '{}'", name))
          .at(sources, entry.key.origin())
          .hint(name_hint(names, name, "strata serve --print-policy shows all"));
    }
    try {
      std::string rule = rule_text(entry.value);
      std::shared_ptr<const PolicyRule> read = read_rule(rule);
      rules_[name] = {.text = std::move(rule), .read = std::move(read)};
    } catch (Error& error) {
      throw std::move(error).at(sources, entry.value.origin());
    }
  }
  RuleWalk walk([this](const std::string& name) { return find(name); });
  for (const auto& [name, rule] : rules_) {
    try {
      (void)walk.steps(name, *rule.read);
    } catch (Error& error) {
      const Value* const own = document.root.find(name);
      if (own == nullptr) throw std::move(error).in(file);
      throw std::move(error).at(sources, own->origin());
    }
  }
}

const PolicyRule* Policy::find(std::string_view name) const {
  auto found = rules_.find(name);
  // As where the language comes from: a rule that is not there is the one of this name.
  if (found == rules_.end()) found = rules_.find("default");
  return found == rules_.end() ? nullptr : found->second.read.get();
}

bool Policy::allows(std::string_view action, const Principal& principal, std::string_view project) const {
  const auto found = rules_.find(action);
  if (found == rules_.end()) return false;
  const std::function<const PolicyRule*(std::string_view)> rule = [this](std::string_view name) { return find(name); };
  const PrincipalFacts who(principal);
  const TargetFacts target(project, principal.name);
  return found->second.read->allows({.who = who, .roles = principal.roles, .target = target, .rule = rule});
}

std::string Policy::text() const {
  std::string out;
  for (const auto& [name, rule] : rules_) {
    text::append_json_text(out, name);
    out += ": ";
    text::append_json_text(out, rule.text);
    out += '\n';
  }
  return out;
}

}  // namespace strata::service
