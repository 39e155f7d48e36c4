// SPDX-License-Identifier: Apache-2.0
// Types, hooks and restricted actions, looked up in registries.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "heat/request_world.hpp"
#include "heat/resource_hooks.hpp"
#include "heat/resource_types.hpp"
#include "heat/shell_pattern.hpp"

namespace strata::heat {
namespace {

struct LookupCase {
  const char* registry;
  const char* type;
  const char* answer;
  const char* resource = "";
};

class TypeLookup : public ::testing::TestWithParam<LookupCase> {};

std::string resolved(RequestWorld& world, const std::string& registry, const std::string& type,
                     const std::string& resource = "") {
  return outcome([&] {
    BuiltInTypes built_in;
    built_in.add_lines("\n  Own::Type \r\n\n");
    const merge::Traced layer = world.layer(registry, "e.yaml");
    const ResolvedType found = resolve_type(layer, type, resource, built_in, world.session);
    return std::string(to_string(found.kind)) + " " + std::string(found.value.value.text());
  });
}

TEST_P(TypeLookup, follows_the_mappings_in_the_order_of_the_engine) {
  RequestWorld world;
  EXPECT_EQ(resolved(world, GetParam().registry, GetParam().type, GetParam().resource), GetParam().answer);
}

INSTANTIATE_TEST_SUITE_P(
    Table, TypeLookup,
    ::testing::Values(
        LookupCase{"{My::A: My::B, My::B: 'OS::Heat::None'}", "My::A", "plugin OS::Heat::None"},
        LookupCase{"{My::*: 'OS::Heat::*'}", "My::RandomString", "plugin OS::Heat::RandomString"},
        LookupCase{"{My::*: 'OS::Heat::None', My::T: 'OS::Heat::RandomString'}", "My::T", "plugin OS::Heat::None"},
        LookupCase{"{My::T*: 'OS::Heat::None', My::*: 'OS::Heat::RandomString'}", "My::Tx",
                   "plugin OS::Heat::RandomString"},
        LookupCase{"{My::*: all.yaml}", "My::Q", "heat.type: the resource type (My::Q) could not be found"},
        LookupCase{"{OS::Heat::*: 'OS::Heat::None'}", "OS::Heat::RandomString", "plugin OS::Heat::None"},
        LookupCase{"{My::T: t/my.yaml}", "My::T", "template t/my.yaml"},
        LookupCase{"{}", "my.template", "template my.template"},
        LookupCase{"{'OS::Heat::RandomString': ''}", "OS::Heat::RandomString", "plugin OS::Heat::RandomString"},
        LookupCase{"{}", "Own::Type", "plugin Own::Type"}, LookupCase{"{}", "AWS::X", "plugin AWS::X"},
        LookupCase{"{}", "DOCKER::X", "plugin DOCKER::X"},
        LookupCase{"{A::A: B::B, B::B: A::A}", "A::A",
                   "heat.type-loop: the mappings of the type 'A::A' lead back to it: A::A -> B::B -> A::A"},
        LookupCase{"{A::*: 'A::A*'}", "A::x", "limit.depth: the type 'A::x' is mapped more than 1000 times in a row"},
        LookupCase{"{hooks: pre-create}", "hooks", "heat.type: the resource type (hooks) could not be found"},
        LookupCase{"5", "My::T", "heat.type: the resource type (My::T) could not be found"}));

INSTANTIATE_TEST_SUITE_P(
    OfAResource, TypeLookup,
    ::testing::Values(
        LookupCase{"{My::T: 'OS::A', resources: {r1: {My::T: 'OS::B'}}}", "My::T", "plugin OS::B", "r1"},
        LookupCase{"{My::T: 'OS::A', resources: {r1: {My::T: 'OS::B'}}}", "My::T", "plugin OS::A", "r2"},
        LookupCase{"{My::*: 'OS::A', resources: {r1: {My::T: 'OS::B'}}}", "My::T", "plugin OS::B", "r1"},
        LookupCase{"{My::T: 'OS::A', resources: {'r*': {My::T: 'OS::B'}}}", "My::T", "plugin OS::A", "r1"},
        LookupCase{"{My::T: 'OS::A', resources: {r1: {My::T: 'No::Such'}}}", "My::T", "plugin OS::A", "r1"},
        LookupCase{"{resources: {r1: 5}}", "OS::A", "plugin OS::A", "r1"}));

TEST(TypeLookup, looks_no_type_up_twice) {
  RequestWorld world;
  std::string registry = "{";
  // Two ways from each name to the next, and none out.
  for (int i = 0; i < 60; ++i) registry += fmt::format("'A{0}::x': 'A{1}::x', 'A{0}::*': 'A{1}::*', ", i, i + 1);
  EXPECT_EQ(resolved(world, registry + "}", "A0::x"), "heat.type: the resource type (A0::x) could not be found");
}

TEST(TypeLookup, tells_of_all_mappings_on_the_way) {
  RequestWorld world;
  const merge::Traced layer = world.layer("{My::A: My::B, My::B: 'OS::X'}", "e.yaml");
  const ResolvedType found = resolve_type(layer, "My::A", "", BuiltInTypes(), world.session);
  const auto paths = world.history().explain(found.value);
  ASSERT_EQ(paths.size(), 1U);
  EXPECT_EQ(paths[0].contributions.size(), 2U);
  EXPECT_EQ(world.sources.place(found.value.value.origin()).to_string(), "e.yaml:1:23");
}

struct HookQuestion {
  const char* resources;
  const char* path;
  const char* hooks;
  const char* actions;
};

class HookLookup : public ::testing::TestWithParam<HookQuestion> {};

TEST_P(HookLookup, joins_what_all_patterns_say) {
  RequestWorld world;
  const merge::Traced registry = world.layer(std::string("{resources: ") + GetParam().resources + "}", "e.yaml");
  const ResourceRules rules(registry, world.session);
  EXPECT_EQ(flow(rules.hooks(GetParam().path).value), GetParam().hooks);
  EXPECT_EQ(flow(rules.restricted_actions(GetParam().path).value), GetParam().actions);
  RequestWorld unrecorded(false);
  const ResourceRules plain(registry, unrecorded.session);
  EXPECT_EQ(flow(plain.hooks(GetParam().path).value), GetParam().hooks);
}

INSTANTIATE_TEST_SUITE_P(
    Table, HookLookup,
    ::testing::Values(
        HookQuestion{"{web: {hooks: pre-create}}", "web", R"(["pre-create"])", "[]"},
        HookQuestion{"{web: {hooks: pre-create}}", "db", "[]", "[]"},
        HookQuestion{"{'w*': {hooks: [post-create, pre-update]}, web: {hooks: pre-create}, '*x': {hooks: post-delete}}",
                     "web", R"(["pre-create", "pre-update", "post-create"])", "[]"},
        HookQuestion{"{'w*': {restricted_actions: update}, web: {restricted_actions: [replace, update]}}", "web", "[]",
                     R"(["replace", "update"])"},
        HookQuestion{"{outer: {hooks: pre-create, inner: {hooks: pre-update}}}", "outer/inner", R"(["pre-update"])",
                     "[]"},
        HookQuestion{"{'o*': {'*r': {hooks: pre-create}}}", "outer/inner", R"(["pre-create"])", "[]"},
        HookQuestion{"{'*': {x: {hooks: pre-create}}, outer: {x: {hooks: post-create}}}", "outer/x",
                     R"(["post-create"])", "[]"},
        HookQuestion{"{outer: {x: {hooks: post-create}}, '*': {x: {hooks: pre-create}}}", "outer/x",
                     R"(["post-create"])", "[]"},
        HookQuestion{"{a: {b: {c: {hooks: pre-delete, restricted_actions: replace}}}}", "a/b/c", R"(["pre-delete"])",
                     R"(["replace"])"},
        HookQuestion{"{web: 'OS::A', 'w*': 5}", "web", "[]", "[]"}, HookQuestion{"null", "web", "[]", "[]"}));

struct Pattern {
  const char* pattern;
  const char* name;
  bool matches;
};

class ShellPattern : public ::testing::TestWithParam<Pattern> {};

TEST_P(ShellPattern, matches_as_fnmatchcase_does) {
  EXPECT_EQ(matches_shell_pattern(GetParam().pattern, GetParam().name), GetParam().matches);
}

INSTANTIATE_TEST_SUITE_P(
    Table, ShellPattern,
    ::testing::Values(Pattern{"", "", true}, Pattern{"", "a", false}, Pattern{"*", "", true},
                      Pattern{"a*b*c", "aXbYbZc", true}, Pattern{"a*b", "abc", false}, Pattern{"?", "é", true},
                      Pattern{"?", "", false}, Pattern{"[ab]", "b", true}, Pattern{"[!ab]", "b", false},
                      Pattern{"[!ab]", "c", true}, Pattern{"[a-c]x", "bx", true}, Pattern{"[c-a]", "b", false},
                      Pattern{"[!c-a]", "b", true}, Pattern{"[]]", "]", true}, Pattern{"[!]]", "]", false},
                      Pattern{"[", "[", true}, Pattern{"[a", "[a", true}, Pattern{"[]", "[]", true},
                      Pattern{"[!", "[!", true}, Pattern{"[a-]", "-", true}, Pattern{"[-a]", "-", true},
                      Pattern{"[a-c-e]", "-", true}, Pattern{"[a-c-e]", "d", false}, Pattern{"a.c", "abc", false},
                      Pattern{"A", "a", false}, Pattern{"[^a]", "^", true}, Pattern{"\\*", "\\x", true}));

TEST(ShellPattern, takes_no_time_without_end) {
  EXPECT_FALSE(matches_shell_pattern("*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b", std::string(20000, 'a')));
}

}  // namespace
}  // namespace strata::heat
