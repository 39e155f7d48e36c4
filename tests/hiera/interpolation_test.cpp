// SPDX-License-Identifier: Apache-2.0
// `%{…}`: the grammar, and what it does in data.
#include "hiera/interpolation.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "world.hpp"

namespace strata::hiera {
namespace {

using testing::levels;
using testing::World;

/// The first expression as `method(key)` and what follows it; nothing where there is none.
std::string first(std::string_view text) {
  const auto found = find_expression(text, 0);
  if (!found) return "-";
  using enum Expression::Method;
  const std::string_view method = found->method == nothing   ? "nothing"
                                  : found->method == scope   ? "scope"
                                  : found->method == lookup  ? "lookup"
                                  : found->method == alias   ? "alias"
                                  : found->method == literal ? "literal"
                                                             : "unknown";
  return std::string(text.substr(0, found->begin)) + "<" + std::string(method) + " " + std::string(found->key) + ">" +
         std::string(text.substr(found->end));
}

TEST(Expression, Grammar) {
  struct Row {
    std::string_view text;
    std::string_view expression;
  };
  for (const Row& row : std::initializer_list<Row>{
           {"plain", "-"},
           {"a%{x}b", "a<scope x>b"},
           {"%{  x.y  }", "<scope x.y>"},
           {"%{x", "-"},
           {"100%", "-"},
           {"%%{x}", "%<scope x>"},
           {"a%{x%{nm}}b", "a<scope x%{nm>}b"},
           {"%{}", "<nothing >"},
           {"%{ }", "<nothing >"},
           {"%{::}", "<nothing ::>"},
           {"%{''}", "<nothing ''>"},
           {"%{\"::\"}", "<nothing \"::\">"},
           {"%{lookup('k')}", "<lookup k>"},
           {"%{hiera(\"k\")}", "<lookup k>"},
           {"%{alias('k.0')}", "<alias k.0>"},
           {"%{scope('::x')}", "<scope ::x>"},
           {"%{literal('%')}{x}", "<literal %>{x}"},
           {"%{frob('x')}", "<unknown x>"},
           {"%{lookup(k)}", "<scope lookup(k)>"},
           {"%{lookup ('k')}", "<scope lookup ('k')>"},
           {"%{lookup('k') x}", "<scope lookup('k') x>"},
           {"%{lookup('')}", "<scope lookup('')>"},
           {"%{lookup('a'b')}", "<scope lookup('a'b')>"},
           {"%{lookup('k\")}", "<scope lookup('k\")>"},
           {"%{lookup(\"it's\")}", "<lookup it's>"},
           {"%{\nx\t}", "<scope x>"},
       }) {
    EXPECT_EQ(first(row.text), row.expression) << row.text;
  }
}

World interpolation_world(const std::string& data, std::string_view facts = "{}") {
  return World(World::Files{{"hiera.yaml", "version: 5\n"}, {"data/common.yaml", data}}, facts);
}

TEST(Interpolation, InsertsAsRubyWrites) {
  struct Row {
    std::string_view value;
    std::string_view result;
  };
  World here = interpolation_world(R"(
list: [x, ~, true, 1.5, {"a\n": b}]
none: ~
float: 1e-7
tiny: 0.0000001
whole: 1.0
falsy: false
hash: {a: 1, 2: b}
percent: '%'
escaped: "%{literal('%')}{role}"
twice: "%{lookup('escaped')}"
combined: "%{lookup('percent')}{role}"
k0: "%{role}/%{nope}."
k1: "%{lookup('list')}"
k2: "<%{lookup('none')}>"
k3: "%{lookup('tiny')} %{lookup('whole')} %{lookup('falsy')}"
k4: "%{lookup('hash')}"
k5: "%{alias('hash')}"
k6: "%{ alias('none') }"
k7: "%{alias('nothing')}"
k8: {"%{role}": 1, web: 2, a: "%{role}"}
k9: "%{facts.os.name} %{facts.list.1} %{list.0}%{os.nope}"
k10: "%{lookup('hash.a')}%{lookup('hash.2')}%{lookup('list.9')}"
k11: "%{lookup('lookup_options')}"
k12: "%{indirect}"
)",
                                   "{role: web, os: {name: Debian}, list: [a, b], indirect: '<%{role}>'}");
  for (const Row& row : std::initializer_list<Row>{
           {"k0", R"("web/.")"},
           {"k1", R"("[\"x\", nil, true, 1.5, {\"a\\n\"=>\"b\"}]")"},
           {"k2", R"("<>")"},
           {"k3", R"("1.0e-07 1.0 false")"},
           {"k4", R"("{\"a\"=>1, 2=>\"b\"}")"},
           {"k5", R"({"a"=>1, 2=>"b"})"},
           {"k6", "nil"},
           {"k7", R"("")"},
           {"k8", R"({"web"=>2, "a"=>"web"})"},
           {"k9", R"("Debian b a")"},
           {"k10", R"("1b")"},
           {"k11", R"("")"},
           {"k12", R"("<web>")"},
           {"escaped", R"("%{role}")"},
           {"twice", R"("web")"},
           {"combined", R"("%{role}")"},
       }) {
    EXPECT_EQ(here.answer(std::string(row.value)), row.result) << row.value;
  }
}

TEST(Interpolation, Errors) {
  World here = interpolation_world(R"(
a1: "x%{alias('b')}"
a2: "%{frob('b')}"
a3: "%{role.x}"
a4: {"%{alias('l')}": 1}
a5: "%{a..b}"
l: [1]
)",
                                   "{role: web}");
  EXPECT_EQ(
      here.told("a1"),
      R"(/code/environments/production/data/common.yaml:2:5: error: 'alias' interpolation is only permitted if the expression is equal to the entire string [hiera.interpolation]
    2 | a1: "x%{alias('b')}"
      |     ^
hint: use lookup inside of texts
)");
  EXPECT_EQ(here.answer("a2"), "hiera.interpolation: Unknown interpolation method 'frob'");
  EXPECT_EQ(here.answer("a3"),
            "hiera.dig: Data Provider type mismatch: Got String when a hash-like object was expected to access value "
            "using 'x' from key 'role.x'");
  EXPECT_EQ(here.answer("a4"), "hiera.interpolation: '%{alias('l')}' as a key of a hash becomes a sequence");
  EXPECT_EQ(here.answer("a5"), "hiera.key: Syntax error in string: 'a..b'");
}

TEST(Interpolation, ColonsBeforeVariables) {
  World here = interpolation_world("a: '%{::::role} %{:::role} %{::::::role}'\nb: '%{1.2}'\n", "{role: web}");
  EXPECT_EQ(here.answer("a"), R"("web  web")");
  EXPECT_EQ(here.answer("b"), "hiera.interpolation: Scope variable name 1 is a Integer, not a string");
  struct Row {
    std::string_view mapped;
    bool is_found;
  };
  for (const Row& row : std::initializer_list<Row>{{"list, n, '%{n}.yaml'", true},
                                                   {"'::list', n, '%{n}.yaml'", true},
                                                   {"list, n, '%{::n}.yaml'", false},
                                                   {"list, n, '%{::::n}.yaml'", true},
                                                   {"list, '::n', '%{n}.yaml'", false},
                                                   {"list, '::n', '%{::n}.yaml'", false}}) {
    World mapped(
        World::Files{
            {"hiera.yaml", fmt::format("version: 5\nhierarchy:\n  - name: m\n    mapped_paths: [{}]\n", row.mapped)},
            {"data/x.yaml", "k: v\n"}},
        "{list: [x]}");
    EXPECT_EQ(mapped.answer("k") == R"("v")", row.is_found) << row.mapped;
  }
}

TEST(Interpolation, SettingsThatAreNotAServersOwn) {
  World here(World::Files{
      {"hiera.yaml", "version: 5\nhierarchy: [{name: c, path: '%{::settings::codedir}/own.yaml'}]\n"},
      {"/code/own.yaml", "k: '%{settings::codedir} %{::settings::environmentpath} %{settings::environment}'\n"}});
  EXPECT_EQ(here.answer("k"), R"("/code /code/environments production")");
  EXPECT_EQ(here.warnings(), "");
}

TEST(Interpolation, UnknownVariablesAreToldOnce) {
  World here = interpolation_world("a: '%{nope}%{nope}'\nb: '%{nope} %{also}'\n");
  EXPECT_EQ(here.answer("a"), R"("")");
  EXPECT_EQ(here.answer("b"), R"(" ")");
  ASSERT_EQ(here.session.diagnostics().warnings().size(), 2U);
  EXPECT_EQ(here.session.diagnostics().warnings()[0].code, "hiera.unknown-variable");
  EXPECT_EQ(here.session.diagnostics().warnings()[1].message, "Undefined variable 'also'");
  World strict(World::Files{{"hiera.yaml", "version: 5\n"}, {"data/common.yaml", "a: '%{nope}'\n"}}, "{}",
               {.compat = Compat::openvox});
  EXPECT_EQ(strict.answer("a"), "hiera.unknown-variable: Undefined variable 'nope'");
}

TEST(Recursion, NamesTheChain) {
  World here = interpolation_world(R"(
a: "%{lookup('b')}"
b: "%{alias('c')}"
c: "%{lookup('a')}"
self: {x: "%{lookup('self.y')}", y: 1}
v: "%{v}"
)",
                                   "{v: '%{w}', w: '%{v}'}");
  EXPECT_EQ(here.answer("a"), "hiera.recursion: Lookup of key 'a' failed: Recursive lookup detected in [a, b, c]");
  EXPECT_EQ(here.answer("b"), "hiera.recursion: Lookup of key 'b' failed: Recursive lookup detected in [b, c, a]");
  EXPECT_EQ(here.answer("self"),
            "hiera.recursion: Lookup of key 'self.y' failed: Recursive lookup detected in [self, self.y]");
  EXPECT_EQ(here.answer("v"), "hiera.recursion: Recursive lookup detected in [v, scope:v, scope:w]");
}

TEST(Recursion, DoublingIsBounded) {
  // Each key names the next one twice: 2^100 lookups of an empty text.
  std::string data;
  for (int i = 0; i < 100; ++i) {
    const std::string next = "%{lookup('k" + std::to_string(i + 1) + "')}";
    data += "k" + std::to_string(i) + ": \"" + next + next + "\"\n";
  }
  const Limits limits{.steps = 10'000};
  World here(World::Files{{"hiera.yaml", "version: 5\n"}, {"data/common.yaml", data + "k100: ''\n"}}, "{}",
             {.limits = limits});
  // What is remembered is looked up once; a history tells of all that met.
  EXPECT_EQ(here.answer("k0"), R"("")");
  World traced(World::Files{{"hiera.yaml", levels({"common.yaml"})}, {"data/common.yaml", data + "k100: ''\n"}}, "{}",
               {.keeps_history = true, .limits = limits});
  EXPECT_EQ(traced.answer("k0"), "limit.steps: interpolation takes too many steps");
  EXPECT_EQ(traced.answer("k95"), R"("")");

  std::string facts;
  for (int i = 0; i < 100; ++i)
    facts += "v" + std::to_string(i) + ": '%{v" + std::to_string(i + 1) + "}%{v" + std::to_string(i + 1) + "}'\n";
  World paths(World::Files{{"hiera.yaml", levels({"%{v0}.yaml"})}}, facts + "v100: ''\n", {.limits = limits});
  EXPECT_EQ(paths.answer("k"), "limit.steps: interpolation takes too many steps");
}

}  // namespace
}  // namespace strata::hiera
