// SPDX-License-Identifier: Apache-2.0
#include "strata/reclass.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "reclass/class_mappings.hpp"
#include "strata/ask_all.hpp"
#include "strata/text.hpp"
#include "support/expect_error.hpp"
#include "support/sessions.hpp"
#include "support/threads.hpp"

namespace strata::reclass {
namespace {

using Files = std::map<std::string, std::string>;

/// The parameters of node `n` whose file is `node`, beside classes `name: text`. Without `_reclass_`.
std::string parameters(const std::string& node, const Files& classes = {}) {
  Files files{{"nodes/n.yml", node}, {"classes/unused.yml", ""}};
  for (const auto& [name, text] : classes) files.emplace("classes/" + name, text);
  Session session = testing::test_session(files);
  const Result result = inventory({.node = "n"}, session);
  std::string text = text::write_json(*result.node.value.find("parameters"), {.indent = -1});
  const std::string automatic = R"("_reclass_": {"name": {"full": "n", "short": "n"}, "environment": "base"})";
  EXPECT_TRUE(text.starts_with("{" + automatic)) << text;
  text.erase(1, automatic.size() + (text[automatic.size() + 1] == ',' ? 2 : 0));
  text.pop_back();
  return text;
}

std::string list_of(const Files& files, const std::string& node, const std::string& field) {
  Session session = testing::test_session(files);
  const Result result = inventory({.node = node}, session);
  std::string text = text::write_json(*result.node.value.find(field), {.indent = -1});
  text.pop_back();
  return text;
}

TEST(Reclass, ClassesAreMergedDepthFirstAndOnce) {
  const Files files{{"nodes/n.yml", "classes: [a, b, a]\n"},
                    {"classes/a.yml", "classes: [c]\nparameters: {l: [a]}\n"},
                    {"classes/b.yml", "classes: [c]\nparameters: {l: [b]}\n"},
                    {"classes/c.yml", "parameters: {l: [c]}\n"}};
  EXPECT_EQ(list_of(files, "n", "classes"), R"(["c", "a", "b"])");
  Session session = testing::test_session(files);
  EXPECT_EQ(
      text::write_json(*inventory({.node = "n"}, session).node.value.find("parameters")->find("l"), {.indent = -1}),
      "[\"c\", \"a\", \"b\"]\n");
}

TEST(Reclass, NamesOfFiles) {
  const Files files{{"nodes/east/web.yaml", "classes: [a, a.b, .up]\n"},
                    {"classes/a/init.yml", "classes: [.here]\nparameters: {x: 1}\n"},
                    {"classes/a/b.yml", "classes: [.c.d]\n"},
                    {"classes/a/c/d.yaml", ""},
                    {"classes/here.yml", ""},
                    {"classes/up.yml", ""},
                    {"classes/notes.txt", "no class"}};
  EXPECT_EQ(list_of(files, "web", "classes"), R"(["here", "a.c.d", "a", "a.b", "up"])");
  Session session = testing::test_session(files);
  EXPECT_EQ(node_names({}, session), std::vector<std::string>{"web"});
  STRATA_EXPECT_ERROR((void)inventory({.node = "wep"}, session), "reclass.node");
  Session twice = testing::test_session({{"nodes/a/n.yml", ""}, {"nodes/b/n.yaml", ""}, {"classes/a.yml", ""}});
  STRATA_EXPECT_ERROR((void)node_names({}, twice), "reclass.duplicate");
  Session none = testing::test_session({{"nodes/n.yml", ""}});
  STRATA_EXPECT_ERROR((void)node_names({}, none), "reclass.folder");
}

TEST(Reclass, ApplicationsAreRemovedFromWhatTheClassesOfTheSameFileBrought) {
  const Files files{{"nodes/n.yml", "classes: [a, b]\napplications: [own, ~x]\n"},
                    {"classes/a.yml", "applications: [x, y, z]\n"},
                    {"classes/b.yml", "classes: [c]\napplications: [~y, ~w, v]\n"},
                    {"classes/c.yml", "applications: [w]\n"}};
  EXPECT_EQ(list_of(files, "n", "applications"), R"(["y", "z", "v", "own"])");
}

TEST(Reclass, TheEnvironmentOfTheNodeCounts) {
  const Files files{{"nodes/n.yml", "classes: [a]\n"},
                    {"nodes/m.yml", "classes: [a]\nenvironment: dev\n"},
                    {"classes/a.yml", "environment: class\n"}};
  EXPECT_EQ(list_of(files, "n", "environment"), "\"base\"");
  EXPECT_EQ(list_of(files, "m", "environment"), "\"dev\"");
}

TEST(Reclass, ParametersAreMergedDeeply) {
  EXPECT_EQ(parameters("classes: [a]\nparameters: {s: 2, l: [2], m: {x: {z: 2}}, 1: one, n: {k: 1}}\n",
                       {{"a.yml", "parameters: {s: 1, l: [1], m: {w: 1, x: {y: 1}}, n: null}\n"}}),
            R"({"s": 2, "l": [1, 2], "m": {"w": 1, "x": {"y": 1, "z": 2}}, "n": {"k": 1}, "1": "one"})");
}

TEST(Reclass, AMappingOverNull) {
  const auto over = [](const std::string& base, const std::string& node, const std::string& more = {}) {
    Files classes{{"a.yml", "parameters: {v: ~, rn: ~, rm: {k: 8}, ~kept: {~k: 8}}\n"},
                  {"b.yml", "parameters: " + base + "\n"}};
    if (!more.empty()) classes.emplace("c.yml", "parameters: " + more + "\n");
    const std::string text = parameters(
        "classes: [a, b" + std::string(more.empty() ? "" : ", c") + "]\nparameters: " + node + "\n", classes);
    const std::string others = R"(, "rn": null, "rm": {"k": 8}, "kept": {"~k": 8}})";
    EXPECT_TRUE(text.ends_with(others)) << text;
    return text.substr(0, text.size() - std::min(text.size(), others.size())) + "}";
  };
  // One that a reference gives, that is over a reference to null, or that is constant.
  EXPECT_EQ(over("{}", "{v: '${rm}'}"), R"({"v": {"k": 8}})");
  EXPECT_EQ(over("{v: '${rn}'}", "{v: {k: {l: '${rm}'}}}"), R"({"v": {"k": {"l": {"k": 8}}}})");
  EXPECT_EQ(over("{v: {k: ~}}", "{v: {k: '${rm}'}}"), R"({"v": {"k": {"k": 8}}})");
  EXPECT_EQ(over("{}", "{=v: {a: '${rm}'}}"), R"({"v": {"a": {"k": 8}}})");
  // Keys lose their prefixes when their file is read, those below `~key` and `=key` when another mapping meets them.
  EXPECT_EQ(over("{}", "{v: {~k: {~l: 2}, m: {=n: 1}}}"), R"({"v": {"k": {"~l": 2}, "m": {"n": 1}}})");
  EXPECT_EQ(over("{v: '${rn}'}", "{v: {~k: 2}}"), R"({"v": {"k": 2}})");
  EXPECT_EQ(over("{v: '${rn}'}", "{v: {k: {m: 1}}}", "{v: {~k: {l: 1}}}"), R"({"v": {"k": {"l": 1, "m": 1}}})");
  EXPECT_EQ(over("{}", "{=v: {~a: 1}}"), R"({"v": {"~a": 1}})");
  EXPECT_EQ(over("{}", "{v: '${kept}'}"), R"({"v": {"~k": 8}})");
  EXPECT_EQ(over("{}", "{v: {j: 3}}", "{v: '${kept}'}"), R"({"v": {"k": 8, "j": 3}})");
}

TEST(Reclass, ValuesOfDifferentShapesDoNotMerge) {
  for (const std::string both : {"{k: {a: 1}}|{k: 1}", "{k: 1}|{k: [1]}", "{k: [1]}|{k: {a: 1}}", "{k: [1]}|{k: null}",
                                 "{k: 2020-01-01}|{k: {a: 1}}"}) {
    const std::size_t bar = both.find('|');
    STRATA_EXPECT_ERROR((void)parameters("classes: [a]\nparameters: " + both.substr(bar + 1) + "\n",
                                         {{"a.yml", "parameters: " + both.substr(0, bar) + "\n"}}),
                        "reclass.merge");
  }
}

TEST(Reclass, ATildeOverrides) {
  EXPECT_EQ(parameters("classes: [a]\nparameters: {~m: {y: 2}, ~l: [2], n: {~k: {y: 2}}}\n",
                       {{"a.yml", "parameters: {m: {x: 1}, l: [1], n: {k: {x: 1}, j: 1}}\n"}}),
            R"({"m": {"y": 2}, "l": [2], "n": {"k": {"y": 2}, "j": 1}})");
  EXPECT_EQ(parameters("parameters: {~m: {~y: 2}, o: {~p: 1}}\n"), R"({"m": {"~y": 2}, "o": {"p": 1}})");
}

TEST(Reclass, ConstantsMustNotChange) {
  EXPECT_EQ(parameters("classes: [a]\nparameters: {=k: 2, =r: '${k}'}\n", {{"a.yml", "parameters: {k: 1}\n"}}),
            R"({"k": 2, "r": 2})");
  STRATA_EXPECT_ERROR((void)parameters("classes: [a]\nparameters: {k: 2}\n", {{"a.yml", "parameters: {=k: 1}\n"}}),
                      "reclass.constant");
  // A copy that a reference makes may.
  EXPECT_EQ(parameters("classes: [a]\nparameters: {w: {k: y, m: {l: [2]}}}\n",
                       {{"a.yml", "parameters: {r: {=k: 1, m: {=l: [1]}}, w: '${r}'}\n"}}),
            R"({"r": {"k": 1, "m": {"l": [1]}}, "w": {"k": "y", "m": {"l": [1, 2]}}})");
  STRATA_EXPECT_ERROR(
      (void)parameters("classes: [a, b]\nparameters: {w: {k: 3}}\n",
                       {{"a.yml", "parameters: {r: {k: 1}, w: '${r}'}\n"}, {"b.yml", "parameters: {w: {=k: 2}}\n"}}),
      "reclass.constant");
}

TEST(Reclass, AKeyMayHaveTwoPrefixes) {
  const auto over = [](const std::string& node) {
    return parameters("classes: [a]\nparameters: " + node + "\n", {{"a.yml", "parameters: {x: [2]}\n"}});
  };
  EXPECT_EQ(over("{~~x: [1]}"), R"({"x": [1]})");
  EXPECT_EQ(over("{'=~x': [1]}"), R"({"x": [1]})");
  EXPECT_EQ(over("{~=x: [1]}"), R"({"x": [1]})");
  EXPECT_EQ(over("{'==x': [1]}"), R"({"x": [2, 1]})");
  EXPECT_EQ(over("{m: {~~y: 1}, ~~x: {~~y: 1}}"), R"({"x": {"~~y": 1}, "m": {"y": 1}})");
  EXPECT_EQ(over("{~~~x: 1}"), R"({"x": [2], "~x": 1})");
  for (const std::string constant : {"'=~x'", "~=x", "'==x'"}) {
    STRATA_EXPECT_ERROR(
        (void)parameters("classes: [a]\nparameters: {x: [1]}\n", {{"a.yml", "parameters: {" + constant + ": [2]}\n"}}),
        "reclass.constant");
  }
  STRATA_EXPECT_ERROR((void)over("{'=~x': [1], ~x: [3]}"), "reclass.constant");
  STRATA_EXPECT_ERROR((void)over("{'=x': [1], ~x: 3}"), "reclass.constant");
  STRATA_EXPECT_ERROR((void)parameters("parameters: {~~: 1}\n"), "reclass.key");
}

TEST(Reclass, WhatAListOrAMappingOverridesMustLeadSomewhere) {
  const auto over = [](const std::string& base, const std::string& node, const std::string& more = "{}") {
    return parameters("classes: [a, b]\nparameters: " + node + "\n",
                      {{"a.yml", "parameters: " + base + "\n"}, {"b.yml", "parameters: " + more + "\n"}});
  };
  for (const std::string node : {"{~k: []}", "{~k: {}}", "{~k: '${l}', l: [1]}", "{=~k: [1]}"}) {
    STRATA_EXPECT_ERROR((void)over("{k: '${none}'}", node), "reclass.missing");
  }
  STRATA_EXPECT_ERROR((void)over("{k: '${none}'}", "{k: [1]}", "{~k: [2]}"), "reclass.missing");
  STRATA_EXPECT_ERROR((void)over("{k: '${k}'}", "{~k: []}"), "reclass.circle");
  EXPECT_EQ(over("{k: '${none}'}", "{~k: 1}"), R"({"k": 1})");
  EXPECT_EQ(over("{k: '${none}'}", "{~k: 1}", "{~k: [2]}"), R"({"k": 1})");
  EXPECT_EQ(over("{k: '${none}'}", "{~k: '${s}', s: 1}"), R"({"k": 1, "s": 1})");
  EXPECT_EQ(over("{k: '${l}', l: [1]}", "{~k: {~m: 1}}"), R"({"k": {"~m": 1}, "l": [1]})");
  EXPECT_EQ(over("{k: '${l}', l: [1]}", "{k: {n: 1}}", "{~k: {~m: 1}}"), R"({"k": {"m": 1, "n": 1}, "l": [1]})");
  EXPECT_EQ(over("{k: '${l}', l: [1]}", "{k: [3]}", "{~k: [2]}"), R"({"k": [2, 3], "l": [1]})");
  // Nobody looks below a key that is overridden.
  EXPECT_EQ(over("{m: {k: '${none}', '=c': 1, ~c: 2}}", "{~m: {}}", "{m: {~k: []}}"), R"({"m": {}})");
  STRATA_EXPECT_ERROR((void)over("{m: {'=c': 1, ~c: 2}}", "{}"), "reclass.constant");
}

TEST(Reclass, ReferencesAreFollowedWhenEverythingIsMerged) {
  EXPECT_EQ(
      parameters("classes: [a]\nparameters: {x: 2, m: {k: v}}\n",
                 {{"a.yml", "parameters: {x: 1, y: '${x}', t: 'x is ${x}, ${m:k}', whole: '${m}', n: '${x}${y}'}\n"}}),
      R"({"x": 2, "y": 2, "t": "x is 2, v", "whole": {"k": "v"}, "n": "22", "m": {"k": "v"}})");
}

TEST(Reclass, WhatAReferenceLeadsToIsMerged) {
  EXPECT_EQ(parameters("classes: [a, b]\nparameters: {m: {z: 3}, l: [3], base: {w: 0}}\n",
                       {{"a.yml", "parameters: {m: {x: 1}, l: [1]}\n"},
                        {"b.yml", "parameters: {m: '${base}', l: '${list}', list: [2, '${base:w}']}\n"}}),
            R"({"m": {"x": 1, "w": 0, "z": 3}, "l": [1, 2, 0, 3], "list": [2, 0], "base": {"w": 0}})");
}

TEST(Reclass, PathsOfReferences) {
  EXPECT_EQ(
      parameters("parameters: {l: [{a: 1}, {a: 2}], one: '${l:0:a}', last: '${l:-1:a}', sel: k, m: {k: 5}, deep: "
                 "'${m:${sel}}', 'a\\:b': 7, c: "
                 "'${a\\:b}'}\n"),
      R"({"l": [{"a": 1}, {"a": 2}], "one": 1, "last": 2, "sel": "k", "m": {"k": 5}, "deep": 5, "a\\:b": 7, "c": 7})");
  for (const char* path : {"none", "l:0", "l:x:a", "l:2:a", "s:x", "m:none"}) {
    STRATA_EXPECT_ERROR(
        (void)parameters("parameters: {l: [{a: 1}], s: text, m: {}, r: '${" + std::string(path) + "}'}\n"),
        "reclass.missing");
  }
}

TEST(Reclass, EscapesInTextsWithReferences) {
  EXPECT_EQ(parameters(R"(parameters: {x: 1, a: '\${x}', b: '\\${x}', c: 'a\b}', d: '\\\${x}', e: '\${x} ${x} \\}'})"),
            R"({"x": 1, "a": "${x}", "b": "\\1", "c": "a\\b}", "d": "\\\\1", "e": "${x} 1 \\\\}"})");
  for (const char* text : {"${}", "${x", "a ${ ${x}", "$[ a ]"}) {
    EXPECT_THROW((void)parameters("parameters: {x: 1, t: '" + std::string(text) + "'}\n"), Error) << text;
  }
}

