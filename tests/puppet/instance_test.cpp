// SPDX-License-Identifier: Apache-2.0
// What is a member of which type.
#include <gtest/gtest.h>

#include "puppet/world.hpp"

namespace strata::puppet {
namespace {

using testing::type;
using testing::World;

struct InstanceCase {
  std::string_view type;
  const char* value;
  bool member;
};

TEST(Instance, AsPuppetAnswers) {
  constexpr InstanceCase kCases[] = {
      {"Data", R"({"a": [1, null, {"b": "x"}]})", true},
      {"Data", "null", true},
      {"Scalar", "null", false},
      {"ScalarData", "1.5", true},
      {"Numeric", "99999999999999999999", true},
      {"Integer[1, 5]", "5", true},
      {"Integer[1, 5]", "6", false},
      {"Integer[1]", "99999999999999999999", true},
      {"Integer[default, 1]", "-99999999999999999999", true},
      {"Integer[default, 1]", "99999999999999999999", false},
      {"Integer", "1.0", false},
      {"Float[1.0, 2.0]", "2.0", true},
      {"Float", "1", false},
      {"Boolean[true]", "false", false},
      {"String[2, 3]", R"("éé")", true},
      {"String[2, 3]", R"("é")", false},
      {"String['x']", R"("x")", true},
      {"String['x']", R"("y")", false},
      {"Enum[a, b]", R"("A")", false},
      {"Enum[a, b, true]", R"("A")", true},
      {"Pattern[/^a+$/]", R"("aa")", true},
      {"Pattern[/^a+$/, /b/]", R"("xbx")", true},
      {"Pattern[/^a+$/]", R"("ab")", false},
      {"Array[Integer, 1]", "[]", false},
      {"Array[Integer]", R"([1, "a"])", false},
      {"Hash[String[1], Integer]", R"({"": 1})", false},
      {"Hash[String, Integer, 0, 1]", R"({"a": 1, "b": 2})", false},
      {"Collection[2]", R"({"a": 1, "b": 2})", true},
      {"Tuple[Integer, String]", R"([1, "a"])", true},
      {"Tuple[Integer, String]", "[1]", false},
      {"Tuple[Integer, String, 1, 4]", R"([1, "a", "b"])", true},
      {"Struct[{a => Integer, Optional[b] => String}]", R"({"a": 1})", true},
      {"Struct[{a => Integer}]", R"({"a": 1, "b": 2})", false},
      {"Struct[{a => Optional[Integer]}]", "{}", true},
      {"Struct[{NotUndef[a] => Optional[Integer]}]", "{}", false},
      {"Variant[Integer, Undef]", "null", true},
      {"Variant", "null", false},
      {"Optional[Integer]", R"("x")", false},
      {"NotUndef", "null", false},
      {"Iterable", "-1", false},
      {"Iterable", "3", true},
      {"Iterable[Integer]", "[1, 2]", true},
      {"Iterable[Integer]", R"(["a"])", false},
      {"Callable", R"("x")", false},
      {"CatalogEntry", R"("x")", false},
  };
  World world;
  for (const InstanceCase& one : kCases)
    EXPECT_EQ(is_instance(*type(one.type), world.json(one.value)), one.member) << one.type << " " << one.value;
}

TEST(Instance, OfTypesOfObjects) {
  World world;
  const Value secret = make_sensitive(world.arena, world.json("[1]"));
  EXPECT_TRUE(is_instance(*type("Sensitive[Array[Integer]]"), secret));
  EXPECT_FALSE(is_instance(*type("Sensitive[String]"), secret));
  EXPECT_TRUE(is_instance(*type("RichData"), secret));
  EXPECT_FALSE(is_instance(*type("Data"), secret));
  const Value named = make_type_value(world.arena, type("Integer[1, 2]"));
  EXPECT_TRUE(is_instance(*type("Type[Numeric]"), named));
  EXPECT_FALSE(is_instance(*type("Type[String]"), named));
  EXPECT_TRUE(is_instance(*type("Iterable"), named));
  EXPECT_FALSE(is_instance(*type("Data"), named));
}

TEST(Instance, SensitiveOutlivesWhatItWasMadeOf) {
  Arena arena;
  Value secret;
  {
    World world;
    secret = make_sensitive(arena, world.json(R"(["only me"])"));
  }
  EXPECT_TRUE(secret.is_secret());
  EXPECT_EQ(as_sensitive(secret)->value().items()[0].text(), "only me");
  EXPECT_EQ(secret.as_object().to_string(), "Sensitive [value redacted]");
  EXPECT_TRUE(equal(secret, make_sensitive(arena, as_sensitive(secret)->value())));
  EXPECT_FALSE(equal(secret, make_sensitive(arena, Value::null())));
}

TEST(Instance, OfDeepValues) {
  std::string deep = "1";
  for (int i = 0; i < 900; ++i) deep = "[" + deep + "]";
  World world;
  const Value value = world.json(deep);
  EXPECT_TRUE(is_instance(*type("Data"), value));
  EXPECT_TRUE(is_instance(*infer(value), value));
}

}  // namespace
}  // namespace strata::puppet
