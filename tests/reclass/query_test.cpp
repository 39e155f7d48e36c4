// SPDX-License-Identifier: Apache-2.0
#include "reclass/query.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "strata/reclass.hpp"
#include "strata/text.hpp"
#include "support/expect_error.hpp"
#include "support/sessions.hpp"

namespace strata::reclass {
namespace {

using QueryFiles = std::map<std::string, std::string>;

std::string spelled(std::string_view text) {
  Arena arena;
  Sources sources;
  const Query query = parse_query(arena, text, sources, {});
  std::string out = query.lists_nodes ? "list" : query.path;
  if (query.ignores_errors) out += " +errors";
  if (query.all_environments) out += " +all";
  for (const QueryTest& test : query.tests) {
    std::string right = test.is_of_self ? "self " + test.own_path : text::write_json(test.value, {.indent = -1});
    if (right.ends_with('\n')) right.pop_back();
    out += fmt::format(" {} {} {} {}", test.is_and ? "and" : "or", test.path, test.is_equal ? "==" : "!=", right);
  }
  return out;
}

TEST(Query, FormsAreThoseOfTheReference) {
  EXPECT_EQ(spelled(" exports:a:b "), "a:b");
  EXPECT_EQ(spelled("foo:a"), "a");
  EXPECT_EQ(spelled(" exports:a if exports:b == 1 "), "a and b == 1");
  EXPECT_EQ(spelled("if exports:b != true"), "list and b != true");
  EXPECT_EQ(spelled("IFexports:b == self:x:y"), "list and b == self x:y");
  EXPECT_EQ(spelled("if 1.5 == exports:b OR exports:c == x:y AND exports:d == -3"),
            R"(list and b == 1.5 or c == "x:y" and d == -3)");
  EXPECT_EQ(spelled("+IgnoreErrors+allenvs exports:a"), "a +errors +all");
  EXPECT_EQ(spelled("if exports:b == 1x"), R"(list and b == "1x")");
  EXPECT_EQ(spelled("if exports:b == 123456789012345678901234567890"), "list and b == 123456789012345678901234567890");
  for (const char* text : {"", "a b", "exports:a if exports:b==1", "if exports:b == 1.5.2", "if exports:b = 1",
                           "if exports:b == 1 and", "if self:a == 1", "if exports:b == \xC3\xA9", "+Other exports:a"}) {
    STRATA_EXPECT_ERROR((void)spelled(text), "reclass.query");
  }
}

/// The parameter `q` of node `a`, with Kapitan's rules.
std::string result(const std::string& query, const QueryFiles& more = {}) {
  QueryFiles files{{"targets/a.yml", "exports: {x: 1, y: {k: '${n}'}}\nparameters: {n: 1, q: '" + query + "'}\n"},
                   {"targets/b.yml", "exports: {x: 2, y: 3}\nparameters: {n: 2}\n"},
                   {"targets/c.yml", "environment: other\nexports: {x: 1}\n"},
                   {"classes/unused.yml", ""}};
  for (const auto& [name, text] : more) files[name] = text;
  Session session = testing::test_session(files);
  const Result made = inventory({.settings = default_settings(Compat::kapitan), .node = "a"}, session);
  std::string out = text::write_json(*made.node.value.find("parameters")->find("q"), {.indent = -1});
  out.pop_back();
  return out;
}

TEST(Query, ReadsTheExportsOfNodesOfTheSameEnvironment) {
  EXPECT_EQ(result("$[ exports:x ]"), R"({"a": 1, "b": 2})");
  EXPECT_EQ(result("$[ +AllEnvs exports:x ]"), R"({"a": 1, "b": 2, "c": 1})");
  EXPECT_EQ(result("$[ exports:y:k ]"), R"({"a": 1})");
  EXPECT_EQ(result("$[ exports:y if exports:x == self:n ]"), R"({"a": {"k": 1}})");
  EXPECT_EQ(result("$[ if exports:x != 1 ]"), R"(["b"])");
  EXPECT_EQ(result("$[ +AllEnvs if exports:x == TRUE ]"), R"(["a", "c"])");
  EXPECT_EQ(result("\\$[ exports:x ]"), R"("$[ exports:x ]")");
}

TEST(Query, MergesAsOtherValues) {
  EXPECT_EQ(result("$[ exports:x ]",
                   {{"classes/k.yml", "parameters: {q: {z: 9}}\n"},
                    {"targets/a.yml", "classes: [k]\nexports: {x: 1}\nparameters: {q: '$[ exports:x ]'}\n"}}),
            R"({"z": 9, "a": 1, "b": 2})");
}

TEST(Query, FailsForTheExportsThatItNames) {
  const QueryFiles failing{{"targets/d.yml", "exports: {x: 5, z: '${none}', m: {ok: 1, bad: '${none}'}}\n"}};
  EXPECT_EQ(result("$[ exports:x ]", failing), R"({"a": 1, "b": 2, "d": 5})");
  STRATA_EXPECT_ERROR((void)result("$[ exports:z ]", failing), "reclass.query");
  STRATA_EXPECT_ERROR((void)result("$[ if exports:z == 1 ]", failing), "reclass.query");
  EXPECT_EQ(result("$[ +IgnoreErrors exports:z ]", failing), "{}");
  EXPECT_EQ(result("$[ +IgnoreErrors exports:m ]", failing), R"({"d": {"ok": 1}})");
  STRATA_EXPECT_ERROR((void)result("$[ exports:x ]", {{"targets/d.yml", "classes: [gone]\n"}}), "reclass.query");
  EXPECT_EQ(result("$[ exports:x ]", {{"targets/d.yml", "environment: e\nclasses: [gone]\n"}}), R"({"a": 1, "b": 2})");
}

TEST(Query, AParameterWithoutATargetIsNullInExports) {
  const std::string d = "exports: {x: '${p}', y: {k: 'a ${p}'}}\nparameters: {p: '${q:r}', q: {r: '${none}'}}\n";
  EXPECT_EQ(result("$[ exports:x ]", {{"targets/d.yml", d}}), R"({"a": 1, "b": 2, "d": null})");
  EXPECT_EQ(result("$[ exports:y:k ]", {{"targets/d.yml", d}}), R"({"a": 1, "d": "a None"})");
  EXPECT_EQ(result("$[ exports:x:z ]", {{"targets/d.yml", d}}), "{}");
  STRATA_EXPECT_ERROR(
      (void)result("$[ exports:x ]", {{"targets/d.yml", "exports: {x: '${p:z}'}\nparameters: {p: {}}\n"}}),
      "reclass.query");
  Session session = testing::test_session(
      {{"nodes/a.yml", "parameters: {q: '$[ exports:x ]'}\n"}, {"nodes/d.yml", d}, {"classes/k.yml", ""}});
  STRATA_EXPECT_ERROR((void)inventory({.settings = {.groups_errors = false}, .node = "a"}, session), "reclass.query");
}

TEST(Query, HasItsOwnErrors) {
  for (const char* query : {"$[ exports ]", "$[ if exports:x == self:q2 ]", "$[ if exports:x == exports:y ]",
                            "a $[ exports:x ]", "$[ exports:x ] "}) {
    STRATA_EXPECT_ERROR((void)result(query, {{"classes/k.yml", ""}, {"targets/d.yml", "parameters: {q2: null}\n"}}),
                        std::string(query).find("q2") == std::string::npos ? "reclass.query" : "reclass.missing");
  }
  STRATA_EXPECT_ERROR((void)result("$[ exports:x ]", {{"targets/d.yml", "exports: {x: '$[ exports:y ]'}\n"}}),
                      "reclass.query");
  STRATA_EXPECT_ERROR(
      (void)result("$[ exports:x ]", {{"targets/d.yml", "exports: {x: '${p}'}\nparameters: {p: '$[ exports:y ]'}\n"}}),
      "reclass.query");
}

TEST(Query, ANodeFailsWithItsOwnExports) {
  STRATA_EXPECT_ERROR((void)result("x", {{"targets/a.yml", "exports: {x: '${none}'}\nparameters: {q: 1}\n"}}),
                      "reclass.missing");
}

TEST(Query, TheFilesOfAllNodesCount) {
  Session session = testing::test_session({{"nodes/a.yml", "parameters: {q: '$[ exports:x ]'}\n"},
                                           {"nodes/b.yml", "classes: [k]\n"},
                                           {"classes/k.yml", "exports: {x: 1}\n"}});
  std::vector<Origin> files;
  (void)inventory({.node = "a", .files = &files}, session);
  std::vector<std::string> names;
  for (const Origin file : files) names.emplace_back(session.sources().file(session.sources().source_of(file).value()));
  EXPECT_EQ(names, (std::vector<std::string>{"classes/k.yml", "nodes/b.yml", "nodes/a.yml"}));
}

TEST(Query, ExportsAreShownOnRequest) {
  Session session =
      testing::test_session({{"nodes/a.yml", "exports: {x: '${n}'}\nparameters: {n: [1]}\n"}, {"classes/k.yml", ""}});
  const Result made = inventory({.node = "a", .shows_exports = true}, session);
  EXPECT_EQ(text::write_json(*made.node.value.find("exports"), {.indent = -1}), "{\"x\": [1]}\n");
  EXPECT_EQ(inventory({.node = "a"}, session).node.value.find("exports"), nullptr);
}

}  // namespace
}  // namespace strata::reclass
