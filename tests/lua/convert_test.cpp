// SPDX-License-Identifier: Apache-2.0
// Values to Lua and back: docs/cloud-init/custom-mergers.md, "Values in Lua".

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <algorithm>
#include <cmath>

#include <cstring>

#include "script.hpp"
#include "strata/builder.hpp"
#include "support/generators.hpp"

namespace strata::lua {
namespace {

using strata::testing::Sample;
using strata::testing::show;
using testing::Script;

bool same_node(const Value& left, const Value& right) { return std::memcmp(&left, &right, sizeof(Value)) == 0; }

/// Touches everything: whatever is lazy is filled.
constexpr const char* kWalk = R"(
local function walk(v)
  if type(v) ~= "table" then return v end
  for k, item in pairs(v) do walk(item) end
  return v
end
return walk)";

/// Makes everything anew, in tables of the script.
constexpr const char* kCopy = R"(
local function copy(v)
  if type(v) ~= "table" then return v end
  local made = kind(v) == "mapping" and mapping() or sequence()
  for k, item in pairs(v) do made[k] = copy(item) end
  return made
end
return copy)";

RC_GTEST_PROP(LuaConvert, UnchangedValuesComeBackAsTheyAre, (const Sample& sample)) {
  Script script("return function(v) return v end");
  const Origins origins{.incoming = sample.value, .old = {}, .otherwise = {}, .equality = KeyEquality::python};
  RC_ASSERT(same_node(script.call({sample.value}, origins), sample.value));
}

/// Lua has no not-a-number among its keys, and a mapping that compares keys as Python does may have several.
bool holds_nan_key(const Value& value) {
  if (value.is_sequence()) return std::ranges::any_of(value.items(), holds_nan_key);
  return value.is_container() && std::ranges::any_of(value.entries(), [](const Entry& entry) {
           return (entry.key.kind() == Kind::floating && std::isnan(entry.key.as_floating())) ||
                  holds_nan_key(entry.value);
         });
}

RC_GTEST_PROP(LuaConvert, LookingChangesNothing, (const Sample& sample)) {
  RC_PRE(!holds_nan_key(sample.value));
  Script script(kWalk);
  const Value result = script.call({sample.value});
  RC_ASSERT(identical(result, sample.value));
  if (sample.value.is_container()) RC_ASSERT(same_node(result, sample.value));
}

RC_GTEST_PROP(LuaConvert, CopiesAreIdentical, (const Sample& sample)) {
  RC_PRE(!holds_nan_key(sample.value));
  Script script(kCopy);
  RC_ASSERT(identical(
      script.call({sample.value}, {.incoming = {}, .old = {}, .otherwise = {}, .equality = KeyEquality::python}),
      sample.value));
}

class Kinds : public ::testing::Test {
 protected:
  std::string ask(const std::string& expression, const Value& value) {
    Script script("return function(v) return tostring(" + expression + ") end");
    return std::string(script.call({value}).text());
  }
  Arena arena;
};

TEST_F(Kinds, NumbersStayDistinct) {
  EXPECT_EQ(ask("kind(v)", Value::integer(1)), "integer");
  EXPECT_EQ(ask("kind(v)", Value::floating(1.0)), "float");
  EXPECT_EQ(ask("v", Value::integer(INT64_MIN)), "-9223372036854775808");
  EXPECT_EQ(ask("kind(v) .. tostring(v)", arena.integer("123456789012345678901234567890")),
            "integer123456789012345678901234567890");
}

TEST_F(Kinds, OpaqueValuesPrintAndCompare) {
  const Value date = Arena::date({.year = 2001, .month = 12, .day = 14});
  EXPECT_EQ(ask("v", date), "2001-12-14");
  EXPECT_EQ(ask("kind(v)", date), "date");
  EXPECT_EQ(ask("kind(v)", arena.binary("\xff")), "binary");
  EXPECT_EQ(ask("kind(v)", MappingBuilder::set(arena).finish()), "set");
  SequenceBuilder pair(arena);
  pair.append(arena.integer("123456789012345678901"));
  pair.append(arena.integer("123456789012345678901"));
  pair.append(arena.integer("123456789012345678902"));
  EXPECT_EQ(ask("v[1] == v[2] and v[1] ~= v[3] and ({[v[1]] = 'k'})[v[2]]", pair.finish()), "k");
  SequenceBuilder sets(arena);
  for (int i = 0; i < 2; ++i) {
    MappingBuilder set = MappingBuilder::set(arena);
    set.insert(arena.key("a"), Value::null());
    sets.append(set.finish());
  }
  EXPECT_EQ(ask("v[1] == v[2]", sets.finish()), "true");
}

TEST_F(Kinds, NullIsNull) {
  EXPECT_EQ(ask("v == null", Value::null()), "true");
  EXPECT_EQ(ask("kind(v) .. tostring(v)", Value::null()), "nullnull");
  EXPECT_TRUE(Script("return function() return null end").call().is_null());
}