TEST(Reclass, CirclesAreFound) {
  for (const char* text :
       {"{a: '${b}', b: '${a}'}", "{a: '${a}'}", "{a: {b: '${a}'}}", "{a: 'x${b:c}', b: {c: '${a}'}}"}) {
    STRATA_EXPECT_ERROR((void)parameters("parameters: " + std::string(text) + "\n"), "reclass.circle");
  }
  EXPECT_EQ(parameters("parameters: {a: '${b}', b: {c: '${a:d}', d: 1}}\n"),
            R"({"a": {"c": 1, "d": 1}, "b": {"c": 1, "d": 1}})");
  STRATA_EXPECT_ERROR((void)parameters("classes: [a]\n", {{"a.yml", "classes: [b]\n"}, {"b.yml", "classes: [a]\n"}}),
                      "reclass.class-circle");
}

TEST(Reclass, ReferencesThatLeadNowhereAreToldTogether) {
  try {
    (void)parameters("parameters: {a: '${x}', b: 'and ${y}'}\n");
    FAIL();
  } catch (const Errors& errors) {
    EXPECT_EQ(errors.all().size(), 2U);
  }
  // A scalar that follows makes it harmless.
  EXPECT_EQ(parameters("classes: [a]\nparameters: {k: 1}\n", {{"a.yml", "parameters: {k: '${none}'}\n"}}),
            R"({"k": 1})");
}

