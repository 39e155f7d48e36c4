// SPDX-License-Identifier: Apache-2.0
// What hostile programs cannot do.
#include <gtest/gtest.h>

#include "puppet/evaluator_world.hpp"
#include "strata/builder.hpp"
#include "strata/puppet_program.hpp"

namespace strata::puppet::testing {
namespace {

std::string bounded(std::string_view text, const Limits& limits) {
  return Evaluated(text, {.limits = limits}).error.code;
}

TEST(Bounds, EndLongLoops) {
  EXPECT_EQ(bounded("Integer[1, 9999999999].map |$x| { $x }", {.steps = 10'000}), "limit.steps");
  EXPECT_EQ(bounded("Integer[1, 9999999999].each |$x| { }", {.steps = 10'000}), "limit.steps");
  EXPECT_EQ(run("Integer[1, 9999999999].map |$x| { break() }"), "[]");
}

TEST(Bounds, CountNodesAsIfWrittenOut) {
  std::string text = "$x0 = [1, 2]\n";
  for (int i = 1; i < 60; ++i)
    text += "$x" + std::to_string(i) + " = [$x" + std::to_string(i - 1) + ", $x" + std::to_string(i - 1) + "]\n";
  EXPECT_EQ(bounded(text, {.result = 100'000}), "limit.result");
  std::string hashes = "$x0 = {a => 1}\n";
  for (int i = 1; i < 60; ++i)
    hashes +=
        "$x" + std::to_string(i) + " = {a => $x" + std::to_string(i - 1) + ", b => $x" + std::to_string(i - 1) + "}\n";
  EXPECT_EQ(bounded(hashes, {.result = 100'000}), "limit.result");
}

TEST(Bounds, EndDeepValues) {
  EXPECT_EQ(bounded("Integer[1, 5000].reduce([]) |$memo, $x| { [$memo] }", {}), "limit.depth");
}

TEST(Bounds, EndLongTexts) {
  std::string text = "$x0 = '0123456789'\n";
  for (int i = 1; i < 60; ++i)
    text += "$x" + std::to_string(i) + " = \"${x" + std::to_string(i - 1) + "}${x" + std::to_string(i - 1) + "}\"\n";
  EXPECT_EQ(bounded(text, {.input = 1'000'000}), "limit.result");
  EXPECT_EQ(bounded(text, {.steps = 10'000}), "limit.steps");
}

TEST(Bounds, EndRunawayPatterns) {
  EXPECT_EQ(run("'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!' =~ /^(a|a?)+$/").substr(0, 11), "limit.regex");
}

/// A program over two texts of a megabyte and the beginning of one.
std::string on_texts(std::string_view expression) {
  return "$t = Integer[1, 19].reduce('ab') |$m, $i| { \"${m}${m}\" } $u = Integer[1, 19].reduce('ab') |$m, $i| { "
         "\"${m}${m}\" } "
         "$s = Integer[1, 17].reduce('ab') |$m, $i| { \"${m}${m}\" } Integer[1, 100000].map |$i| { " +
         std::string(expression) + " }";
}

TEST(Bounds, CountTheWorkOnTexts) {
  for (const std::string_view expression :
       {"\"${s}a\" in $t", "$t == $u", "$t in [$u]", "{ $t => 1 }", "case $t { $u: { 1 } }", "[$t] == [$u]", "$t < $u",
        "$t.index(\"${s}a\")", "{a => 1}[$t]"})
    EXPECT_EQ(bounded(on_texts(expression), {.steps = 2'000'000}), "limit.steps") << expression;
}

TEST(Bounds, CountTheTimeOfSlowPatterns) {
  EXPECT_EQ(bounded("Integer[1, 2000].map |$i| { 'aaaaaaaaaaaaaaaaaaaa!' =~ /^(a+)+$/ }", {.steps = 200'000}),
            "limit.steps");
  EXPECT_EQ(bounded("Integer[1, 2000].map |$i| { 'aaaaaaaaaaaaaaaaaaaa!' =~ Pattern[/^(a+)+$/] }", {.steps = 200'000}),
            "limit.steps");
}

TEST(Bounds, CountCopiedMembers) {
  EXPECT_EQ(bounded("Integer[1, 30000].reduce({}) |$m, $i| { $m + {$i => 1} }", {.steps = 500'000}), "limit.steps");
  EXPECT_EQ(bounded("Integer[1, 500].reduce({}) |$m, $i| { $m + {$i => 1} }", {.steps = 500'000}), "");
}

TEST(Bounds, EndDeepExpressions) {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += "[";
  text += std::string(3000, ']');
  EXPECT_EQ(bounded(text, {}), "limit.depth");
}

TEST(Program, IsEvaluatedManyTimes) {
  Sources sources;
  const Program program = Program::parse(sources, sources.add("rule.pp", "$n + 1"));
  for (int n = 0; n < 3; ++n) {
    Arena arena;
    Diagnostics warnings;
    MappingBuilder variables(arena);
    variables.insert("n", Value::integer(n));
    EXPECT_EQ(program.evaluate({.arena = arena, .diagnostics = warnings, .variables = variables.finish()}).as_integer(),
              n + 1);
    EXPECT_TRUE(warnings.warnings().empty());
  }
}

TEST(Program, TellsAllSyntaxErrors) {
  Sources sources;
  try {
    (void)Program::parse(sources, sources.add("rule.pp", "$x = = 1\n$y = 2\n$z = ) 3\n"));
    FAIL();
  } catch (const Errors& errors) {
    EXPECT_EQ(errors.code(), "puppet.syntax");
    EXPECT_EQ(errors.all().size(), 2U);
  }
}

TEST(Program, CannotAssignItsVariablesAgain) {
  Sources sources;
  Arena arena;
  Diagnostics warnings;
  MappingBuilder variables(arena);
  variables.insert("n", Value::integer(1));
  const Program program = Program::parse(sources, sources.add("rule.pp", "$n = 2"));
  try {
    (void)program.evaluate({.arena = arena, .diagnostics = warnings, .variables = variables.finish()});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "puppet.reassigned");
  }
}

}  // namespace
}  // namespace strata::puppet::testing
