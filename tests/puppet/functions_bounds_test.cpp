// SPDX-License-Identifier: Apache-2.0
// What functions refuse: wrong arguments, with their place, and work without bounds.
#include <gtest/gtest.h>

#include "puppet/functions/registry.hpp"
#include "puppet/functions_world.hpp"

namespace strata::puppet {
namespace {

using testing::evaluated;
using testing::expect_all;
using testing::FunctionCase;

TEST(FunctionBounds, EndBombs) {
  const FunctionCase cases[] = {
      {"sprintf('%999999999d', 1)", "error limit.steps"},
      {"sprintf('%2147483647s%2147483647s', 1, 2)", "error limit.result"},
      {"sprintf('%.2147483647f', 1.5)", "error limit.result"},
      {"range(1, 1000000000000)", "error limit.result"},
      {"range('a', 'zzzzzzzzzzzzzzzz')", "error limit.steps"},
      {"1000000000000.map |$x| { 1 }", "error limit.steps"},
      {"1000000000000.reverse_each.map |$x| { 1 }", "error limit.steps"},
      {"Integer[1, 9223372036854775807].slice(9223372036854775807)", "error limit.steps"},
      {"[1].slice(9223372036854775807)", "[[1]]"},
      {"[1].step(9223372036854775807).map |$x| { $x }", "[1]"},
      {"Integer[-9223372036854775807, 9223372036854775806].reverse_each.step(9223372036854775807).map |$x| { $x }",
       "[9223372036854775806, -1]"},
      {"regsubst('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '(a+)+$x', 'b', 'G')", "error limit.regex"},
      {"range(1, 40).reduce('ab') |$m, $x| { [$m, $m].join($m) }.length", "error limit.steps"},
      {"range(1, 60).reduce([1]) |$m, $x| { [$m, $m] }.flatten", "error limit.result"},
      {"$big = range(1, 20).reduce('a') |$m, $x| { \"${m}${m}\" } $all = [{'a' => range(1, 100000).map |$x| { $big }}] "
       "$all.join('')",
       "error limit.result"},
      {"$big = range(1, 20).reduce('a') |$m, $x| { \"${m}${m}\" } range(1, 100000).map |$x| { $big }.reverse_each",
       "error limit.result"},
      {"range(1, 2000).reduce([1]) |$m, $x| { [$m] }.to_json", "error limit.depth"},
  };
  for (const FunctionCase& one : cases) {
    const std::string result = evaluated(one.program);
    // Which bound ends it is not important.
    if (one.expected.starts_with("error")) {
      EXPECT_TRUE(result.starts_with("error limit.")) << one.program << " " << result;
    } else {
      EXPECT_EQ(result, one.expected) << one.program;
    }
  }
}

TEST(FunctionBounds, WrongArgumentsAreNamed) {
  struct Row {
    const char* program;
    std::string_view part;
  };
  const Row rows[] = {
      {"upcase(true)", "upcase(): argument 1 must be"},
      {"[1].join(3)", "join(): argument 2 must be a String"},
      {"[1].map |$a, $b, $c| { 1 }", "the lambda must take 2 or 1 arguments, and takes 3"},
      {"[1].tree_each({'nope' => 1})", "option 'nope' is unknown"},
      {"regsubst('a', 'a', 'b', 'Q')", "argument 4 must be a String of the flags"},
      {"merge({}, 1)", "merge(): argument 2 must be a Hash"},
      {"[3, 'a'].sort", "have no order"},
      {"sprintf('%d', 'x')", "is not an Integer"},
      {"assert_type(Integer, 'a')", "expects an Integer value, got String"},
  };
  for (const Row& row : rows) {
    std::string message;
    const std::string result = evaluated(row.program, {}, nullptr, &message);
    EXPECT_TRUE(result.starts_with("error puppet.")) << row.program << " " << result;
    EXPECT_NE(message.find(row.part), std::string::npos) << row.program << ": " << message;
  }
}

TEST(FunctionBounds, ErrorsStandAtTheCall) {
  Sources sources;
  Arena arena;
  Diagnostics warnings;
  const Program program = Program::parse(sources, sources.add("test.pp", "$x = 1\n  length($x)"));
  try {
    static_cast<void>(program.evaluate({.arena = arena, .diagnostics = warnings}));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "puppet.arguments");
    EXPECT_EQ(error.diagnostic().where.place.to_string(), "test.pp:2:3");
  }
}

TEST(FunctionLogging, EachCallIsOneDiagnostic) {
  Diagnostics warnings;
  EXPECT_EQ(evaluated("[1, 2].each |$x| { notice('n', $x) }\nwarning([undef, 'a'])\ndebug(1)", {}, &warnings), "null");
  ASSERT_EQ(warnings.warnings().size(), 4U);
  EXPECT_EQ(warnings.warnings()[0].code, "puppet.notice");
  EXPECT_EQ(warnings.warnings()[1].message, "n 2");
  EXPECT_EQ(warnings.warnings()[2].message, "[, a]");
  EXPECT_EQ(warnings.warnings()[3].code, "puppet.debug");
}

TEST(FunctionLogging, SecretsAreNotTold) {
  Diagnostics warnings;
  EXPECT_EQ(evaluated("notice(Sensitive('geheim'))", {}, &warnings), "null");
  ASSERT_EQ(warnings.warnings().size(), 1U);
  EXPECT_EQ(warnings.warnings()[0].message.find("geheim"), std::string::npos);
}

TEST(FunctionRegistry, HasWhatTheSpecificationLists) {
  constexpr std::string_view kNames[] = {
      "abs",          "all",          "any",        "break",
      "camelcase",    "capitalize",   "ceiling",    "chomp",
      "chop",         "compare",      "convert_to", "dig",
      "downcase",     "each",         "empty",      "fail",
      "filter",       "flatten",      "floor",      "get",
      "group_by",     "index",        "join",       "keys",
      "length",       "lest",         "lstrip",     "map",
      "match",        "max",          "min",        "new",
      "next",         "notice",       "warning",    "debug",
      "info",         "partition",    "reduce",     "regsubst",
      "return",       "reverse_each", "round",      "rstrip",
      "slice",        "sort",         "split",      "sprintf",
      "step",         "strip",        "then",       "tree_each",
      "type",         "unique",       "unwrap",     "upcase",
      "values",       "versioncmp",   "with",       "assert_type",
      "merge",        "deep_merge",   "concat",     "union",
      "intersection", "difference",   "delete",     "delete_undef_values",
      "has_key",      "member",       "range",      "zip",
      "pick",         "any2array",    "parsejson",  "parseyaml",
      "to_json",      "to_yaml",      "file",
  };
  for (const std::string_view name : kNames) EXPECT_NE(find_builtin(name), nullptr) << name;
}

}  // namespace
}  // namespace strata::puppet
