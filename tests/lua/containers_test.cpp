// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "script.hpp"
#include "strata/builder.hpp"
#include "support/generators.hpp"

namespace strata::lua {
namespace {

using strata::testing::show;
using testing::error_of;
using testing::run;
using testing::Script;

/// {z: 1, a: [x, {}], m: {}}
Value sample(Arena& arena) {
  SequenceBuilder inner(arena);
  inner.append(arena.text("x"));
  inner.append(arena.mapping(KeyEquality::python));
  MappingBuilder result(arena, KeyEquality::python);
  result.insert("z", Value::integer(1));
  result.insert("a", inner.finish());
  result.insert("m", arena.mapping(KeyEquality::python));
  return result.finish();
}

std::string keys_after(const std::string& change) {
  Script script("return function(v) " + change +
                " local r = {} for k in pairs(v) do r[#r + 1] = tostring(k) end return table.concat(r, ' ') end");
  return std::string(script.call({sample(script.arena)}).text());
}

TEST(Containers, PairsKeepsTheOrder) {
  EXPECT_EQ(keys_after(""), "z a m");
  EXPECT_EQ(keys_after("v.b = 1"), "z a m b");
  EXPECT_EQ(keys_after("v.z = 2"), "z a m");
  EXPECT_EQ(keys_after("v.z = nil"), "a m");
  EXPECT_EQ(keys_after("v.z = nil v.z = 3"), "a m z");
  EXPECT_EQ(keys_after("v.z = nil v.b = 1 v.z = 3 v.z = nil v.z = 4"), "a m b z");
  EXPECT_EQ(keys_after("for k in pairs(v) do v[k] = nil end"), "");
  EXPECT_EQ(keys_after("v = mapping(v) v.q = 1"), "z a m q");
}

TEST(Containers, ResultsKeepTheOrder) {
  Script script("return function(v) v.z = nil v.b = true v.z = 0 return v end");
  EXPECT_EQ(show(script.call({sample(script.arena)})), R"({"a": ["x", {}], "m": {}, "b": true, "z": 0})");
}

TEST(Containers, BehaveAsTables) {
  Script script(R"(return function(v)
    local out = {type(v), #v.a, v.a[1], next(v), next(v.m) == nil, next(v.a) == 1, v.missing == nil, kind(v), kind(v.a), v.a == v.a}
    for i, item in ipairs(v.a) do out[#out + 1] = i end
    for i, item in pairs(v.a) do out[#out + 1] = kind(item) end
    for i = 1, #out do out[i] = tostring(out[i]) end
    return table.concat(out, ' ')
  end)");
  EXPECT_EQ(script.call({sample(script.arena)}).text(),
            "table 2 x z true true true mapping sequence true 1 2 text mapping");
}

TEST(Containers, NextGivesKeyAndValue) {
  Script script("return function(v) local k, x = next(v) local k2 = next(v, k) return k .. x .. k2 end");
  EXPECT_EQ(script.call({sample(script.arena)}).text(), "z1a");
}

TEST(Containers, TableFunctionsWorkOnThem) {
  Script script(
      "return function(v) table.insert(v.a, 1, 'first') table.insert(v.a, 'last') table.remove(v.a, 3) return v.a end");
  EXPECT_EQ(show(script.call({sample(script.arena)})), R"(["first", "x", "last"])");
}

TEST(Containers, PlainTablesAreWalkedInOneOrder) {
  EXPECT_EQ(run("local r = {} for k in pairs({b = 1, a = 1, [3] = 1, [1.5] = 1, [true] = 1, [-1] = 1}) do r[#r + 1] = "
                "tostring(k) end return "
                "table.concat(r, ' ')"),
            "-1 1.5 3 a b true");
  EXPECT_EQ(run("local t = {a = 1, b = 2} for k in pairs(t) do t[k] = nil end return tostring(next(t))"), "nil");
  EXPECT_EQ(run("local r = '' for k, v in pairs(setmetatable({}, {__pairs = function() return next, {x = 1} end})) do "
                "r = r .. k end return r"),
            "x");
}

TEST(Containers, EmptyOnesKeepTheirKind) {
  EXPECT_EQ(show(Script("return function() return {mapping(), sequence()} end").call()), "[{}, []]");
  EXPECT_EQ(show(Script("return function() return {} end").call()), "[]");
  Script script("return function(v) return {a = {}, m = {}} end");
  const Value value = sample(script.arena);
  EXPECT_EQ(
      show(script.call({value}, {.incoming = value, .old = {}, .otherwise = {}, .equality = KeyEquality::python})),
      R"({"a": [], "m": {}})");
}

TEST(Containers, AreOfOneCall) {
  Script script("local kept return function(v) if kept then return kept.a end kept = v return 1 end");
  EXPECT_EQ(script.call({sample(script.arena)}).as_integer(), 1);
  EXPECT_THROW(static_cast<void>(script.call({sample(script.arena)})), Error);
}

TEST(Containers, MisusesAreErrors) {
  EXPECT_EQ(error_of("local s = sequence() s.x = 1 return s"), "lua.result");
  EXPECT_EQ(error_of("local s = sequence({1, 2}) s[1] = nil return s"), "lua.result");
  EXPECT_EQ(error_of("return {function() end}"), "lua.result");
  EXPECT_EQ(error_of("return {[{}] = 1}"), "lua.result");
  EXPECT_EQ(error_of("return '\\xff'"), "lua.result");
  EXPECT_EQ(error_of("return '\\xed\\xa0\\x80'"), "lua.result");
  EXPECT_EQ(error_of("local t = {} t[1] = t return t"), "limit.depth");
  EXPECT_EQ(error_of("local t = {} for i = 1, 60 do t = {t, t} end return t"), "limit.steps");
  EXPECT_EQ(error_of("mapping()[nil] = 1"), "lua.runtime");
}

}  // namespace
}  // namespace strata::lua