TEST(Reclass, ReferencesThatAreNestedTooDeepHaveAPlace) {
  std::string node = "parameters:\n";
  for (int i = 0; i < 30'000; ++i) node += fmt::format("  p{}: ${{p{}}}\n", i, i + 1);
  try {
    (void)parameters(node + "  p30000: 1\n");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "limit.stack");
    EXPECT_TRUE(error.diagnostic().where.place.to_string().starts_with("nodes/n.yml:"))
        << error.diagnostic().where.place.to_string();
  }
}

TEST(Reclass, NamesOfClassesWithReferences) {
  EXPECT_EQ(
      parameters("classes: [a, 'role.${sel}', '${_reclass_:environment}']\n", {{"a.yml", "parameters: {sel: web}\n"},
                                                                               {"role/web.yml", "parameters: {w: 1}\n"},
                                                                               {"base.yml", "parameters: {b: 1}\n"}}),
      R"({"sel": "web", "w": 1, "b": 1})");
  for (const char* sel : {"{sel: [web]}", "{sel: '${other}', other: web}", "{}"}) {
    STRATA_EXPECT_ERROR((void)parameters("classes: [a, 'role.${sel}']\n",
                                         {{"a.yml", "parameters: " + std::string(sel) + "\n"}, {"role/web.yml", ""}}),
                        "reclass.class-reference");
  }
  STRATA_EXPECT_ERROR((void)parameters("classes: [gone]\n"), "reclass.class");
}

