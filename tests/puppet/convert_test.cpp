// SPDX-License-Identifier: Apache-2.0
// What `new` makes of values.
#include <gtest/gtest.h>

#include "puppet/world.hpp"
#include "strata/scalar_text.hpp"
#include "support/expect_error.hpp"

namespace strata::puppet {
namespace {

using testing::type;
using testing::World;

/// Arguments are a JSON array.
Value converted(World& world, std::string_view to, const std::string& arguments) {
  return convert(*type(to), world.json(arguments).items(), world.arena, {});
}

std::string as_json(const Value& value) {
  std::string out;
  text::append_json(out, value, {.sort_keys = false, .indent = -1});
  return out;
}

struct ConversionCase {
  std::string_view type;
  const char* arguments;
  std::string_view result;  ///< JSON, or the message of the error.
};

TEST(Convert, AsPuppetDoes) {
  constexpr ConversionCase kCases[] = {
      {"Integer", R"(["12"])", "12"},
      {"Integer", R"(["010"])", "8"},
      {"Integer", R"(["010", 10])", "10"},
      {"Integer", R"(["0xff"])", "255"},
      {"Integer", R"(["0xff", 16])", "255"},
      {"Integer", R"(["0b11"])", "3"},
      {"Integer", R"(["0b1", 16])", "177"},
      {"Integer", R"(["- 5"])", "-5"},
      {"Integer", R"(["-7", 10, true])", "7"},
      {"Integer", R"([{"from": "11", "radix": 2}])", "3"},
      {"Integer", "[3.9]", "3"},
      {"Integer", "[-3.9]", "-3"},
      {"Integer", "[1e20]", "100000000000000000000"},
      {"Integer", "[true]", "1"},
      {"Integer", R"(["99999999999999999999"])", "99999999999999999999"},
      {"Integer", R"(["0xffffffffffffffffffff"])", "1208925819614629174706175"},
      {"Optional[Integer]", R"(["5"])", "5"},
      {"Optional[Integer]", "[null]", "null"},
      {"NotUndef[Integer]", R"(["5"])", "5"},
      {"Float", R"(["1e2"])", "100.0"},
      {"Float", R"(["0x1f"])", "31.0"},
      {"Float", "[false]", "0.0"},
      {"Float", R"(["0"])", "0.0"},
      {"Numeric", R"(["1.5"])", "1.5"},
      {"Numeric", R"(["017"])", "15"},
      {"Boolean", R"(["Yes"])", "true"},
      {"Boolean", R"(["n"])", "false"},
      {"Boolean", "[0.0]", "false"},
      {"Boolean", "[7]", "true"},
      {"String", "[5]", R"("5")"},
      {"String", "[1.0]", R"("1.000000")"},
      {"String", "[null]", R"("")"},
      {"String", R"([[1, "a", null]])", R"("[1, 'a', undef]")"},
      {"String", R"([{"a": [1, null, true], "b": "it's"}])", R"("{'a' => [1, undef, true], 'b' => 'it\\'s'}")"},
      {"Array", R"(["aé"])", R"(["a", "é"])"},
      {"Array", R"([{"a": 1}])", R"([["a", 1]])"},
      {"Array", "[3]", "[0, 1, 2]"},
      {"Array", "[null, true]", "[null]"},
      {"Array", "[[1], true]", "[1]"},
      {"Tuple[String, String]", R"(["ab"])", R"(["a", "b"])"},
      {"Hash", R"([[["a", 1], ["b", 2], ["a", 3]]])", R"({"a": 3, "b": 2})"},
      {"Hash", R"([["a", 1, "b", 2]])", R"({"a": 1, "b": 2})"},
      {"Hash", "[[]]", "{}"},
      {"Hash", R"([[[["a", "b"], 1], [["a", "c"], [2]]], "tree"])", R"({"a": {"b": 1, "c": [2]}})"},
      {"Hash", R"([[[["a"], [1, 2]], [["a", 0], 9]], "tree"])", R"({"a": [9, 2]})"},
      {"Hash", R"([[[["a"], ["x", ["y"]]]], "hash_tree"])", R"({"a": {"0": "x", "1": {"0": "y"}}})"},
      {"Struct[{a => Integer}]", R"([["a", 1]])", R"({"a": 1})"},
      {"Any", R"(["x"])", R"("x")"},
  };
  World world;
  for (const ConversionCase& one : kCases)
    EXPECT_EQ(as_json(converted(world, one.type, one.arguments)), one.result) << one.type << " " << one.arguments;
}

TEST(Convert, SaysWhatCannotBe) {
  constexpr ConversionCase kCases[] = {
      {"Integer", R"(["ff", 16])", "the string 'ff' cannot be converted to Integer"},
      {"Integer", R"(["08"])", "the string '08' cannot be converted to Integer"},
      {"Integer", "[null]", "value of type Undef cannot be converted to Integer"},
      {"Integer", "[[1, 2]]", "value of type Array[Integer] cannot be converted to Integer"},
      {"Integer", R"(["5", 7])", "illegal radix: 7, expected 2, 8, 10, 16, or default"},
      {"Integer[1, 5]", R"(["9"])",
       "Converted value from Integer[1, 5].new() has wrong type, expects an Integer[1, 5] value, got Integer[9, 9]"},
      {"Float", R"(["1e+5"])", "the string '1e+5' cannot be converted to Float"},
      {"Boolean", R"(["T"])", "the string 'T' cannot be converted to Boolean"},
      {"Boolean", "[null]", "value of type Undef cannot be converted to Boolean"},
      {"Array", "[null]", "value of type Undef cannot be converted to Array"},
      {"Array", "[-1]", "value of type Integer cannot be converted to Array"},
      {"Hash", R"([["a"]])", "odd number of arguments for Hash"},
      {"Hash", "[1.5]", "value of type Float cannot be converted to Hash"},
      {"Struct[{a => Integer}]", R"([["b", 1]])",
       "Converted value from Struct[{'a' => Integer}].new() has wrong type, expects a value for key 'a'\n"
       " Converted value from Struct[{'a' => Integer}].new() has wrong type, unrecognized key 'b'"},
  };
  World world;
  for (const ConversionCase& one : kCases) {
    try {
      converted(world, one.type, one.arguments);
      ADD_FAILURE() << one.type << " " << one.arguments;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), "puppet.convert") << one.arguments;
      EXPECT_EQ(error.what(), one.result) << one.arguments;
    }
  }
}