TEST_F(Kinds, KeysThatAreEqualInLuaStayApart) {
  MappingBuilder mapping(arena, KeyEquality::exact);
  mapping.insert(arena.key(Value::integer(1)), arena.text("integer"));
  mapping.insert(arena.key(Value::floating(1.0)), arena.text("float"));
  mapping.insert(arena.key(arena.text("1")), arena.text("text"));
  mapping.insert(arena.key(Value::boolean(true)), arena.text("boolean"));
  mapping.insert(arena.key(Value::null()), arena.text("null"));
  EXPECT_EQ(ask("v[1] .. v['1'] .. v[true] .. v[null]", mapping.finish()), "integertextbooleannull");
  Script script("return function(v) v.more = 1 return v end");
  EXPECT_EQ(show(script.call({mapping.finish()})),
            R"({1: "integer", 1.0: "float", "1": "text", true: "boolean", null: "null", "more": 1})");
}

class Places : public ::testing::Test {
 protected:
  Places()
      : old_source(sources().add("old", std::string(100, ' '))),
        new_source(sources().add("new", std::string(100, ' '))) {}
  Sources& sources() { return keeper.sources; }
  Origin old_at(std::size_t offset) { return sources().at(old_source, offset); }
  Origin new_at(std::size_t offset) { return sources().at(new_source, offset); }
  std::string place(const Value& value) { return sources().place(value.origin()).to_string(); }
  Value list(std::initializer_list<const char*> items, bool is_old) {
    SequenceBuilder result(arena);
    std::size_t offset = 0;
    for (const char* item : items) {
      ++offset;
      result.append(arena.text(item).with_origin(is_old ? old_at(offset) : new_at(offset)));
    }
    return result.finish().with_origin(is_old ? old_at(0) : new_at(0));
  }
  Value call(const std::string& body, const Value& old, const Value& incoming) {
    scripts.push_back(std::make_unique<Script>("return function(old, new) " + body + " end"));
    return scripts.back()->call(
        {old, incoming},
        {.incoming = incoming, .old = old, .otherwise = incoming.origin(), .equality = KeyEquality::python});
  }

  Script keeper{"return function() return 1 end"};
  SourceId old_source;
  SourceId new_source;
  Arena arena;
  std::vector<std::unique_ptr<Script>> scripts;
};

TEST_F(Places, ElementsAreFoundWhereTheyWere) {
  const Value result = call("for _, x in ipairs(new) do old[#old + 1] = x end return old", list({"a", "b"}, true),
                            list({"c", "d"}, false));
  ASSERT_EQ(show(result), R"(["a", "b", "c", "d"])");
  EXPECT_EQ(place(result.items()[0]), "old:1:2");
  EXPECT_EQ(place(result.items()[1]), "old:1:3");
  EXPECT_EQ(place(result.items()[2]), "new:1:2");
  EXPECT_EQ(place(result.items()[3]), "new:1:3");
  EXPECT_EQ(place(result), "new:1:1") << "the last contribution";
}

TEST_F(Places, WhatIsMadeStandsAtTheNewValue) {
  const Value result = call("return {old[1] .. new[1]}", list({"a"}, true), list({"b"}, false));
  EXPECT_EQ(place(result.items()[0]), "new:1:1");
}

TEST_F(Places, IncomingIsLikelierThanOld) {
  const Value result = call("return {'same'}", list({"same"}, true), list({"same"}, false));
  EXPECT_EQ(place(result.items()[0]), "new:1:2");
}

TEST_F(Places, PlainMappingsTakeTheOrderOfOldThenNew) {
  MappingBuilder old(arena, KeyEquality::python);
  old.insert(arena.key("z").with_origin(old_at(1)), Value::integer(1).with_origin(old_at(2)));
  old.insert(arena.key("y").with_origin(old_at(3)), Value::integer(2).with_origin(old_at(4)));
  MappingBuilder incoming(arena, KeyEquality::python);
  incoming.insert(arena.key("c").with_origin(new_at(1)), Value::integer(3).with_origin(new_at(2)));
  incoming.insert(arena.key("y").with_origin(new_at(3)), Value::integer(4).with_origin(new_at(4)));
  const Value result =
      call("local r = {a = true} for _, t in ipairs({old, new}) do for k, v in pairs(t) do r[k] = v end end return r",
           old.finish(), incoming.finish());
  ASSERT_EQ(show(result), R"({"z": 1, "y": 4, "c": 3, "a": true})");
  EXPECT_EQ(place(*result.find("z")), "old:1:3");
  EXPECT_EQ(place(*result.find("y")), "new:1:5");
  EXPECT_EQ(place(result.entries()[2].key), "new:1:2");
}

TEST_F(Places, SecretsStaySecret) {
  const Value old = list({"a"}, true);
  SequenceBuilder secret(arena);
  secret.append(arena.text("hidden").with_secret());
  EXPECT_TRUE(call("return new[1] .. '!'", old, secret.finish()).is_secret());
  EXPECT_FALSE(call("return old[1] .. '!'", old, old).is_secret());
}

}  // namespace
}  // namespace strata::lua