TEST(Reclass, FormsOfFiles) {
  STRATA_EXPECT_ERROR((void)parameters("[a]\n"), "reclass.field");
  STRATA_EXPECT_ERROR((void)parameters("classes: a\n"), "reclass.field");
  STRATA_EXPECT_ERROR((void)parameters("classes: [1]\n"), "reclass.field");
  STRATA_EXPECT_ERROR((void)parameters("classes: [a b]\n"), "reclass.class-name");
  STRATA_EXPECT_ERROR((void)parameters("parameters: []\n"), "reclass.field");
  STRATA_EXPECT_ERROR((void)parameters("parameters: {'': 1}\n"), "reclass.key");
  STRATA_EXPECT_ERROR((void)parameters("parameters: {'~': 1}\n"), "reclass.key");
  STRATA_EXPECT_ERROR((void)parameters("parameters: {a: {'=': 1}}\n"), "reclass.key");
  STRATA_EXPECT_ERROR((void)parameters("parameters: {1: 1, '1': 2}\n"), "reclass.key");
  EXPECT_EQ(parameters(""), "{}");
}

TEST(Reclass, PlacesOfAliasesAndOfNamesWithReferences) {
  Session session = testing::test_session(
      {{"nodes/n.yml", "parameters:\n  a: &m {k: 1, r: '${a:k}'}\n  b: *m\n"}, {"classes/a.yml", ""}});
  const Value parameters = *inventory({.node = "n"}, session).node.value.find("parameters");
  EXPECT_FALSE(parameters.find("a")->origin().through_alias());
  EXPECT_TRUE(parameters.find("b")->origin().through_alias());
  EXPECT_EQ(parameters.find("b")->find("r")->as_integer(), 1);
  // Names are followed before anybody looks whether constants change, as in reclass.
  Session wrong = testing::test_session({{"nodes/n.yml", "classes: [a, b, 'x.${k}']\n"},
                                         {"classes/a.yml", "parameters: {=m: 1}\n"},
                                         {"classes/b.yml", "parameters:\n  ~m: 2\n"}});
  try {
    (void)inventory({.node = "n"}, wrong);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.diagnostic().code, "reclass.class-reference");
    EXPECT_EQ(error.diagnostic().where.place.to_string(), "nodes/n.yml:1:17");
  }
}

