// SPDX-License-Identifier: Apache-2.0
// The policy: its language, its files, and what is built in.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "service/policy.hpp"
#include "strata/error.hpp"
#include "strata/limits.hpp"

namespace strata::service {
namespace {

const Principal& member() {
  static const Principal principal{.name = "u1", .method = "keystone", .roles = {"Member", "reader"}, .project = "p1"};
  return principal;
}

/// Whether a rule lets `member` do something in a project. Parses it as a file has it.
bool allows(const std::string& rule, const std::string& project = "p1", const Principal& principal = member()) {
  return Policy(fmt::format("\"strata:evaluate\": {}\n", rule), "policy.yaml", Limits())
      .allows("strata:evaluate", principal, project);
}

std::string refused(const std::string& text) {
  try {
    (void)Policy(text, "policy.yaml", Limits());
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "service.policy") << error.what();
    return error.diagnostic().message + (error.diagnostic().hint.empty() ? "" : " | " + error.diagnostic().hint);
  }
  return "";
}

TEST(PolicyLanguage, Checks) {
  EXPECT_TRUE(allows("'role:member'"));  // Without regard to case.
  EXPECT_FALSE(allows("'role:admin'"));
  EXPECT_TRUE(allows("'project_id:%(project_id)s'"));
  EXPECT_FALSE(allows("'project_id:%(project_id)s'", "p2"));
  EXPECT_TRUE(allows("'tenant_id:%(tenant_id)s'"));
  EXPECT_TRUE(allows("'tenant:%(project_id)s'"));
  EXPECT_TRUE(allows("'user_id:u1'"));
  EXPECT_TRUE(allows("'user_id:%(user_id)s'"));
  EXPECT_TRUE(allows("'user_id:u%(n)s'") == false);  // The target lacks it.
  EXPECT_TRUE(allows("'roles:Member'"));
  EXPECT_FALSE(allows("'roles:member'"));  // A member of a list is compared as it is.
  EXPECT_TRUE(allows("'nothing:None'") == false);
  EXPECT_TRUE(allows("'system_scope:None'"));
  EXPECT_FALSE(allows("'system_scope:all'"));
  Principal system = member();
  system.attributes.push_back({"system_scope", "all"});
  EXPECT_TRUE(allows("'system_scope:all'", "p1", system));
  EXPECT_TRUE(allows("'system:all'", "p1", system));
  EXPECT_FALSE(allows("'system_scope:None'", "p1", system));
}

TEST(PolicyLanguage, Administrators) {
  Principal admin = member();
  admin.roles.emplace_back("admin");
  for (const char* yes : {"True", "1"}) {
    EXPECT_TRUE(allows(fmt::format("'is_admin:{}'", yes), "p1", admin));
    EXPECT_FALSE(allows(fmt::format("'is_admin:{}'", yes)));
  }
  EXPECT_TRUE(allows("'is_admin:False'"));
  EXPECT_TRUE(allows("'rule:context_is_admin'", "p1", admin));
  EXPECT_FALSE(allows("'rule:context_is_admin'"));
}

TEST(PolicyLanguage, Literals) {
  EXPECT_TRUE(allows(R"("'p1':%(project_id)s")"));
  EXPECT_FALSE(allows(R"("'p2':%(project_id)s")"));
  EXPECT_TRUE(allows(R"("\"p1\":%(project_id)s")"));
  EXPECT_TRUE(allows("'None:None'"));
  EXPECT_TRUE(allows("'True:True'"));
  EXPECT_FALSE(allows("'True:true'"));
  EXPECT_TRUE(allows("'1:1'"));
  EXPECT_FALSE(allows("'1:01'"));
  EXPECT_TRUE(allows("'-1:-1'"));
  EXPECT_TRUE(allows(R"("'a%':a%%")"));
  EXPECT_TRUE(allows(R"("'x-p1-y':x-%(project_id)s-y")"));
  EXPECT_TRUE(allows("\"'':\""));
}

TEST(PolicyLanguage, Words) {
  EXPECT_TRUE(allows("'@'"));
  EXPECT_FALSE(allows("'!'"));
  EXPECT_TRUE(allows("''"));
  EXPECT_TRUE(allows(""));  // A null.
  EXPECT_FALSE(allows("'not @'"));
  EXPECT_TRUE(allows("'NOT !'"));
  EXPECT_TRUE(allows("'not not @'"));
  EXPECT_TRUE(allows("'@ or ! and !'"));
  EXPECT_FALSE(allows("'(@ or !) and !'"));
  EXPECT_TRUE(allows("'! and ! or @'"));
  EXPECT_TRUE(allows("'! OR not ! AND @'"));
  EXPECT_FALSE(allows("'not (@ or !)'"));
  EXPECT_TRUE(allows("'( ( @ ) )'"));
  EXPECT_TRUE(allows("\"@\\tor\\n!\""));
  // Blanks alone divide checks.
  EXPECT_FALSE(allows("'role:x)or(role:member'"));
}

TEST(PolicyLanguage, Lists) {
  EXPECT_TRUE(allows("[]"));
  EXPECT_FALSE(allows("[[]]"));
  EXPECT_TRUE(allows("['role:x', 'role:member']"));
  EXPECT_FALSE(allows("[['role:x', 'role:member']]"));
  EXPECT_TRUE(allows("[['role:reader', 'role:member'], ['role:x']]"));
  EXPECT_TRUE(allows("[[], '@']"));
  EXPECT_FALSE(allows("[['!'], 'role:x']"));
  EXPECT_NE(refused("admin: [[[a]]]"), "");
  EXPECT_NE(refused("admin: ['role:a or role:b']"), "");
  EXPECT_NE(refused("admin: {a: b}"), "");
  EXPECT_NE(refused("admin: 1"), "");
}

TEST(PolicyLanguage, WhatCannotBeRead) {
  for (const char* rule : {"admin",
                           "role:a role:b",
                           "role:a and",
                           "and role:a",
                           "or",
                           "not",
                           "( role:a",
                           "role:a )",
                           "()",
                           " ",
                           "role:a or or role:b",
                           "role:a not role:b",
                           ":a",
                           "a/b:c",
                           "'role:a'",
                           "01:1",
                           "a:%",
                           "a:%(x)d",
                           "a:%s",
                           "a:%()s",
                           "a:%(x",
                           "1a:b",
                           "'a\\b':c"}) {
    std::string quoted(rule);
    for (std::size_t at = 0; (at = quoted.find('\'', at)) != std::string::npos; at += 2) quoted.insert(at, "'");
    EXPECT_NE(refused(fmt::format("admin: '{}'", quoted)), "") << rule;
  }
  EXPECT_NE(refused("admin: '" + std::string(200, '(') + "@" + std::string(200, ')') + "'"), "");
  std::string nots;
  for (int i = 0; i < 200; ++i) nots += "not ";
  EXPECT_NE(refused("admin: '" + nots + "@'"), "");
  EXPECT_NE(refused("admin: '" + std::string(20'000, 'a') + ":b'"), "");
  EXPECT_EQ(refused("admin: 'role:a or http://h/%(name)s'"),
            "'http://h/%(name)s' asks another service, which strata does not do | write the rule with role:, "
            "project_id: and user_id:");
}

TEST(PolicyFiles, ReplaceRules) {
  const Policy policy("reader: 'role:Member'\n\"strata:token\": 'rule:nobody'\nnobody: '!'\n", "policy.yaml", Limits());
  EXPECT_TRUE(policy.allows("strata:evaluate", member(), "p1"));
  EXPECT_FALSE(policy.allows("strata:site.write", member(), "p1"));
  EXPECT_FALSE(policy.allows("strata:token", Principal{.roles = {"admin"}}, "p1"));
  EXPECT_FALSE(policy.allows("no:action", Principal{.roles = {"admin"}}, "p1"));
  // What is printed is a policy.
  EXPECT_EQ(Policy(policy.text(), "again.yaml", Limits()).text(), policy.text());
  EXPECT_EQ(Policy(Policy().text(), "again.yaml", Limits()).text(), Policy().text());
  EXPECT_EQ(refused(""), "");
  EXPECT_EQ(refused("# nothing\n"), "");
}

TEST(PolicyFiles, NameActionsThatExist) {
  EXPECT_EQ(refused("\"deckhand:list_revision\": '@'\n"),
            "unknown action 'deckhand:list_revision' | did you mean 'deckhand:list_revisions'?");
  EXPECT_EQ(refused("\"stacks:list_snapshot\": '@'\n"),
            "unknown action 'stacks:list_snapshot' | did you mean 'stacks:list_snapshots'?");
  EXPECT_EQ(refused("\"strata:evaluat\": '@'\n"), "unknown action 'strata:evaluat' | did you mean 'strata:evaluate'?");
  EXPECT_NE(refused("- a\n"), "");
  EXPECT_NE(refused("1: '@'\n"), "");
  // Those of a deployment that nothing here asks for.
  EXPECT_EQ(
      refused(
          "\"stacks:snapshot\": 'role:admin'\n\"software_configs:create\": '!'\n\"cloudformation:ListStacks\": ''\n"
          "\"resource_types:OS::Nova::Flavor\": 'rule:project_admin'\n\"actions:suspend\": 'rule:deny_stack_user'\n"),
      "");
}

TEST(PolicyFiles, OfADeploymentLoadAsTheyAre) {
  const std::string text = R"yaml(
"admin_api": "role:admin or is_admin:1"
"deckhand:create_cleartext_documents": "rule:admin_api"
"deckhand:list_cleartext_documents": "role:viewer or rule:admin_api"
"context_is_admin": "(role:admin and is_admin_project:True) OR (role:admin and system_scope:all)"
"stacks:index": "(role:reader and system_scope:all) or (role:reader and project_id:%(project_id)s)"
"stacks:create": "role:member and project_id:%(project_id)s"
"stacks:global_index": "rule:deny_everybody"
)yaml";
  const Policy policy(text, "policy.yaml", Limits());
  EXPECT_TRUE(policy.allows("stacks:index", member(), "p1"));
  EXPECT_FALSE(policy.allows("stacks:index", member(), "p2"));
  EXPECT_TRUE(policy.allows("stacks:create", member(), "p1"));
  EXPECT_FALSE(policy.allows("stacks:global_index", Principal{.roles = {"admin"}}, "p1"));
  EXPECT_TRUE(policy.allows("deckhand:list_cleartext_documents", Principal{.roles = {"viewer"}}, "p1"));
  EXPECT_FALSE(policy.allows("deckhand:create_cleartext_documents", Principal{.roles = {"viewer"}}, "p1"));
}

TEST(PolicyFiles, RulesThatAreMissing) {
  EXPECT_EQ(refused("admin: 'rule:nobody'\n"), "'admin' refers to the rule 'nobody', which is not there");
  // As oslo.policy: the rule `default` stands for them.
  const Policy policy("default: 'role:x'\nadmin: 'rule:nobody'\n", "policy.yaml", Limits());
  EXPECT_TRUE(policy.allows("strata:token", Principal{.roles = {"x"}}, "p"));
  EXPECT_FALSE(policy.allows("strata:token", Principal{.roles = {"admin"}}, "p"));
}

TEST(PolicyFiles, RulesThatReferToThemselves) {
  EXPECT_NE(refused("admin: 'rule:admin'\n").find("itself"), std::string::npos);
  EXPECT_NE(refused("a: 'not rule:b'\nb: 'rule:c'\nc: '@ or rule:a'\n").find("itself"), std::string::npos);
  EXPECT_NE(refused("default: 'rule:nobody'\n").find("itself"), std::string::npos);
  std::string doubling = "r0: '@'\n";
  for (int i = 1; i < 40; ++i) doubling += fmt::format("r{}: 'rule:r{} and rule:r{}'\n", i, i - 1, i - 1);
  EXPECT_NE(refused(doubling).find("too many"), std::string::npos);
  std::string chain = "r0: '@'\n";
  for (int i = 1; i < 50'000; ++i) chain += fmt::format("r{}: 'rule:r{}'\n", i, i - 1);
  EXPECT_NE(refused(chain), "");
}

TEST(PolicyBuiltIn, RolesBuildOnEachOther) {
  const Policy policy;
  const auto may = [&policy](const char* role, const char* action) {
    return policy.allows(action, Principal{.name = "u", .roles = {role}}, "p");
  };
  EXPECT_TRUE(may("reader", "strata:evaluate"));
  EXPECT_FALSE(may("reader", "strata:tree.write"));
  EXPECT_TRUE(may("editor", "strata:tree.write"));
  EXPECT_TRUE(may("editor", "strata:evaluate"));
  EXPECT_FALSE(may("editor", "strata:token"));
  // The role that Keystone gives to those who work in a project.
  EXPECT_TRUE(may("member", "stacks:create"));
  EXPECT_TRUE(may("member", "stacks:index"));
  EXPECT_FALSE(may("member", "stacks:global_index"));
  EXPECT_FALSE(may("member", "strata:secret.read"));
  EXPECT_TRUE(may("admin", "strata:token"));
  // Who reads secrets reads nothing else; an administrator does not read them.
  EXPECT_TRUE(may("secret-reader", "strata:secret.read"));
  EXPECT_FALSE(may("secret-reader", "strata:evaluate"));
  EXPECT_FALSE(may("admin", "strata:secret.read"));
  EXPECT_TRUE(may("node", "nodes:enc"));
  EXPECT_FALSE(may("node", "strata:evaluate"));
  for (const char* action : {"create_cleartext_documents", "create_encrypted_documents", "list_cleartext_documents",
                             "list_encrypted_documents", "show_revision", "list_revisions", "delete_revisions",
                             "show_revision_diff", "show_revision_deepdiff", "create_tag", "show_tag", "list_tags",
                             "delete_tag", "delete_tags", "create_validation", "show_validation", "list_validations"}) {
    EXPECT_TRUE(may("admin", fmt::format("deckhand:{}", action).c_str())) << action;
    EXPECT_FALSE(may("editor", fmt::format("deckhand:{}", action).c_str())) << action;
  }
}

}  // namespace
}  // namespace strata::service
