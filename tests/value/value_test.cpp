// SPDX-License-Identifier: Apache-2.0
#include "strata/value.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "strata/builder.hpp"
#include "support/generators.hpp"

namespace strata {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(Value, IsAbsentByDefault) {
  const Value value;
  EXPECT_EQ(value.kind(), Kind::absent);
  EXPECT_FALSE(value);
  EXPECT_TRUE(Value::null());
  EXPECT_TRUE(Value::null().is_null());
}

TEST(Value, KeepsScalars) {
  Arena arena;
  EXPECT_TRUE(Value::boolean(true).as_boolean());
  EXPECT_FALSE(Value::boolean(false).as_boolean());
  EXPECT_EQ(Value::integer(INT64_MIN).as_integer(), INT64_MIN);
  EXPECT_EQ(Value::floating(0.5).as_floating(), 0.5);
  EXPECT_EQ(arena.text("").text(), "");
  EXPECT_EQ(arena.text(std::string_view("a\0b", 3)).text(), std::string_view("a\0b", 3));
  EXPECT_EQ(arena.binary("\xFF").kind(), Kind::binary);
  EXPECT_EQ(Arena::date({.year = 2001, .month = 12, .day = 14}).as_date(),
            (Date{.year = 2001, .month = 12, .day = 14}));
  const Timestamp when{.date = {.year = 1, .month = 2, .day = 3},
                       .hour = 4,
                       .minute = 5,
                       .second = 6,
                       .has_zone = true,
                       .microsecond = 7,
                       .zone_seconds = -60};
  EXPECT_EQ(arena.timestamp(when).as_timestamp(), when);
}

TEST(Value, LeavesAreScalarsAndEmptyContainers) {
  Arena arena;
  EXPECT_TRUE(Value::null().is_leaf());
  EXPECT_TRUE(arena.sequence().is_leaf());
  EXPECT_FALSE(arena.sequence(std::array{Value::null()}).is_leaf());
  EXPECT_TRUE(arena.mapping().is_leaf());
  EXPECT_TRUE(MappingBuilder::set(arena).finish().is_container());
}

TEST(Value, MarksTravelWithTheHandleOnly) {
  Arena arena;
  const Value plain = arena.text("x");
  const Value marked = plain.with_secret().with_origin({7});
  EXPECT_TRUE(marked.is_secret());
  EXPECT_EQ(marked.origin(), Origin{7});
  EXPECT_FALSE(plain.is_secret());
  EXPECT_FALSE(plain.origin());
  EXPECT_FALSE(marked.with_secret(false).is_secret());
  EXPECT_TRUE(equal(plain, marked));
}

TEST(Value, EqualityTellsKindsApart) {
  Arena arena;
  EXPECT_FALSE(equal(Value::integer(1), Value::floating(1)));
  EXPECT_FALSE(equal(Value::integer(1), Value::boolean(true)));
  EXPECT_FALSE(equal(Value::floating(1), Value::boolean(true)));
  EXPECT_FALSE(equal(arena.text("1"), Value::integer(1)));
  EXPECT_FALSE(equal(arena.text("x"), arena.binary("x")));
  EXPECT_FALSE(equal(arena.mapping(), MappingBuilder::set(arena).finish()));
  EXPECT_FALSE(equal(Value(), Value::null()));
  EXPECT_TRUE(equal(Value::floating(kNan), Value::floating(kNan)));
  EXPECT_TRUE(equal(Value::floating(0.0), Value::floating(-0.0)));
}

TEST(Value, EqualityOfMappingsIgnoresOrderAndIdentityDoesNot) {
  Arena arena;
  MappingBuilder left(arena);
  MappingBuilder right(arena);
  for (const char* key : {"a", "b"}) left.insert(key, arena.text(key));
  for (const char* key : {"b", "a"}) right.insert(key, arena.text(key));
  EXPECT_TRUE(equal(left.finish(), right.finish()));
  EXPECT_FALSE(identical(left.finish(), right.finish()));
  EXPECT_TRUE(identical(left.finish(), arena.deep_copy(left.finish())));
  MappingBuilder more = MappingBuilder::copy_of(arena, right.finish());
  more.insert("c", Value::null());
  EXPECT_FALSE(equal(left.finish(), more.finish()));
}

TEST(Value, EqualityOfMappingsTellsKeysOfTheSameAmountApart) {
  Arena arena;
  MappingBuilder left(arena, KeyEquality::python);
  MappingBuilder right(arena, KeyEquality::python);
  left.insert(Value::integer(1), Value::null());
  right.insert(Value::boolean(true), Value::null());
  EXPECT_FALSE(equal(left.finish(), right.finish()));
  EXPECT_FALSE(identical(left.finish(), right.finish()));
}

TEST(Value, FindsTextKeysInSmallAndLargeMappings) {
  Arena arena;
  for (const int size : {0, 1, 12, 13, 14, 500}) {
    MappingBuilder mapping(arena);
    for (int i = 0; i < size; ++i) mapping.insert("key" + std::to_string(i), Value::integer(i));
    for (int i = 0; i < size; ++i) {
      const std::string key = "key" + std::to_string(i);
      ASSERT_NE(mapping.find(key), nullptr) << key << " of " << size;
      EXPECT_EQ(mapping.find(key)->as_integer(), i);
      ASSERT_NE(mapping.find(arena.text(key)), nullptr);
      EXPECT_EQ(mapping.find(arena.text(key))->as_integer(), i);
    }
    EXPECT_EQ(mapping.find("other"), nullptr);
    EXPECT_EQ(mapping.find(Value::integer(1)), nullptr);
  }
}

TEST(Value, DescribesEveryKind) {
  EXPECT_EQ(describe(Kind::absent), "nothing");
  EXPECT_EQ(describe(Kind::big_integer), describe(Kind::integer));
  EXPECT_EQ(describe(Kind::mapping), "a mapping");
}

}  // namespace
}  // namespace strata
