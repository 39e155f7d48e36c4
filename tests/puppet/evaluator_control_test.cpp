// SPDX-License-Identifier: Apache-2.0
// Branches, assignments, lambdas and calls, as Puppet 7.23 does them.
#include <gtest/gtest.h>

#include "puppet/evaluator_world.hpp"

namespace strata::puppet::testing {
namespace {

TEST(Branches, ChooseByTruth) {
  expect_results({{"if false { 1 }", "nil"},
                  {"if '' { 1 } else { 2 }", "1"},
                  {"if 0 { 1 } else { 2 }", "1"},
                  {"if undef { 1 } elsif true { 2 } else { 3 }", "2"},
                  {"unless false { 1 } else { 2 }", "1"},
                  {"if true { $x = 5 }\n$x", "5"},
                  {"undef and nosuch()", "false"},
                  {"5 or nosuch()", "true"}});
}

TEST(Branches, TryTheDefaultLast) {
  expect_results({{"case 'x' { default: { 'd' } 'x': { 'x' } }", "\"x\""},
                  {"case 7 { 1: { 2 } }", "nil"},
                  {"case 'ABC' { 'abc': { 1 } }", "1"},
                  {"case 3 { *[1, 2, 3]: { 'in' } default: { 'no' } }", "\"in\""},
                  {"case 5 { Integer[6]: { 1 } Integer: { 2 } }", "2"},
                  {"5 ? { default => 1, *[5] => 2 }", "2"},
                  {"'q' ? { 'x' => 1 }", "puppet.no-option 1:1"},
                  {"case [1, 'a'] { [Integer, /a/]: { $0 } }", "\"a\""},
                  {"case {a => 1, b => 2} { {a => Integer}: { 'yes' } default: { 'no' } }", "\"yes\""},
                  {"Integer ? { Type => 't', default => 'd' }", "\"t\""}});
}

TEST(Branches, KeepTheGroupsOfTheirMatch) {
  expect_results({{"if 'abc' =~ /b(.)/ { $a = $1 }\n[$a, $1]", "[\"c\", nil]"},
                  {"'abc' =~ /b(.)/\n$q = [1].map |$i| { 'zz' =~ /z/\n[$0, $1] }\n[$q, $1]", "[[[\"z\", nil]], \"c\"]"},
                  {"case 'abc' { /(.)b/: { $1 } }", "\"a\""},
                  {"'abc' ? { /b(.)/ => $1 }", "\"c\""}});
}

TEST(Assignments, HappenOnce) {
  expect_results({{"$a = $b = 5\n$a", "5"},
                  {"[$a, [$b, $c]] = [1, [2, 3]]\n\"$a$b$c\"", "\"123\""},
                  {"[$a, $b] = {b => 1, a => 2}\n\"$a$b\"", "\"21\""},
                  {"[$a] = 5\n$a", "5"},
                  {"[$a, $b] = [1]\n$a", "puppet.assignment 1:1"},
                  {"[$a, $b] = {a => 1}\n$a", "puppet.assignment 1:6"},
                  {"$facts = 1", "puppet.assignment 1:1"},
                  {"with(1) |$x| { $facts = 2 }", "puppet.assignment 1:16"},
                  {"if true { $server_facts = 1 }", "puppet.assignment 1:11"},
                  {"[1].map |$facts| { 2 }", "puppet.assignment 1:10"},
                  {"[].map |$facts| { 2 }", "[]"},
                  {"with() |$a = 1, $trusted = 3| { $a }", "puppet.assignment 1:17"},
                  {"$fqdn = 1", "puppet.reassigned 1:1"},
                  {"$x = 1\n$y = [1].map |$i| { $x = 2\n$x }\n[$x, $y]", "[1, [2]]"},
                  {"[1].each |$a| { $z = 1 }\n$z", "nil"}});
  const Evaluated twice("$x = 5\n\n$x = 6");
  EXPECT_EQ(twice.told(), "puppet.reassigned 3:1");
  ASSERT_EQ(twice.error.notes.size(), 1U);
  EXPECT_EQ(twice.error.notes[0].place.line, 1U);
}

TEST(Variables, AreUndefWhereNobodyKnowsThem) {
  const Evaluated unknown("$fqdm");
  EXPECT_EQ(unknown.told(), "nil");
  ASSERT_EQ(unknown.diagnostics.warnings().size(), 1U);
  EXPECT_EQ(unknown.diagnostics.warnings()[0].code, "puppet.unknown-variable");
  EXPECT_NE(unknown.diagnostics.warnings()[0].hint.find("$fqdn"), std::string::npos);
  EXPECT_EQ(Evaluated("$fqdm", {.strict = true}).told(), "puppet.unknown-variable 1:1");
  EXPECT_EQ(Evaluated("$nothing", {.strict = true}).told(), "nil");
  expect_results({{"$::fqdn", "\"kermit.example.com\""},
                  {"[1].map |$fqdn| { [$fqdn, $::fqdn] }", "[[1, \"kermit.example.com\"]]"}});
}

TEST(Variables, AreWarnedOfOnceAPlace) {
  EXPECT_EQ(Evaluated("[1, 2, 3].map |$x| { $nope }").diagnostics.warnings().size(), 1U);
}

TEST(Variables, AreManyInOneScope) {
  Scope scope(nullptr);
  std::vector<std::string> names;
  for (int i = 0; i < 3000; ++i)
    names.push_back((i % 3 == 0 ? "v" : i % 3 == 1 ? "name_" : "a_long_name_of_a_variable_") + std::to_string(i));
  for (std::size_t i = 0; i < names.size(); ++i)
    EXPECT_TRUE(scope.assign(names[i], Value::integer(static_cast<std::int64_t>(i)), {}));
  EXPECT_EQ(scope.size(), names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string copy = names[i];
    EXPECT_FALSE(scope.assign(copy, Value::null(), {}));
    const Value* found = scope.find(copy);
    ASSERT_NE(found, nullptr) << copy;
    EXPECT_EQ(found->as_integer(), static_cast<std::int64_t>(i));
  }
  EXPECT_EQ(scope.find("v1"), nullptr);
}

TEST(Hashes, TakeTheLastOfRepeatedKeys) {
  const Evaluated twice("$x = {'a' => 1, 'b' => 3, 'a' => 2}\n$x");
  EXPECT_EQ(twice.told(), "{\"a\"=>2, \"b\"=>3}");
  EXPECT_EQ(twice.diagnostics.warnings().size(), 1U);
  const Evaluated strict("$x = {'a' => 1, 'a' => 2}\n$x", {.strict = true});
  EXPECT_EQ(strict.told(), "puppet.repeated-key 1:17");
  EXPECT_EQ(strict.error.notes.size(), 1U);
}

TEST(Lambdas, BindTheirParameters) {
  expect_results({{"with(1, 2, 3) |$a, *$b| { $b }", "[2, 3]"},
                  {"with(1, 2) |$a| { $a }", "1"},
                  {"with(1) |$a, $b = $a + 1| { $b }", "2"},
                  {"with(undef) |$a = 5| { $a }", "nil"},
                  {"with() |*$a = 5| { $a }", "[5]"},
                  {"with() |*$a| { $a }", "[]"},
                  {"with(1) |$a, $b| { $b }", "puppet.arguments 1:14"},
                  {"with() |$a = $b, $b = 1| { $b }", "puppet.unknown-variable 1:14"},
                  {"with(1) |$a| { $a = 2 }", "puppet.reassigned 1:16"},
                  {"with(*[1, 2]) |$a, $b| { [$b, $a] }", "[2, 1]"}});
}

TEST(Lambdas, CheckTypes) {
  expect_results({{"with('a') |Integer $x| { $x }", "puppet.arguments 1:20"},
                  {"with(1) |Integer $x| { $x }", "1"},
                  {"with(1, 'x') |$a, Integer *$b| { $b }", "puppet.arguments 1:28"},
                  {"with(1, 2, 3) |Array[Integer, 1, 2] *$a| { $a }", "puppet.arguments 1:38"},
                  {"with(1) |$x| >> String { $x }", "puppet.type-mismatch 1:17"},
                  {"with(1) |$x| >> Integer { next(5)\n$x }", "5"},
                  {"with(1) |5 $x| { $x }", "puppet.syntax 1:10"}});
}

TEST(Lambdas, AreLeftEarly) {
  expect_results({{"[1, 2, 3].map |$x| { if $x == 2 { break() } $x }", "[1]"},
                  {"[1, 2, 3].map |$x| { if $x == 2 { next() } $x }", "[1, nil, 3]"},
                  {"[1, 2, 3].map |$x| { next($x * 2)\n$x }", "[2, 4, 6]"},
                  {"[1, 2].map |$x| { [[3, 4].map |$y| { if $y == 4 { break() } $y }, $x] }", "[[[3], 1], [[3], 2]]"},
                  {"[1, 2].map |$x| { with(1) |$y| { break() } }", "[]"},
                  {"[1, 2].each |$x| { return(5) }", "puppet.jump 1:20"},
                  {"with(1) |$x| { break() }", "puppet.jump 1:16"},
                  {"next(3)", "puppet.jump 1:1"},
                  {"$x = [1, next(2)]", "puppet.jump 1:10"}});
}

TEST(Calls, NameWhatIsUnknown) {
  const Evaluated unknown("nosuch(1)");
  EXPECT_EQ(unknown.told(), "puppet.unknown-function 1:1");
  EXPECT_EQ(Evaluated("[1].maap |$x| { $x }").error.hint, "did you mean map?");
  expect_results({{"map([1])", "puppet.arguments 1:1"},
                  {"with(1)", "puppet.arguments 1:1"},
                  {"break(1)", "puppet.arguments 1:1"}});
}

class Doubling final : public Functions {
 public:
  [[nodiscard]] bool knows(std::string_view name) const override { return name == "double"; }
  [[nodiscard]] Value call(const FunctionCall& call, Evaluator& evaluator) override {
    return call.lambda == nullptr ? Value::integer(call.arguments[0].as_integer() * 2)
                                  : evaluator.call(*call.lambda, call.arguments, *call.scope);
  }
};

TEST(Calls, ReachFunctionsOfTheHost) {
  Doubling functions;
  const Evaluated plain("double(4)", {.functions = &functions});
  EXPECT_EQ(plain.told(), "8");
  EXPECT_EQ(plain.sources.place(plain.value.origin()).column, 1U);
  EXPECT_EQ(Evaluated("$y = 3\n4.double |$x| { $x + $y }", {.functions = &functions}).told(), "7");
  EXPECT_EQ(Evaluated("double(1) |$x| { break() }", {.functions = &functions}).told(), "puppet.jump 1:18");
}

TEST(Origins, AreThoseOfTheExpressionOrOfWhatIsPassedOn) {
  const auto column = [](std::string_view text) {
    const Evaluated done(text);
    return done.sources.place(done.value.origin()).to_string();
  };
  EXPECT_EQ(column("  1 + 2"), "x.pp:1:3");
  EXPECT_EQ(column("$x =  'a'\n$x"), "x.pp:1:7");
  EXPECT_EQ(column("$fqdn"), "facts.json:1:72");
  EXPECT_EQ(column(" \"a$fqdn\""), "x.pp:1:2");
  EXPECT_EQ(column("[1,  2][1]"), "x.pp:1:6");
}

TEST(Secrets, StaySecret) {
  Evaluated world("$fqdn");
  const Value secret = world.arena.text("x").with_secret();
  Scope scope(nullptr);
  scope.assign("s", secret, {});
  Sources sources;
  SyntaxTree tree(64);
  const Limits limits;
  Parser parser(sources, sources.add("x.pp", "[\"a${s}\", $s[0], \"${[$s]}\"]"), tree, limits);
  Diagnostics diagnostics;
  Evaluator evaluator({.sources = sources, .arena = world.arena, .limits = limits, .diagnostics = diagnostics});
  const Value list = evaluator.evaluate(*parser.expression(), scope);
  for (const Value& item : list.items()) EXPECT_TRUE(item.is_secret());
}

TEST(Heredocs, EndWhereALineEndsWithTheirTag) {
  EXPECT_EQ(run("@(E)\n  a\n  b | E\n"), R"(" a\n")");
  EXPECT_EQ(run("@(E)\n  a\nxE\n"), R"("  a\n")");
  EXPECT_EQ(run("@(E)\n  a\n x  |- E \n"), R"("a")");
  EXPECT_EQ(run("@(E:j)\n  a\n  | E\n"), "puppet.syntax 1:5");
  EXPECT_EQ(run("@(E:_j)\n  a\n  | E\n"), "puppet.syntax 1:5");
}

TEST(Heredocs, TakeTheirMarginFromTextsInsideToo) {
  EXPECT_EQ(run("@(\"E\")\n  a ${'x\n  y'}\n    | E\n"), R"("  a x\n  y\n")");
  EXPECT_EQ(run("@(\"E\")\n  a ${'x\n  y'}${\"u\n   v${count}\n  w\"}\n  | E\n"), R"("a x\nyu\n v4\nw\n")");
}

TEST(Heredocs, AreCheckedWhenTheirTextIsKnown) {
  EXPECT_EQ(run("@(\"E\":json)\n  {\"a\": ${count}}\n  | E\n"), R"("{\"a\": 4}\n")");
  EXPECT_EQ(run("@(\"E\":json)\n  {\"a\" ${count}}\n  | E\n"), "puppet.syntax 1:1");
  EXPECT_EQ(run("@(\"E\":x+yaml)\n  [${count}\n  | E\n"), "puppet.syntax 1:1");
}

}  // namespace
}  // namespace strata::puppet::testing
