// SPDX-License-Identifier: Apache-2.0
#include "strata/builder.hpp"

#include <gtest/gtest.h>

#include <array>
#include <ostream>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "support/generators.hpp"
#include "value/with_text_keys.hpp"

namespace strata {
namespace {

using testing::show;

static_assert(!std::is_copy_constructible_v<SequenceBuilder> && std::is_nothrow_move_constructible_v<SequenceBuilder>);
static_assert(!std::is_copy_constructible_v<MappingBuilder> && std::is_nothrow_move_constructible_v<MappingBuilder>);
static_assert(std::is_trivially_destructible_v<SequenceBuilder> && std::is_trivially_destructible_v<MappingBuilder>);

#ifndef __clang__  // Clang 14 does not look at access in constraints.
template <class Container>
concept Grows = requires(Arena& arena, const Container& container, const Value& value) {
  arena.append(container, value);
}
|| requires(Arena& arena, const Container& container, const Value& value) { arena.insert(container, value, value); }
|| requires(Arena& arena, const Container& container) { arena.replace(container, std::size_t{0}, container); }
|| requires(Arena& arena, const Container& container) { arena.erase(container, container); };
static_assert(!Grows<Value>, "what is made never changes again");
#endif

TEST(SequenceBuilder, AppendsAndReplaces) {
  Arena arena;
  SequenceBuilder builder(arena, 2);
  EXPECT_EQ(builder.size(), 0U);
  for (int i = 0; i < 100; ++i) builder.append(Value::integer(i));
  builder.append(std::array{Value::null(), Value::boolean(true)});
  builder.append(std::span<const Value>());
  builder.replace(0, arena.text("first"));
  EXPECT_EQ(builder.items()[0].text(), "first");
  ASSERT_EQ(builder.size(), 102U);
  const Value made = builder.finish();
  ASSERT_EQ(made.size(), 102U);
  EXPECT_EQ(made.items()[99].as_integer(), 99);
  EXPECT_TRUE(made.items()[101].as_boolean());
  EXPECT_EQ(builder.items().data(), made.items().data()) << "a builder may be read after it finished";
}

TEST(SequenceBuilder, AppendsItsOwnItems) {
  Arena arena;
  SequenceBuilder builder(arena);
  builder.append(Value::integer(1));
  for (int i = 0; i < 3; ++i) builder.append(builder.items());
  EXPECT_EQ(show(builder.finish()), "[1, 1, 1, 1, 1, 1, 1, 1]");
}

TEST(SequenceBuilder, CopiesGrowOnTheirOwn) {
  Arena arena;
  const Value original = arena.sequence(std::array{Value::integer(1)}).with_origin({4}).with_secret();
  SequenceBuilder builder = SequenceBuilder::copy_of(arena, original, 1);
  builder.append(Value::integer(2));
  builder.replace(0, Value::integer(3));
  const Value copy = builder.finish();
  EXPECT_EQ(show(original), "[1]");
  EXPECT_EQ(show(copy), "[3, 2]");
  EXPECT_EQ(copy.origin(), Origin{4});
  EXPECT_TRUE(copy.is_secret());
}

TEST(SequenceBuilder, MovesWithoutCopying) {
  Arena arena;
  std::vector<SequenceBuilder> builders;
  for (int i = 0; i < 20; ++i) {
    builders.emplace_back(arena).append(Value::integer(i));
    for (SequenceBuilder& builder : builders) builder.append(Value::integer(100));
  }
  EXPECT_EQ(show(builders[18].finish()), "[18, 100, 100]");
  builders[0] = SequenceBuilder(arena);
  EXPECT_EQ(builders[0].size(), 0U);
}

TEST(MappingBuilder, InsertsReplacesAndErases) {
  for (const int size : {3, 100}) {
    Arena arena;
    MappingBuilder builder(arena);
    for (int i = 0; i < size; ++i) EXPECT_TRUE(builder.insert(std::to_string(i), Value::integer(i)));
    EXPECT_FALSE(builder.insert("1", arena.text("again")));
    EXPECT_EQ(builder.find("1")->text(), "again");
    EXPECT_EQ(builder.find(arena.text("1"))->text(), "again");
    EXPECT_EQ(builder.index_of(arena.key("1")), 1U);
    EXPECT_EQ(builder.index_of(arena.key("x")), Arena::npos);
    builder.replace(1, Value::null());
    EXPECT_TRUE(builder.find("1")->is_null());
    EXPECT_TRUE(builder.erase("0"));
    EXPECT_FALSE(builder.erase("0"));
    EXPECT_TRUE(builder.erase(arena.key("1")));
    EXPECT_EQ(builder.find("0"), nullptr);
    EXPECT_EQ(builder.size(), static_cast<std::size_t>(size - 2));
    const Value made = builder.finish();
    EXPECT_EQ(made.kind(), Kind::mapping);
    EXPECT_EQ(Arena::equality(made), KeyEquality::exact);
    EXPECT_EQ(made.entries()[0].key.text(), "2");
  }
}

TEST(MappingBuilder, KeepsItsKeyEquality) {
  Arena arena;
  MappingBuilder builder(arena, KeyEquality::python, 4);
  EXPECT_TRUE(builder.insert(Value::integer(1), Value::null()));
  EXPECT_FALSE(builder.insert(Value::boolean(true), Value::integer(2)));
  EXPECT_EQ(show(builder.finish()), "{1: 2}");
}

TEST(MappingBuilder, MakesSets) {
  Arena arena;
  MappingBuilder builder = MappingBuilder::set(arena, KeyEquality::python);
  builder.insert("a", Value::null());
  const Value made = builder.finish();
  EXPECT_EQ(made.kind(), Kind::set);
  EXPECT_EQ(Arena::equality(made), KeyEquality::python);
  MappingBuilder more = MappingBuilder::copy_of(arena, made);
  more.insert("b", Value::null());
  EXPECT_EQ(show(more.finish()), R"(!set {"a": null, "b": null})");
}

TEST(MappingBuilder, CopiesGrowOnTheirOwn) {
  for (const int size : {3, 40}) {
    Arena arena;
    MappingBuilder builder(arena, KeyEquality::python);
    for (int i = 0; i < size; ++i) builder.insert(std::to_string(i), Value::integer(i));
    const Value original = builder.finish();
    MappingBuilder more = MappingBuilder::copy_of(arena, original.with_origin({3}), 10);
    more.insert("new", Value::null());
    more.insert("0", Value::null());
    const Value copy = more.finish();
    EXPECT_EQ(copy.origin(), Origin{3});
    EXPECT_EQ(Arena::equality(copy), KeyEquality::python);
    EXPECT_EQ(original.size(), static_cast<std::size_t>(size));
    EXPECT_EQ(original.find("0")->as_integer(), 0);
    EXPECT_EQ(original.find("new"), nullptr);
    EXPECT_NE(copy.find("new"), nullptr);
    EXPECT_TRUE(copy.find("0")->is_null());
  }
}

TEST(Builders, ChangeTheMembersOfACopy) {
  Arena arena;
  MappingBuilder builder(arena);
  builder.insert("a", Value::integer(1));
  builder.insert("b", arena.sequence(std::array{Value::integer(2)}));
  const Value mapping = builder.finish().with_origin({6}).with_secret();
  const auto times = [](const Value& member) {
    return member.kind() == Kind::integer ? Value::integer(member.as_integer() * 10) : member;
  };
  const Value changed = with_members(arena, mapping, times);
  EXPECT_EQ(show(changed), R"({"a": 10, "b": [2]})");
  EXPECT_EQ(changed.origin(), Origin{6});
  EXPECT_TRUE(changed.is_secret());
  EXPECT_EQ(show(with_members(arena, *mapping.find("b"), times)), "[20]");
  EXPECT_EQ(show(mapping), R"({"a": 1, "b": [2]})");
  EXPECT_TRUE(is_same_node(with_members(arena, mapping, [](const Value& member) { return member; }), mapping))
      << "nothing changes";
  EXPECT_FALSE(is_same_node(mapping, mapping.with_origin({7})));
}

TEST(Builders, MakeTextsOfKeys) {
  Arena arena;
  const auto made = [&arena](const Value& mapping, std::string& collided) {
    return with_text_keys(
        arena, mapping, KeyEquality::python, [](const Value& key) { return "n" + std::to_string(key.as_integer()); },
        [](const Value& key, const Value& value) {
          return key.text() == "up" ? Value::integer(value.as_integer() + 1) : value;
        },
        [&collided](const Value& key, const Value& written) {
          collided += std::string(key.text()) + (written.is_text() ? " text;" : " number;");
        });
  };
  MappingBuilder plain(arena);
  plain.insert("a", Value::integer(1));
  plain.insert("n2", Value::integer(2));
  const Value unchanged = MappingBuilder::copy_of(arena, plain.finish()).finish();
  std::string collided;
  EXPECT_TRUE(is_same_node(made(unchanged, collided), unchanged));
  MappingBuilder mixed = MappingBuilder::copy_of(arena, unchanged);
  mixed.insert(arena.key(Value::integer(2)), Value::integer(3));
  mixed.insert("up", Value::integer(4));
  const Value changed = made(mixed.finish().with_origin({6}).with_secret(), collided);
  EXPECT_EQ(show(changed), R"({"a": 1, "n2": 3, "up": 5})");
  EXPECT_EQ(collided, "n2 number;");
  EXPECT_EQ(changed.origin(), Origin{6});
  EXPECT_TRUE(changed.is_secret());
}

#ifndef NDEBUG
/// A text in what a program says when it dies. Not a pattern: the sanitizers' regexec waits for ever.
struct Says {
  using is_gtest_matcher = void;  // NOLINT(readability-identifier-naming): the library's
  std::string_view text;
  bool MatchAndExplain(const std::string& output, std::ostream*) const {
    return output.find(text) != std::string::npos;
  }
  void DescribeTo(std::ostream* out) const { *out << "says " << text; }
  void DescribeNegationTo(std::ostream* out) const { *out << "does not say " << text; }
};

TEST(BuildersDeathTest, DoNotGrowOnceTheyFinished) {
  Arena arena;
  SequenceBuilder sequence(arena);
  const Value items = sequence.finish();
  EXPECT_DEATH(sequence.append(items), Says{"the container is finished"});
  MappingBuilder mapping(arena);
  const Value entries = mapping.finish();
  EXPECT_DEATH(mapping.insert("a", entries), Says{"the container is finished"});
  MappingBuilder first(arena);
  [[maybe_unused]] const MappingBuilder second = std::move(first);
  EXPECT_DEATH(first.insert("a", entries),
               Says{"the container is finished"});  // NOLINT(bugprone-use-after-move): that is what dies
}
#endif

}  // namespace
}  // namespace strata