TEST(Reclass, DuplicateKeysAreWarnedOf) {
  Session session =
      testing::test_session({{"nodes/n.yml", "classes: [a]\n"}, {"classes/a.yml", "parameters: {k: 1, k: 2}\n"}});
  EXPECT_EQ(inventory({.node = "n"}, session).node.value.find("parameters")->find("k")->as_integer(), 2);
  ASSERT_EQ(session.diagnostics().warnings().size(), 1U);
  EXPECT_EQ(session.diagnostics().warnings()[0].code, "reclass.repeated-key");
  EXPECT_EQ(session.diagnostics().warnings()[0].message, "duplicate key 'k': the earlier value is lost");
}

Settings configured(Session& session, const std::string& text) {
  Settings out;
  read_config(out, session, session.sources().add("reclass-config.yml", text), {.home = "/homes/u"});
  return out;
}

TEST(Reclass, ClassMappingsAreReadAsByTheReference) {
  struct Row {
    const char* mapping;
    const char* node;
    const char* classes;
  };
  // Expectations are those of reclass 1.7.0.
  for (const Row& row : std::initializer_list<Row>{{"'* base'", "web1", "base "},
                                                   {"'web? a b'", "web1", "a b "},
                                                   {"'web? a'", "web12", ""},
                                                   {"'[!w]* a'", "web1", ""},
                                                   {"'[vw]eb1 a'", "web1", "a "},
                                                   {"'w.b* a'", "web1", ""},
                                                   {"'/eb(\\d)/ n.\\1'", "web1", "n.1 "},
                                                   {R"("/eb(\\d)/ n.\\\\1")", "web1", "n.1 "},
                                                   {"'/^eb/ a'", "web1", ""},
                                                   {"'/a b/ c'", "xa by", "c "},
                                                   {"'\"a b\" c'", "a b", "c "},
                                                   {"'web1'", "web1", ""}}) {
    Session session = testing::test_session({});
    const Settings settings = configured(session, std::string("class_mappings: [") + row.mapping + "]\n");
    std::string told;
    for (const std::string& one : mapped_classes(settings.class_mappings.at(0), row.node)) told += one + " ";
    EXPECT_EQ(told, row.classes) << row.mapping;
  }
}

