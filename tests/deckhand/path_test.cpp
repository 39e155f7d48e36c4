// SPDX-License-Identifier: Apache-2.0
// Reading by paths: grammar and lookup.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "deckhand/path/expression.hpp"
#include "deckhand/world.hpp"

namespace strata::deckhand {
namespace {

/// Each match as `/path=value`.
Strings found(World& world, const std::string& data, const std::string& path) {
  Strings out;
  for (const Match& match : PathExpression::parse(path).find(world.yaml(data), world.rendering))
    out.push_back(match.path.pointer() + "=" + flow(match.value));
  return out;
}

struct Lookup {
  const char* data;
  const char* path;
  Strings matches;
};

class Lookups : public ::testing::TestWithParam<Lookup> {};

TEST_P(Lookups, AreThoseOfTheReference) {
  World world;
  EXPECT_EQ(found(world, GetParam().data, GetParam().path), GetParam().matches);
}

constexpr const char* kNested =
    "{a: {x: 1, y: 2}, l: [{p: 1, q: 0}, {p: 2}, 7], s: word, n: null, e: {}, 'a.b': {c: 3}, '1': one, 'k/l': 4}";

INSTANTIATE_TEST_SUITE_P(
    Grammar, Lookups,
    ::testing::Values(
        Lookup{"{a: 1}", ".", {"={\"a\": 1}"}}, Lookup{"{a: 1}", "$", {"={\"a\": 1}"}},
        Lookup{kNested, ".a.x", {"/a/x=1"}}, Lookup{kNested, "a.x", {"/a/x=1"}}, Lookup{kNested, "$.a.x", {"/a/x=1"}},
        Lookup{kNested, ".'a.b'.c", {"/a.b/c=3"}}, Lookup{kNested, ".\"a.b\".c", {"/a.b/c=3"}},
        Lookup{kNested, "$['a.b'].c", {"/a.b/c=3"}}, Lookup{kNested, ".['a.b']['c']", {"/a.b/c=3"}},
        Lookup{kNested, ".1", {"/1=\"one\""}}, Lookup{kNested, ".01", {"/1=\"one\""}},
        Lookup{kNested, ".'k\\/l'", {"/k~1l=4"}}, Lookup{kNested, ".l[0].p", {"/l/0/p=1"}},
        Lookup{kNested, ".l[-1]", {"/l/2=7"}}, Lookup{kNested, ".l[1,0].p", {"/l/1/p=2", "/l/0/p=1"}},
        Lookup{kNested, ".l[3]", {}}, Lookup{kNested, ".l[99999999999999999999]", {}},
        Lookup{kNested, ".l[*].p", {"/l/0/p=1", "/l/1/p=2"}}, Lookup{kNested, ".a.*", {"/a/x=1", "/a/y=2"}},
        Lookup{kNested, ".a.'*'", {"/a/x=1", "/a/y=2"}}, Lookup{kNested, ".a.y,x", {"/a/y=2", "/a/x=1"}},
        Lookup{kNested, ".a['y','x']", {"/a/y=2", "/a/x=1"}}, Lookup{kNested, "..p", {"/l/0/p=1", "/l/1/p=2"}},
        Lookup{kNested, ".l[1:]", {"/l/1={\"p\": 2}", "/l/2=7"}},
        Lookup{kNested, ".l[::-1]", {"/l/2=7", "/l/1={\"p\": 2}", "/l/0={\"p\": 1, \"q\": 0}"}},
        Lookup{kNested, ".l[-2:-1]", {"/l/1={\"p\": 2}"}},
        Lookup{kNested, ".l[:9:2]", {"/l/0={\"p\": 1, \"q\": 0}", "/l/2=7"}},
        Lookup{kNested, ".l[*] where q", {"/l/0={\"p\": 1, \"q\": 0}"}},
        Lookup{kNested, "$.l[0:2] wherenot q", {"/l/1={\"p\": 2}"}}, Lookup{kNested, ".(a.x)", {"/a/x=1"}},
        Lookup{kNested, ".a.`this`.x", {"/a/x=1"}}, Lookup{kNested, ".a.x.`parent`.y", {"/a/y=2"}},
        Lookup{kNested, ".a.x|y", {"/a/x=1", "/a/y=2"}}, Lookup{kNested, ".\ta . x", {"/a/x=1"}},
        Lookup{"{where: 1, 用户: 2}", ".'where'", {"/where=1"}}, Lookup{"{where: 1, 用户: 2}", ".用户", {"/用户=2"}},
        Lookup{"{'': 1}", ".''", {"/=1"}}));

INSTANTIATE_TEST_SUITE_P(Kinds, Lookups,
                         ::testing::Values(Lookup{kNested, ".s.x", {}}, Lookup{kNested, ".n.x", {}},
                                           Lookup{kNested, ".l.x", {}}, Lookup{kNested, ".n[0]", {}},
                                           Lookup{kNested, ".e[0]", {}}, Lookup{"{a: {b: 1}}", ".a[1]", {}},
                                           Lookup{kNested, ".s[1]", {"/s=\"o\""}},
                                           Lookup{"{s: añb}", ".s[-2]", {"/s=\"ñ\""}}, Lookup{kNested, ".n[*]", {}},
                                           Lookup{kNested, ".s[*]", {"/s=\"word\""}},
                                           Lookup{kNested, ".e[*]", {"/e={}"}}, Lookup{kNested, ".a[*].x", {"/a/x=1"}},
                                           Lookup{"[1, 2]", ".[1]", {"/1=2"}}, Lookup{"5", ".", {"=5"}}));

struct RefusedPath {
  const char* data;
  const char* path;
  const char* error;
};

class Refusals : public ::testing::TestWithParam<RefusedPath> {};

TEST_P(Refusals, NameThePathAndTheReason) {
  World world;
  const auto act = [&world] { (void)found(world, GetParam().data, GetParam().path); };
  EXPECT_EQ(error_of(act), GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(
    Syntax, Refusals,
    ::testing::Values(
        RefusedPath{"{}", "", "deckhand.path-syntax: the path '' is wrong at column 1: it is incomplete"},
        RefusedPath{"{}", ".a.", "deckhand.path-syntax: the path '.a.' is wrong at column 4: it is incomplete"},
        RefusedPath{"{}", ".2a", "deckhand.path-syntax: the path '.2a' is wrong at column 3: this is not allowed here"},
        RefusedPath{"{}", ".a b",
                    "deckhand.path-syntax: the path '.a b' is wrong at column 4: this is not allowed here"},
        RefusedPath{"{}", ".a/b",
                    "deckhand.path-syntax: the path '.a/b' is wrong at column 3: '/' is not allowed here in a path"},
        RefusedPath{"{}", ".é",
                    "deckhand.path-syntax: the path '.é' is wrong at column 2: 'é' is not allowed here in a path"},
        RefusedPath{"{}", ".用户.ü",
                    "deckhand.path-syntax: the path '.用户.ü' is wrong at column 5: 'ü' is not allowed here in a path"},
        RefusedPath{"{}", ".where",
                    "deckhand.path-syntax: the path '.where' is wrong at column 2: this is not allowed here"},
        RefusedPath{"{}", ".b|.a",
                    "deckhand.path-syntax: the path '.b|.a' is wrong at column 4: this is not allowed here"},
        RefusedPath{"{}", ".'a", "deckhand.path-syntax: the path '.'a' is wrong at column 2: this quote is not closed"},
        RefusedPath{"{}", ".a[b,0]",
                    "deckhand.path-syntax: the path '.a[b,0]' is wrong at column 6: this is not allowed here"},
        RefusedPath{
            "{}", ".`len`",
            "deckhand.path-syntax: the path '.`len`' is wrong at column 2: there is no operator `len`, only `this` "
            "and `parent`"},
        RefusedPath{"{}", ".*,a",
                    "deckhand.path-syntax: the path '.*,a' is wrong at column 3: this is not allowed here"}));

INSTANTIATE_TEST_SUITE_P(
    Lookup, Refusals,
    ::testing::Values(
        RefusedPath{"{a: {b: 1}}", ".a[0]", "deckhand.path-lookup: the path '.a[0]' asks for item 0 of a mapping"},
        RefusedPath{"{a: 5}", ".a[0]", "deckhand.path-lookup: the path '.a[0]' asks for an item of an integer"},
        RefusedPath{"{a: [1]}", ".a[-2]",
                    "deckhand.path-lookup: the path '.a[-2]' asks for item -2 of 1 in a sequence"},
        RefusedPath{"{a: [1]}", ".a[::0]",
                    "deckhand.path-lookup: the path '.a[::0]' asks for each item with a step of 0 of a sequence"},
        RefusedPath{
            "{a: 1}", ".a&b",
            "deckhand.path-lookup: the path '.a&b' asks for an intersection (`&`), which Deckhand does not support"},
        RefusedPath{"{a: 1}", ".`parent`",
                    "deckhand.path-lookup: the path '.`parent`' asks for what is above the root, a mapping"}));

TEST(Paths, TheFirstMatchFailsWhereALaterOneWould) {
  World world;
  const PathExpression path = PathExpression::parse(".l[*][0]");
  EXPECT_EQ(flow(path.first(world.yaml("{l: [[1], [2]]}"), world.rendering)->value), "1");
  EXPECT_THROW((void)path.first(world.yaml("{l: [[1], 5]}"), world.rendering), Error);
}

TEST(Paths, WhatIsReadKeepsItsHistory) {
  World world;
  const merge::Traced root = world.layer("{a: {b: [x, text]}}");
  const auto leaf_layers = [&](const char* path) {
    const auto read = PathExpression::parse(path).read(root, world.rendering);
    const auto history = world.history().explain(*read);
    return history.at(0).contributions.at(0);
  };
  EXPECT_EQ(world.sources.place(leaf_layers(".a.b[0]").value.origin()).to_string(), "L0:1:10");
  EXPECT_EQ(leaf_layers(".a.*[1]").fate, merge::Fate::won);
  EXPECT_EQ(leaf_layers(".a.b[1][2]").fate, merge::Fate::merged) << "a character comes from its text";
}

TEST(Paths, CostIsBounded) {
  World world(true, {.steps = 10'000});
  EXPECT_THROW((void)found(world, "[[[[[[[[1]]]]]]]]",
                           ".[0,0,0,0][0,0,0,0][0,0,0,0][0,0,0,0][0,0,0,0][0,0,0,0][0,0,0,0][0,0,0,0]"),
               Error);
  std::string deep = ".a";
  for (int i = 0; i < 1990; ++i) deep += ".`parent`..a";
  EXPECT_EQ(error_of([&] { (void)PathExpression::parse(deep); }).substr(0, 20), "deckhand.path-syntax");
  EXPECT_THROW((void)PathExpression::parse("." + std::string(200, '(') + "a" + std::string(200, ')')), Error);
  std::string wheres = ".a";
  for (int i = 0; i < 200; ++i) wheres += " where a";
  EXPECT_THROW((void)PathExpression::parse(wheres), Error);
}

TEST(Paths, MembersOfSecretsAreSecret) {
  World world(false);
  const merge::Traced root{world.yaml("{a: {b: [pw]}}").with_secret(), {}};
  for (const char* path : {".a.b", ".a.*", "..b", ".a.b[0]", ".a.b[0][1]"})
    EXPECT_TRUE(PathExpression::parse(path).read(root, world.rendering)->value.is_secret()) << path;
}

}  // namespace
}  // namespace strata::deckhand
