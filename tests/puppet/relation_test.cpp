// SPDX-License-Identifier: Apache-2.0
// Which type is wide enough for another, and what the types of values are.
#include <gtest/gtest.h>

#include "puppet/world.hpp"
#include "strata/builder.hpp"

namespace strata::puppet {
namespace {

using testing::type;
using testing::World;

struct RelationCase {
  std::string_view wide;
  std::string_view narrow;
  bool holds;
};

TEST(Assignable, AsPuppetAnswers) {
  constexpr RelationCase kCases[] = {
      {"Numeric", "Integer[1, 2]", true},
      {"Integer[1, 5]", "Integer[2, 6]", false},
      {"Data", "Data", true},
      {"RichData", "Data", true},
      {"Data", "RichData", false},
      {"Data", "Hash[String, Array[Integer]]", true},
      {"Data", "Hash[Integer, Integer]", false},
      {"Array[Data]", "Tuple[Integer, String]", true},
      {"Tuple[Integer, Integer]", "Array[Integer, 2, 2]", true},
      {"Tuple[Integer, Integer]", "Array[Integer]", false},
      {"Hash[String, Integer]", "Struct[{a => Integer}]", true},
      {"Struct[{Optional[a] => Integer}]", "Hash[String, Integer, 0, 1]", true},
      {"Struct[{a => Integer}]", "Struct[{Optional[a] => Integer}]", false},
      {"Variant[Integer, String]", "Variant[String, Integer[1, 2]]", true},
      {"Optional[Integer]", "Undef", true},
      {"Integer", "Optional[Integer]", false},
      {"NotUndef", "Optional[Integer]", false},
      {"NotUndef", "Integer", true},
      {"String", "Enum[a, b]", true},
      {"String[2]", "Enum[a, bb]", false},
      {"Enum[a, b]", "Enum[a]", true},
      {"Enum[a]", "Enum[a, true]", false},
      {"Pattern[/a/]", "Enum[ab, ba]", true},
      {"Pattern[/a/]", "Enum[ab, b]", false},
      {"Type[Numeric]", "Type[Integer]", true},
      {"Iterable[Integer]", "Array[Integer]", true},
      {"Callable[Integer]", "Callable[Numeric]", true},
      {"Callable[Numeric]", "Callable[Integer]", false},
      {"CatalogEntry", "Class[a]", true},
      {"Resource['file']", "Resource['File', 'x']", true},
      {"Any", "Variant", true},
      {"Variant", "Data", true},
      {"Optional[a]", "Enum[b]", false},  // Puppet looks at the number of texts only.
  };
  for (const RelationCase& one : kCases)
    EXPECT_EQ(is_assignable(*type(one.wide), *type(one.narrow)), one.holds) << one.wide << " " << one.narrow;
}

struct Inferred {
  const char* value;
  std::string_view type;
  std::string_view general;
  std::string_view detailed;
};

TEST(Infer, AsPuppetNamesTypes) {
  constexpr Inferred kCases[] = {
      {"null", "Undef", "Undef", "Undef"},
      {"5", "Integer[5, 5]", "Integer", "Integer[5, 5]"},
      {"99999999999999999999", "Integer[99999999999999999999, 99999999999999999999]", "Integer",
       "Integer[99999999999999999999, 99999999999999999999]"},
      {R"([1, "a"])", "Array[ScalarData, 2, 2]", "Array[ScalarData]", "Tuple[Integer[1, 1], String]"},
      {R"(["a", "bc", "a"])", "Array[Enum['a', 'bc'], 3, 3]", "Array[String[1, 2]]", "Tuple[String, String, String]"},
      {"[1, 2.5]", "Array[Numeric, 2, 2]", "Array[Numeric]", "Tuple[Integer[1, 1], Float[2.5, 2.5]]"},
      {"[[1], [3, 2]]", "Array[Array[Integer[1, 3]], 2, 2]", "Array[Array[Integer]]",
       "Tuple[Tuple[Integer[1, 1]], Tuple[Integer[3, 3], Integer[2, 2]]]"},
      {"[1, [2]]", "Array[Data, 2, 2]", "Array[Data]", "Tuple[Integer[1, 1], Tuple[Integer[2, 2]]]"},
      {R"([{}, {"x": null}])", "Array[Hash[String, Unit], 2, 2]", "Array[Hash[String, Unit]]",
       "Tuple[Hash[0, 0], Struct[{NotUndef['x'] => Undef}]]"},
      {"[]", "Array[0, 0]", "Array[Unit]", "Array[0, 0]"},
      {R"({"a": 1})", "Hash[String, Integer[1, 1], 1, 1]", "Hash[String, Integer]", "Struct[{'a' => Integer[1, 1]}]"},
  };
  World world;
  for (const Inferred& one : kCases) {
    const TypeRef inferred = infer(world.json(one.value));
    EXPECT_EQ(to_string(*inferred), one.type) << one.value;
    EXPECT_EQ(to_string(*generalize(inferred)), one.general) << one.value;
    EXPECT_EQ(to_string(*infer_detailed(world.json(one.value))), one.detailed) << one.value;
  }
}

TEST(Infer, TakesAsLongAsTheValueIs) {
  // Joining the types of texts one by one would take the square of their number.
  Arena arena;
  SequenceBuilder many(arena);
  for (int i = 0; i < 50'000; ++i) many.append(arena.text(std::to_string(i)));
  EXPECT_EQ(to_string(*generalize(infer(many.finish()))), "Array[String[1, 5]]");
}

TEST(Infer, TellsNothingAboutSecrets) {
  World world;
  EXPECT_EQ(to_string(*infer(world.json("5").with_secret())), "Integer");
  EXPECT_EQ(to_string(*infer(world.arena.text("x").with_secret())), "String");
  EXPECT_EQ(to_string(*infer_detailed(world.json(R"({"pin": 1})").with_secret())), "Hash");
  EXPECT_EQ(to_string(*infer(make_sensitive(world.arena, world.json("5")))), "Sensitive[Integer]");
}

}  // namespace
}  // namespace strata::puppet