TEST(Reclass, SettingsSayWhereFilesAre) {
  Session session = testing::test_session({});
  EXPECT_EQ(configured(session, "").nodes, "nodes");
  EXPECT_EQ(configured(session, "inventory_base_uri: .\n").classes, "classes");
  EXPECT_EQ(configured(session, "{inventory_base_uri: ./a, nodes_uri: n, classes_uri: /c}\n").nodes, "a/n");
  EXPECT_EQ(configured(session, "{inventory_base_uri: ./a, nodes_uri: n, classes_uri: /c}\n").classes, "/c");
  EXPECT_EQ(configured(session, "inventory_base_uri: ~/a\n").nodes, "/homes/u/a/nodes");
}

TEST(Reclass, SettingsLetValuesReplaceOthers) {
  Session session = testing::test_session({{"nodes/n.yml", "classes: [a]\nparameters: {m: 1, l: null, s: {x: 2}}\n"},
                                           {"classes/a.yml", "parameters: {m: {y: 1}, l: [1], s: 3}\n"}});
  const Settings settings =
      configured(session, "{allow_scalar_over_dict: true, allow_none_override: true, allow_dict_over_scalar: true}\n");
  const Result result = inventory({.settings = settings, .node = "n"}, session);
  const Value& parameters = *result.node.value.find("parameters");
  EXPECT_EQ(parameters.find("m")->as_integer(), 1);
  EXPECT_TRUE(parameters.find("l")->is_null());
  EXPECT_EQ(parameters.find("s")->find("x")->as_integer(), 2);
  EXPECT_THROW((void)inventory({.node = "n"}, session), Error);
}