TEST(Convert, RefusesByNameWhatItDoesNotMake) {
  World world;
  for (const char* name : {"Timestamp", "Timespan", "SemVer", "SemVerRange", "Regexp", "Binary", "URI",
                           "Variant[Integer, Float]", "Enum[a]"})
    STRATA_EXPECT_ERROR(converted(world, name, R"(["x"])"), "puppet.unsupported");
}

TEST(Convert, BoundsWhatItMakes) {
  World world;
  STRATA_EXPECT_ERROR(converted(world, "Array", "[5000000000]"), "limit.result");
  STRATA_EXPECT_ERROR(converted(world, "Array", "[99999999999999999999]"), "limit.result");
  STRATA_EXPECT_ERROR(converted(world, "Hash", R"([[[["a"], []], [["a", 999999999999], 1]], "tree"])"), "limit.result");
  STRATA_EXPECT_ERROR(converted(world, "Integer", R"(["0x)" + std::string(1'000'000, 'f') + R"("])"), "limit.result");
}

TEST(Convert, MakesSensitivesOnce) {
  World world;
  const Value secret = converted(world, "Sensitive", R"(["x"])");
  ASSERT_NE(as_sensitive(secret), nullptr);
  EXPECT_EQ(as_sensitive(secret)->value().text(), "x");
  const Value again = convert(*type("Sensitive"), {&secret, 1}, world.arena, {});
  EXPECT_EQ(as_sensitive(again), as_sensitive(secret));
  STRATA_EXPECT_ERROR(converted(world, "Sensitive[Integer]", R"(["x"])"), "puppet.convert");
}

TEST(Convert, KeepsSecretsSecret) {
  World world;
  const Value secret[] = {world.arena.text("hunter2").with_secret()};
  EXPECT_TRUE(convert(*type("Array"), secret, world.arena, {}).is_secret());
  const Value list[] = {world.arena.sequence(secret)};
  EXPECT_TRUE(convert(*type("String"), list, world.arena, {}).is_secret());
  try {
    (void)convert(*type("Integer"), secret, world.arena, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "the string '******' cannot be converted to Integer");
  }
}

TEST(Convert, KeepsTheOrigin) {
  Sources sources;
  const Origin origin = sources.add_name("node");
  Arena arena;
  const Value from[] = {arena.text("5").with_origin(origin)};
  EXPECT_EQ(convert(*type("Integer"), from, arena, {}).origin(), origin);
}

}  // namespace
}  // namespace strata::puppet
