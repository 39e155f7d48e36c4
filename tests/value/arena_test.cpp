// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "strata/builder.hpp"
#include "strata/value.hpp"
#include "support/generators.hpp"
#include "value/growable.hpp"

namespace strata {
namespace {

std::vector<std::int64_t> integers(const Value& sequence) {
  std::vector<std::int64_t> result;
  for (const Value& item : sequence.items()) result.push_back(item.as_integer());
  return result;
}

using Integers = std::vector<std::int64_t>;

TEST(Arena, IntegersStayExact) {
  Arena arena;
  EXPECT_EQ(arena.integer("0").as_integer(), 0);
  EXPECT_EQ(arena.integer("+7").as_integer(), 7);
  EXPECT_EQ(arena.integer("-0012").as_integer(), -12);
  EXPECT_EQ(arena.integer("9223372036854775807").as_integer(), INT64_MAX);
  EXPECT_EQ(arena.integer("-9223372036854775808").as_integer(), INT64_MIN);
  EXPECT_EQ(arena.integer("9223372036854775808").kind(), Kind::big_integer);
  EXPECT_EQ(arena.integer("-0009223372036854775809").text(), "-9223372036854775809");
  EXPECT_EQ(arena.integer("+00123456789012345678901234567890").text(), "123456789012345678901234567890");
}

TEST(Arena, ClearedMemoryIsUsedAgain) {
  Arena arena;
  const auto fill = [&arena] {
    SequenceBuilder list(arena);
    for (int i = 0; i < 20'000; ++i) list.append(arena.text("item " + std::to_string(i)));
    EXPECT_EQ(list.items().back().text(), "item 19999");
  };
  fill();
  const std::size_t bytes = arena.bytes();
  for (int round = 0; round < 3; ++round) {
    arena.clear();
    fill();
  }
  EXPECT_LE(arena.bytes(), 2 * bytes);
}

TEST(Arena, SequencesGrowAtBothEnds) {
  Arena arena;
  const Value sequence = Growable::sequence(arena, 0);
  Integers expected;
  for (int i = 0; i < 300; ++i) {
    const std::array<Value, 2> pair{Value::integer(-i), Value::integer(i)};
    Growable::prepend(arena, sequence, pair);
    Growable::append(arena, sequence, Value::integer(1000 + i));
    expected.insert(expected.begin(), {-i, i});
    expected.push_back(1000 + i);
  }
  EXPECT_EQ(integers(sequence), expected);
}

TEST(Arena, GrowingAtTheFrontIsLinear) {
  Arena arena;
  const Value sequence = Growable::sequence(arena, 0);
  constexpr std::size_t kItems = 100'000;
  for (std::size_t i = 0; i < kItems; ++i) {
    const Value item = Value::integer(static_cast<std::int64_t>(i));
    Growable::prepend(arena, sequence, std::span(&item, 1));
  }
  EXPECT_EQ(sequence.size(), kItems);
  EXPECT_LT(arena.bytes(), kItems * sizeof(Value) * 8);
}

TEST(Arena, SequencesMayGrowByTheirOwnItems) {
  Arena arena;
  const Value sequence = Growable::sequence(arena, 0);
  Growable::append(arena, sequence, Value::integer(1));
  Growable::append(arena, sequence, Value::integer(2));
  for (int i = 0; i < 3; ++i) Growable::append(arena, sequence, sequence.items());
  for (int i = 0; i < 2; ++i) Growable::prepend(arena, sequence, sequence.items());
  EXPECT_EQ(sequence.size(), 64U);
  for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ(sequence.items()[i].as_integer(), i % 2 == 0 ? 1 : 2);
}

TEST(Arena, ItemsAreReplacedInsertedAndErased) {
  Arena arena;
  const Value sequence = Growable::sequence(arena, 0);
  for (int i = 0; i < 5; ++i) Growable::append(arena, sequence, Value::integer(i));
  Growable::insert_at(arena, sequence, 0, Value::integer(10));
  Growable::insert_at(arena, sequence, 3, Value::integer(11));
  Growable::insert_at(arena, sequence, 7, Value::integer(12));
  EXPECT_EQ(integers(sequence), (Integers{10, 0, 1, 11, 2, 3, 4, 12}));
  Growable::erase_at(sequence, 7);
  Growable::erase_at(sequence, 3);
  Growable::erase_at(sequence, 0);
  EXPECT_EQ(integers(sequence), (Integers{0, 1, 2, 3, 4}));
  Growable::replace(sequence, 2, Value::integer(9));
  Growable::append(arena, sequence, Value::integer(5));
  EXPECT_EQ(integers(sequence), (Integers{0, 1, 9, 3, 4, 5}));
}

TEST(Arena, InsertingAKeyAgainKeepsItsPlaceAndSpelling) {
  Arena arena;
  MappingBuilder mapping(arena, KeyEquality::python);
  EXPECT_TRUE(mapping.insert(Value::integer(1).with_origin({5}), arena.text("integer")));
  EXPECT_TRUE(mapping.insert("x", Value::null()));
  EXPECT_FALSE(mapping.insert(Value::boolean(true), arena.text("boolean")));
  EXPECT_FALSE(mapping.insert(Value::floating(1), arena.text("float")));
  ASSERT_EQ(mapping.size(), 2U);
  EXPECT_EQ(mapping.entries()[0].key.kind(), Kind::integer);
  EXPECT_EQ(mapping.entries()[0].key.origin(), Origin{5});
  EXPECT_EQ(mapping.entries()[0].value.text(), "float");
}

/// Whether `left` and `right` are one key under Python's equality, in a mapping of `fill` other keys.
bool meet(const char* left, double right, int fill) {
  Arena arena;
  MappingBuilder mapping(arena, KeyEquality::python);
  for (int i = 0; i < fill; ++i) mapping.insert("fill" + std::to_string(i), Value::null());
  mapping.insert(arena.integer(left), Value::null());
  const bool forwards = mapping.find(Value::floating(right)) != nullptr;
  MappingBuilder other(arena, KeyEquality::python);
  for (int i = 0; i < fill; ++i) other.insert("fill" + std::to_string(i), Value::null());
  other.insert(Value::floating(right), Value::null());
  EXPECT_EQ(other.find(arena.integer(left)) != nullptr, forwards);
  return forwards;
}

TEST(Arena, PythonKeysCompareByAmount) {
  for (const int fill : {0, 50}) {
    EXPECT_TRUE(meet("0", 0.0, fill));
    EXPECT_TRUE(meet("0", -0.0, fill));
    EXPECT_TRUE(meet("1", 1.0, fill));
    EXPECT_TRUE(meet("-1", -1.0, fill));
    EXPECT_FALSE(meet("1", 1.5, fill));
    EXPECT_TRUE(meet("9007199254740992", 0x1p53, fill));
    EXPECT_FALSE(meet("9007199254740993", 0x1p53, fill));
    EXPECT_TRUE(meet("9223372036854775808", 0x1p63, fill));
    EXPECT_FALSE(meet("9223372036854775807", 0x1p63, fill));
    EXPECT_TRUE(meet("-9223372036854775808", -0x1p63, fill));
    EXPECT_TRUE(meet("18446744073709551616", 0x1p64, fill));
    EXPECT_FALSE(meet("18446744073709551617", 0x1p64, fill));
    EXPECT_TRUE(meet("100000000000000000000", 1e20, fill));
    EXPECT_FALSE(meet("100000000000000000000", std::numeric_limits<double>::infinity(), fill));
    EXPECT_FALSE(meet("1", std::numeric_limits<double>::quiet_NaN(), fill));
  }
}

TEST(Arena, PythonKeysOfOtherKindsDiffer) {
  Arena arena;
  MappingBuilder mapping(arena, KeyEquality::python);
  EXPECT_TRUE(mapping.insert(Value::integer(0), Value::null()));
  EXPECT_TRUE(mapping.insert("0", Value::null()));
  EXPECT_TRUE(mapping.insert(Value::null(), Value::null()));
  EXPECT_TRUE(mapping.insert(arena.binary("0"), Value::null()));
  EXPECT_FALSE(mapping.insert(Value::boolean(false), Value::null()));
  EXPECT_TRUE(mapping.insert(Value::floating(std::nan("")), Value::null()));
  EXPECT_TRUE(mapping.insert(Value::floating(std::nan("")), Value::null())) << "not-a-number is not itself";
}

TEST(Arena, ExactKeysDifferByKind) {
  Arena arena;
  MappingBuilder mapping(arena, KeyEquality::exact);
  EXPECT_TRUE(mapping.insert(Value::integer(1), Value::null()));
  EXPECT_TRUE(mapping.insert(Value::floating(1), Value::null()));
  EXPECT_TRUE(mapping.insert(Value::boolean(true), Value::null()));
  EXPECT_FALSE(mapping.insert(Value::integer(1), Value::null()));
  const Value list = arena.sequence(std::array{Value::integer(1)});
  EXPECT_TRUE(mapping.insert(list, Value::null()));
  EXPECT_FALSE(mapping.insert(arena.deep_copy(list), Value::null()));
}

TEST(Arena, EntriesAreKeptErasedAndFoundAgain) {
  for (const std::size_t size : {std::size_t{6}, std::size_t{100}}) {
    Arena arena;
    const Value mapping = Growable::mapping(arena, KeyEquality::exact, 0);
    for (std::size_t i = 0; i < size; ++i)
      Growable::insert(arena, mapping, arena.key(std::to_string(i)), Value::integer(static_cast<std::int64_t>(i)));
    std::array<bool, 100> keep{};
    for (std::size_t i = 0; i < size; ++i) keep.at(i) = i % 3 != 0;
    Growable::keep_entries(arena, mapping, std::span(keep).first(size));
    for (std::size_t i = 0; i < size; ++i) EXPECT_EQ(mapping.find(std::to_string(i)) != nullptr, i % 3 != 0);
    EXPECT_TRUE(Growable::erase(arena, mapping, arena.key("1")));
    EXPECT_FALSE(Growable::erase(arena, mapping, arena.key("1")));
    EXPECT_EQ(mapping.find("1"), nullptr);
    EXPECT_EQ(mapping.entries()[0].value.as_integer(), 2);
    EXPECT_EQ(Arena::index_of(mapping, arena.text("2")), 0U);
    EXPECT_EQ(Arena::index_of(mapping, arena.text("3")), Arena::npos);
    EXPECT_TRUE(Growable::insert(arena, mapping, arena.key("3"), Value::null()));
    EXPECT_TRUE(mapping.entries().back().value.is_null());
    Growable::replace_entry(mapping, 0, Value::boolean(true));
    EXPECT_TRUE(mapping.find("2")->as_boolean());
  }
}

TEST(Arena, MappingsOfDistinctKeysAreThoseOfInsertedEntries) {
  for (const std::size_t size : {0U, 1U, 2U, 12U, 13U, 14U, 100U, 5000U}) {
    Arena arena;
    std::vector<Entry> entries;
    MappingBuilder inserted(arena);
    for (std::size_t i = 0; i < size; ++i) {
      entries.push_back({arena.key("key" + std::to_string(i)), Value::integer(static_cast<std::int64_t>(i))});
      inserted.insert(entries.back().key, entries.back().value);
    }
    const Value made = arena.mapping_of_distinct(entries, KeyEquality::exact);
    // Few keys with some equal bits of their hashes go the long way, too.
    if (size <= 12 && !made) continue;
    ASSERT_TRUE(made);
    EXPECT_TRUE(identical(made, inserted.finish()));
    for (const Entry& entry : entries) EXPECT_EQ(made.find(entry.key)->as_integer(), entry.value.as_integer());
    EXPECT_EQ(made.find("other"), nullptr);
    if (size == 0) continue;
    // Another copy of one of the keys.
    entries.push_back({arena.key("key" + std::to_string(size / 2)), Value::null()});
    EXPECT_FALSE(arena.mapping_of_distinct(entries, KeyEquality::exact));
  }
}

class Pattern final : public Object {
 public:
  explicit Pattern(bool& alive) : alive_(alive) { alive_ = true; }
  ~Pattern() override { alive_ = false; }
  Pattern(const Pattern&) = delete;
  Pattern& operator=(const Pattern&) = delete;
  [[nodiscard]] std::string to_string() const override { return "/x/"; }
  [[nodiscard]] bool equals(const Object& other) const override { return this == &other; }
  [[nodiscard]] std::size_t hash() const override { return 1; }

 private:
  bool& alive_;
};

TEST(Arena, DeepCopiesOutliveTheirArena) {
  bool alive = false;
  Arena kept;
  Value copy;
  {
    Arena gone;
    MappingBuilder set = MappingBuilder::set(gone, KeyEquality::python);
    set.insert("member", Value::null());
    MappingBuilder mapping(gone);
    mapping.insert("set", set.finish().with_secret().with_origin({9}));
    mapping.insert("pattern", gone.object(std::make_shared<Pattern>(alive)));
    mapping.insert("when", gone.timestamp({.date = {.year = 2000}}));
    mapping.insert("big", gone.integer("99999999999999999999"));
    copy = kept.deep_copy(mapping.finish());
  }
  EXPECT_TRUE(alive);
  EXPECT_EQ(
      testing::show(copy),
      R"({"set": !set {"member": null}, "pattern": !object /x/, "when": !timestamp 2000-01-01T00:00:00, "big": 99999999999999999999})");
  EXPECT_TRUE(copy.find("set")->is_secret());
  EXPECT_EQ(copy.find("set")->origin(), Origin{9});
  EXPECT_EQ(Arena::equality(*copy.find("set")), KeyEquality::python);
}

TEST(Arena, FreesItsObjects) {
  bool alive = false;
  {
    Arena arena;
    EXPECT_TRUE(arena.object(std::make_shared<Pattern>(alive)));
    EXPECT_TRUE(alive);
  }
  EXPECT_FALSE(alive);
}

TEST(Arena, OwnersAreKeptAContainer) {
  Arena arena;
  for (const Value& container : {arena.sequence(), arena.mapping(), MappingBuilder::set(arena).finish()}) {
    EXPECT_EQ(Growable::owner(container), nullptr);
    const void* owner = Growable::new_owner(arena);
    Growable::set_owner(container, owner);
    EXPECT_EQ(Growable::owner(container), owner);
    EXPECT_NE(Growable::new_owner(arena), owner);
    EXPECT_EQ(Growable::owner(Growable::copy(arena, container)), nullptr);
  }
}

TEST(Arena, LargeNodesGetAChunkOfTheirOwn) {
  Arena arena;
  const Value before = arena.text("before");
  const std::string large(3'000'000, 'x');
  const Value text = arena.text(large);
  const Value after = arena.text("after");
  EXPECT_EQ(before.text(), "before");
  EXPECT_EQ(text.text(), large);
  EXPECT_EQ(after.text(), "after");
  EXPECT_LT(arena.bytes(), 3'100'000U);
}

}  // namespace
}  // namespace strata