TEST(Reclass, HistoriesNameClassesAndReferences) {
  Session session = testing::test_session(
      {{"nodes/n.yml", "classes: [a]\nparameters: {x: 2}\n"}, {"classes/a.yml", "parameters: {x: 1, y: '${x}'}\n"}},
      {.keeps_history = true});
  const Result result = inventory({.node = "n"}, session);
  const merge::History& history = *session.recorder().history();
  std::string told;
  for (const auto& path : history.explain(result.node, {"parameters"})) {
    if (path.path.pointer().starts_with("/parameters/_")) continue;
    told += path.path.pointer();
    for (const auto& one : path.contributions)
      told += " " + history.layer_name(one.layer) + ":" + std::string(to_string(one.fate));
    told += "\n";
  }
  EXPECT_EQ(told, "/parameters/x a:shadowed n:won\n/parameters/y a:merged a:shadowed n:merged\n");
}

TEST(Reclass, ManyNodesAreTheSameOnEveryNumberOfThreads) {
  Files files{{"classes/a.yml", "parameters: {l: [1], r: '${_reclass_:name:full}'}\n"}};
  for (int i = 0; i < 100; ++i) {
    files.emplace("nodes/n" + std::to_string(i) + ".yml",
                  i % 9 == 4 ? "classes: [gone]\n" : "classes: [a]\nparameters: {l: [" + std::to_string(i) + "]}\n");
  }
  const auto told = [&files](const std::shared_ptr<Executor>& executor) {
    Session session(Snapshot::make(Engine::make({.executor = executor}), memory_tree(files), {}));
    std::string out;
    ask_all(
        session, node_names({}, session),
        [](const std::string& node, Session& own) {
          return text::write_json(inventory({.node = node}, own).node.value, {.indent = -1});
        },
        [&out](Answer&& one) { out += one.name + " " + (one.failure ? one.failure->message : one.text) + "\n"; });
    return out;
  };
  const std::string expected = told(nullptr);
  EXPECT_EQ(std::ranges::count(expected, '\n'), 100 + 89);
  EXPECT_EQ(told(std::make_shared<testing::Threads>(3)), expected);
}

TEST(Reclass, MemoryDoesNotGrowWithTheNumberOfNodes) {
  Files files{{"classes/a.yml", "parameters: {l: [1]}\n"}};
  for (int i = 0; i < 100; ++i)
    files.emplace("nodes/n" + std::to_string(i) + ".yml",
                  "classes: [a]\nparameters: {l: [" + std::to_string(i) + "]}\n");
  const auto left = [&files](bool share_nodes) {
    const auto engine = Engine::make({.file_cache = 0});
    Session session(Snapshot::make(engine, memory_tree(files), {}));
    const auto ask = [share_nodes](const std::string& node, Session& own) {
      return text::write_json(
          *inventory({.settings = {.share_nodes = share_nodes}, .node = node}, own).node.value.find("parameters"),
          {.indent = -1});
    };
    std::size_t answers = 0;
    ask_all(session, node_names({}, session), ask,
            [&answers](Answer&& one) { answers += one.text.find("\"l\": [1, ") != std::string::npos ? 1 : 0; });
    EXPECT_EQ(answers, 100U);
    return engine->usage().locations;
  };
  EXPECT_LT(left(false), 200U) << "the text of the class";
  EXPECT_GT(left(true), 2000U) << "the texts of all nodes";
}

