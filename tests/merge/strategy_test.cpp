// SPDX-License-Identifier: Apache-2.0
#include "strata/strategy.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "random_strategy.hpp"
#include "support/expect_error.hpp"
#include "world.hpp"

namespace strata::merge {
namespace {

RC_GTEST_PROP(Strategies, PrintAndParse, (std::uint64_t seed)) {
  const Strategy strategy = random_strategy(seed, {.may_fail = true, .self_merge = true, .calls = seed % 3});
  RC_ASSERT(parse_strategy(strategy.to_string()) == strategy);
}

TEST(Strategies, HaveOneText) {
  EXPECT_EQ(deep_replace().to_string(),
            "root:\n  * <- *: take_new\n  mapping <- mapping: recurse\n"
            "member:\n  * <- *: take_new\n  mapping <- mapping: recurse\n"
            "item:\n  * <- *: take_new\n");
  const Strategy strategy = rules("sequence <- text.some|number: call glue", "", "", "separator: \", \\\"\\n\"");
  EXPECT_EQ(strategy.to_string(),
            "call: glue\n"
            "root:\n  * <- *: take_new\n  sequence <- number|text.some: call glue\n"
            "member:\n  * <- *: take_new\n"
            "item:\n  * <- *: take_new\n"
            "separator: \", \\\"\\n\"\n");
  EXPECT_EQ(parse_strategy("# remark\n\n" + strategy.to_string()), strategy);
}

TEST(Strategies, HaveKeyRules) {
  const Strategy strategy =
      rules("mapping <- mapping: recurse", "", "", "key prefix \"~\": take_new\nkey prefix \"\\\"+\": call add");
  ASSERT_EQ(strategy.keys.size(), 2U);
  EXPECT_EQ(strategy.keys[0], (KeyRule{.prefix = "~", .action = Action::take_new}));
  EXPECT_EQ(strategy.keys[1], (KeyRule{.prefix = "\"+", .action = call_action(0)}));
  EXPECT_EQ(parse_strategy(strategy.to_string()), strategy);
  Strategy other = strategy;
  other.keys.pop_back();
  EXPECT_NE(other, strategy);
  EXPECT_EQ(strategy.risk(Shape::mapping, Shape::mapping), Strategy::Risk::call);
  EXPECT_EQ(other.risk(Shape::mapping, Shape::mapping), Strategy::Risk::none);
  World world;
  EXPECT_EQ(flow(world.merged("{a: {x: 1}, b: {x: 1}}", "{~a: {y: 1}, b: {~x: 2}, ~c: 1}", other)),
            "{\"a\": {\"y\": 1}, \"b\": {\"~x\": 2}, \"c\": 1}");
}

TEST(Strategies, RefuseWhatMakesNoSense) {
  STRATA_EXPECT_ERROR(parse_strategy("root:\n* <- *: merge"), "strategy.syntax");
  STRATA_EXPECT_ERROR(parse_strategy("root:\n* <- string: fail"), "strategy.syntax");
  STRATA_EXPECT_ERROR(parse_strategy("* <- *: fail"), "strategy.syntax");
  STRATA_EXPECT_ERROR(parse_strategy("root:\n* <- *: take_new\ntext <- mapping: wait"), "strategy.syntax");
  STRATA_EXPECT_ERROR(parse_strategy("key prefix \"\": take_new"), "strategy.syntax");
  STRATA_EXPECT_ERROR(parse_strategy("key prefix \"~\": recurse"), "strategy.syntax");
  STRATA_EXPECT_ERROR(parse_strategy("key prefix \"~\""), "strategy.syntax");
  STRATA_EXPECT_ERROR(parse_strategy("root:\nmapping <- sequence: recurse"), "strategy.syntax");
  STRATA_EXPECT_ERROR(parse_strategy("root:\n* <- *: take_new\ntext <- number: join"), "strategy.syntax");
}

TEST(Strategies, KnowTheirRisk) {
  EXPECT_EQ(deep_replace().risk(Shape::mapping, Shape::mapping), Strategy::Risk::none);
  const Strategy deep_failure =
      rules("mapping <- mapping: recurse", "sequence <- sequence: by_index", "text <- text: fail");
  EXPECT_EQ(deep_failure.risk(Shape::mapping, Shape::mapping), Strategy::Risk::known);
  EXPECT_EQ(deep_failure.risk(Shape::text, Shape::mapping), Strategy::Risk::none);
  EXPECT_EQ(rules("mapping <- mapping: recurse", "text <- text: call f").risk(Shape::mapping, Shape::mapping),
            Strategy::Risk::call);
}

TEST(Strategies, TellShapesApart) {
  World world;
  const auto shape = [&world](const char* text) { return shape_of(world.yaml(text)); };
  EXPECT_EQ(shape_of(Value()), Shape::absent);
  EXPECT_EQ(shape("~"), Shape::null);
  EXPECT_EQ(shape("false"), Shape::false_);
  EXPECT_EQ(shape("true"), Shape::true_);
  EXPECT_EQ(shape("0"), Shape::zero);
  EXPECT_EQ(shape("-0.0"), Shape::zero);
  EXPECT_EQ(shape("12345678901234567890123"), Shape::number);
  EXPECT_EQ(shape("2001-01-01"), Shape::scalar);
  EXPECT_EQ(shape("!!set {a, b}"), Shape::set);
  EXPECT_EQ(shape("''"), Shape::empty_text);
  EXPECT_EQ(shape("[]"), Shape::empty_sequence);
  EXPECT_EQ(shape("{}"), Shape::empty_mapping);
}

RC_GTEST_PROP(Strategies, DecideByKindAsByShape,
              (std::uint64_t seed, const testing::Sample& old, const testing::Sample& incoming)) {
  const Strategy strategy = random_strategy(seed, {.may_fail = true});
  RC_ASSERT(strategy.at(strategy.root, old.value, incoming.value) ==
            strategy.at(strategy.root, shape_of(old.value), shape_of(incoming.value)));
}

}  // namespace
}  // namespace strata::merge
