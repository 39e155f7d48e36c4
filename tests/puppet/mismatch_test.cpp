// SPDX-License-Identifier: Apache-2.0
// The words for a value of the wrong type. Expectations were printed by Puppet 7.23 unless a test says otherwise.
#include <gtest/gtest.h>

#include <ctime>

#include "puppet/world.hpp"
#include "strata/builder.hpp"

namespace strata::puppet {
namespace {

using testing::type;
using testing::World;

std::string why(World& world, std::string_view expected, const std::string& value) {
  return mismatch(*type(expected), world.json(value), "Found value");
}

struct MismatchCase {
  std::string_view type;
  const char* value;
  std::string_view words;  ///< After `Found value has wrong type, `.
};

TEST(Mismatch, InPuppetsWords) {
  constexpr MismatchCase kCases[] = {
      {"Integer", R"("x")", "expects an Integer value, got String"},
      {"Integer[1, 10]", "20", "expects an Integer[1, 10] value, got Integer[20, 20]"},
      {"String", "1", "expects a String value, got Integer"},
      {"String[3]", R"("x")", "expects a String[3] value, got String"},
      {"Boolean", "null", "expects a Boolean value, got Undef"},
      {"Variant[Integer, Boolean]", R"("x")", "expects a value of type Integer or Boolean, got String"},
      {"Variant[Integer, Boolean, Float]", R"("x")", "expects a value of type Integer, Boolean, or Float, got String"},
      {"Optional[Integer]", R"("x")", "expects a value of type Undef or Integer, got String"},
      {"Enum[a, b]", R"("c")", "expects a match for Enum['a', 'b'], got 'c'"},
      {"Enum[a, b]", "1", "expects a match for Enum['a', 'b'], got Integer"},
      {"Optional[Enum[a]]", R"("c")", "expects an undef value or a match for Enum['a'], got 'c'"},
      {"Pattern[/^a$/]", R"("c")", "expects a match for Pattern[/^a$/], got 'c'"},
      {"Hash[String, Array[Integer, 1]]", R"({"a": [1], "b": []})", "entry 'b' expects size to be at least 1, got 0"},
      {"Hash[String[2], Integer]", R"({"a": 1})", "key of entry 'a' expects a String[2] value, got String"},
      {"Array[Integer]", R"([1, "a"])", "index 1 expects an Integer value, got String"},
      {"Array[Integer, 1, 2]", "[1, 2, 3]", "expects size to be between 1 and 2, got 3"},
      {"Tuple[Integer, String]", "[1]", "expects size to be 2, got 1"},
      {"Tuple[Integer, String]", "[1, 2]", "index 1 expects a String value, got Integer"},
      {"Struct[{a => Integer}]", "{\"b\": 1}",
       "expects a value for key 'a'\n Found value has wrong type, unrecognized key 'b'"},
      {"Struct[{a => Struct[{b => Integer}]}]", R"({"a": {"b": "x"}})",
       "entry 'a' entry 'b' expects an Integer value, got String"},
      {"Variant[Array[Integer], Integer]", R"(["a"])",
       "variant 0 index 0 expects an Integer value, got String\n Found value has wrong type, variant 1 expects an "
       "Integer value, got Tuple"},
      {"Hash[String, Integer]", "[1]", "expects a Hash value, got Tuple"},
      {"Sensitive[Integer]", "1", "expects a Sensitive[Integer] value, got Integer"},
      {"NotUndef[Integer]", "null", "expects an Integer value, got Undef"},
      {"Variant[Integer[1, 2], Integer[3, 4]]", "9", "expects an Integer[1, 4] value, got Integer[9, 9]"},
  };
  World world;
  for (const MismatchCase& one : kCases)
    EXPECT_EQ(why(world, one.type, one.value), "Found value has wrong type, " + std::string(one.words))
        << one.type << " " << one.value;
}

TEST(Mismatch, HasWordsWherePuppetHasNone) {
  World world;
  EXPECT_EQ(why(world, "Array[Any, 2]", "[1]"), "Found value has wrong type, expects size to be at least 2, got 1");
  EXPECT_EQ(why(world, "Collection[2]", "[1]"), "Found value has wrong type, expects size to be at least 2, got 1");
}

TEST(Mismatch, KeepsSecrets) {
  Arena arena;
  for (const char* expected : {"Enum[a]", "Pattern[/a/]", "Integer[1, 2]", "Variant[Enum[a], Integer]"}) {
    EXPECT_EQ(mismatch(*type(expected), arena.text("hunter2").with_secret(), "Found value").find("hunter2"),
              std::string::npos)
        << expected;
  }
}

TEST(Mismatch, OfHostileValues) {
  std::string deep = "1";
  for (int i = 0; i < 900; ++i) deep = "[" + deep + ", {\"\": [null]}]";
  World world;
  Arena& arena = world.arena;
  SequenceBuilder nested(arena);
  nested.append(world.json(deep));
  nested.append(make_type_value(arena, type("Any")));
  const std::clock_t start = std::clock();
  EXPECT_FALSE(mismatch(*type("Data"), nested.finish(), "Found value").empty());
  MappingBuilder wide(arena);
  for (int i = 0; i < 100'000; ++i) wide.insert(arena.key(Value::integer(2 * i)), arena.text(std::to_string(i)));
  EXPECT_FALSE(mismatch(*type("Hash[String, Integer]"), wide.finish(), "Found value").empty());
  EXPECT_FALSE(mismatch(*type("Data"), wide.finish(), "Found value").empty());
  EXPECT_LT(std::clock() - start, 30 * CLOCKS_PER_SEC);  // Processor time.
}

}  // namespace
}  // namespace strata::puppet