TEST(Reclass, AReferenceThatLeadsNowhereIsLookedAtOnce) {
  std::string text = "parameters: {k0: '${none}'";
  for (int i = 1; i <= 40; ++i) text += fmt::format(", k{}: '${{k{}}}'", i, i - 1);
  STRATA_EXPECT_ERROR((void)parameters("classes: [a, b]\n", {{"a.yml", text + "}\n"}, {"b.yml", text + "}\n"}}),
                      "reclass.missing");
}

TEST(Reclass, AliasesAreReadOnce) {
  std::string text = "parameters:\n  q: 1\n  a0: &a0 ['x${q}y${q}', 'x${q}']\n";
  for (int i = 1; i <= 6; ++i) {
    text += fmt::format("  a{}: &a{} [", i, i);
    for (int k = 0; k < 8; ++k) text += fmt::format("*a{}, ", i - 1);
    text += "]\n";
  }
  Limits limits;
  Stop stop;
  stop.spend({.memory = std::size_t{64} << 20U});
  limits.stop = &stop;
  Session session = testing::test_session({{"nodes/n.yml", text}, {"classes/a.yml", ""}}, {.limits = limits});
  EXPECT_EQ(inventory({.node = "n"}, session).node.value.find("parameters")->find("a6")->size(), 8U);
}

TEST(Reclass, LongListsOfNames) {
  std::string text = "applications:\n";
  for (int i = 0; i < 200'000; ++i) text += fmt::format("- {}a{}\n", i % 3 == 2 ? "~" : "", i - i % 3 / 2);
  Session session = testing::test_session({{"nodes/n.yml", text}, {"classes/a.yml", ""}});
  EXPECT_EQ(inventory({.node = "n"}, session).node.value.find("applications")->size(), 66'668U);
}

TEST(Reclass, ManyNamesOfClassesWithReferences) {
  std::string values = "parameters:\n";
  std::string names = "classes:\n- a\n";
  for (int i = 0; i < 400; ++i) {
    values += fmt::format("  v{}: y\n  m{}: {{k: 1}}\n", i, i);
    names += fmt::format("- ${{v{}}}\n", i);
  }
  EXPECT_TRUE(parameters(names, {{"a.yml", values}, {"y.yml", "parameters: {got: 1}\n"}}).ends_with(R"("got": 1})"));
  EXPECT_EQ(parameters("classes: [a, '${l:0:name}']\n",
                       {{"a.yml", "parameters: {l: [{name: y}]}\n"}, {"y.yml", "parameters: {got: 1}\n"}}),
            R"({"l": [{"name": "y"}], "got": 1})");
}

TEST(Reclass, NamesOfFilesAndFoldersThatAreLike) {
  const Files files{{"nodes/n.yml", "classes: [x.init, x]\n"},
                    {"nodes/CVS/n.yml", ""},
                    {"nodes/.git/n.yml", ""},
                    {"classes/x.init.yml", ""},
                    {"classes/x.yml", ""}};
  EXPECT_EQ(list_of(files, "n", "classes"), R"(["x.init", "x"])");
}

TEST(Reclass, TheEnvironmentMayRefer) {
  Session session = testing::test_session(
      {{"nodes/n.yml", "environment: '${p}'\nparameters: {p: dev, q: '${_reclass_:environment}'}\n"},
       {"classes/a.yml", ""}});
  const Value node = inventory({.node = "n"}, session).node.value;
  EXPECT_EQ(node.find("environment")->text(), "${p}");
  EXPECT_EQ(node.find("parameters")->find("q")->text(), "dev");
  STRATA_EXPECT_ERROR((void)parameters("environment: {a: 1}\n"), "reclass.field");
}

TEST(Reclass, ValuesThatDoubleWithEachReferenceAreLimited) {
  std::string text = "parameters:\n  p0: [1, 2]\n";
  for (int i = 1; i < 40; ++i) text += fmt::format("  p{}: ['${{p{}}}', '${{p{}}}']\n", i, i - 1, i - 1);
  STRATA_EXPECT_ERROR((void)parameters(text), "limit.result");
}

}  // namespace
}  // namespace strata::reclass
