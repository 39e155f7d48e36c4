// SPDX-License-Identifier: Apache-2.0
// Expressions as trees. What Puppet 7.23 reads is the expectation.
#include <gtest/gtest.h>

#include "puppet/syntax_world.hpp"

namespace strata::puppet {
namespace {

using testing::read;
using testing::SyntaxCase;

class Parsing : public ::testing::TestWithParam<SyntaxCase> {};

TEST_P(Parsing, GivesTheTree) { EXPECT_EQ(read(GetParam().text), GetParam().expected) << GetParam().text; }

// The precedence of operators, a row a line, and its surprises.
INSTANTIATE_TEST_SUITE_P(
    Precedence, Parsing,
    ::testing::Values(
        SyntaxCase{"!$a.b[1]", "(! (at (method b $a) 1))"}, SyntaxCase{"-$a.b", "(- (method b $a))"},
        SyntaxCase{"-5.abs", "(- (method abs 5))"}, SyntaxCase{"!'a'.empty", R"((! (method empty "a")))"},
        SyntaxCase{"-!$a", "(- (! $a))"}, SyntaxCase{"!-$a", "(! (- $a))"}, SyntaxCase{"*-$a", "(* (- $a))"},
        SyntaxCase{"-$a in $b", "(in (- $a) $b)"}, SyntaxCase{"!$a in $b", "(in (! $a) $b)"},
        SyntaxCase{"$a in $b in $c", "(in (in $a $b) $c)"}, SyntaxCase{"$a =~ $b in $c", "(=~ $a (in $b $c))"},
        SyntaxCase{"$a * $b =~ $c", "(* $a (=~ $b $c))"}, SyntaxCase{"$a !~ $b =~ $c", "(=~ (!~ $a $b) $c)"},
        SyntaxCase{"1 + 1 in [2]", "(+ 1 (in 1 (list 2)))"},
        SyntaxCase{"1 + 2 * 3 - 4 / 5 % 6", "(- (+ 1 (* 2 3)) (% (/ 4 5) 6))"},
        SyntaxCase{"1 - 2 - 3", "(- (- 1 2) 3)"}, SyntaxCase{"1 << 2 + 3", "(<< 1 (+ 2 3))"},
        SyntaxCase{"1 << 2 >> 3", "(>> (<< 1 2) 3)"}, SyntaxCase{"1 == 2 << 3", "(== 1 (<< 2 3))"},
        SyntaxCase{"1 < 2 == true", "(< 1 (== 2 true))"}, SyntaxCase{"1 == 2 != 3", "(!= (== 1 2) 3)"},
        SyntaxCase{"1 < 2 < 3", "(< (< 1 2) 3)"},
        SyntaxCase{"1 + 1 ? { 2 => 'sum', default => 'd' }", R"((? (+ 1 1) (=> 2 "sum") (=> default "d")))"},
        SyntaxCase{"1 < 2 ? { true => 'lt' }", R"((? (< 1 2) (=> true "lt")))"},
        SyntaxCase{"$a and $b ? { 1 => 2 }", "(and $a (? $b (=> 1 2)))"},
        SyntaxCase{"1 ? { 1 => 2 } + 3", "(+ (? 1 (=> 1 2)) 3)"},
        SyntaxCase{"$a ? { 1 => 2 } ? { 2 => 3 }", "(? (? $a (=> 1 2)) (=> 2 3))"},
        SyntaxCase{"$a or $b and $c or $d", "(or (or $a (and $b $c)) $d)"},
        SyntaxCase{"$a = $b = 1 or 2", "(= $a (= $b (or 1 2)))"}, SyntaxCase{"(1 + 2) * 3", "(* (+ 1 2) 3)"},
        SyntaxCase{"!($a and $b)", "(! (and $a $b))"}));

INSTANTIATE_TEST_SUITE_P(
    Operands, Parsing,
    ::testing::Values(SyntaxCase{"[true, false, undef, default]", "(list true false undef default)"},
                      SyntaxCase{"[]", "(list)"}, SyntaxCase{"[1,]", "(list 1)"}, SyntaxCase{"{}", "(hash)"},
                      SyntaxCase{"{a => 1, 'b' => [2], default => 3,}",
                                 R"((hash (=> 'a 1) (=> "b" (list 2)) (=> default 3)))"},
                      SyntaxCase{"[*$a, 1]", "(list (* $a) 1)"}, SyntaxCase{"$a[0][1,2]", "(at (at $a 0) 1 2)"},
                      SyntaxCase{"Foo[1,'b']", R"((at Foo 1 "b"))"}, SyntaxCase{"$a[0,]", "(at $a 0)"},
                      SyntaxCase{"$a ? 'b' => 'c'", R"((? $a (=> "b" "c")))"}));

INSTANTIATE_TEST_SUITE_P(
    HashesWithoutBraces, Parsing,
    ::testing::Values(SyntaxCase{"[a => 1]", "(list (hash (=> 'a 1)))"},
                      SyntaxCase{"[1, a => 1, b => 2, 3, c => 4]",
                                 "(list 1 (hash (=> 'a 1) (=> 'b 2)) 3 (hash (=> 'c 4)))"},
                      SyntaxCase{"[{a => 1}, b => 2]", "(list (hash (=> 'a 1)) (hash (=> 'b 2)))"},
                      SyntaxCase{"f($h, b => 2)", "(call f $h (hash (=> 'b 2)))"},
                      SyntaxCase{"$x.f(a => 1, b => 2) |$y| { $y }",
                                 "(method f $x (hash (=> 'a 1) (=> 'b 2)) (lambda (($y () ())) () (do $y)))"},
                      SyntaxCase{"Struct[a => Integer]", "(at Struct (hash (=> 'a Integer)))"},
                      SyntaxCase{"notice(a => 1)", "(call notice (hash (=> 'a 1)))"}));

INSTANTIATE_TEST_SUITE_P(BareKeywords, Parsing,
                         ::testing::Values(SyntaxCase{"[type, function]", R"((list "type" "function"))"},
                                           SyntaxCase{"{type => function}", R"((hash (=> "type" "function")))"},
                                           SyntaxCase{"f(type => 1)", R"((call f (hash (=> "type" 1))))"},
                                           SyntaxCase{"[type('a')]", R"((list (call type "a")))"}));

INSTANTIATE_TEST_SUITE_P(BehindSelectors, Parsing,
                         ::testing::Values(SyntaxCase{"$a ? { 1 => [5] }[0]", "(at (? $a (=> 1 (list 5))) 0)"},
                                           SyntaxCase{"-1 ? { -1 => 5 }.abs", "(method abs (? (- 1) (=> (- 1) 5)))"},
                                           SyntaxCase{"$a ? { 1 => 2 }.f ? { 2 => 3 }",
                                                      "(? (method f (? $a (=> 1 2))) (=> 2 3))"}));

INSTANTIATE_TEST_SUITE_P(
    Calls, Parsing,
    ::testing::Values(
        SyntaxCase{"f()", "(call f)"}, SyntaxCase{"f (1, 2,)", "(call f 1 2)"},
        SyntaxCase{"::a::f(*$x)", "(call a::f (* $x))"}, SyntaxCase{"Integer('3')", R"((call new Integer "3"))"},
        SyntaxCase{"Integer[0,5]('3')", R"((call new (at Integer 0 5) "3"))"}, SyntaxCase{"type($a)", "(call type $a)"},
        SyntaxCase{"$a.type", "(method type $a)"}, SyntaxCase{"$a.b.c(1)\n.d", "(method d (method c (method b $a) 1))"},
        SyntaxCase{"$a.b |$c| { $c }.d", "(method d (method b $a (lambda (($c () ())) () (do $c))))"},
        SyntaxCase{"f(1) |$a, Integer $b, $c = 1, *$d| >> Array[Any] { }",
                   "(call f 1 (lambda (($a () ()) ($b Integer ()) ($c () 1) (*$d () ())) (at Array Any) (do)))"},
        SyntaxCase{"f(1) || { 2 }", "(call f 1 (lambda () () (do 2)))"}, SyntaxCase{"$a = b\n(1)", "(= $a 'b) 1"},
        SyntaxCase{"f($a = 1)", "(call f (= $a 1))"}));

INSTANTIATE_TEST_SUITE_P(Statements, Parsing,
                         ::testing::Values(SyntaxCase{"notice 'a', $b + 1\nwarning \"c\"",
                                                      R"((call notice "a" (+ $b 1)) (call warning "c"))"},
                                           SyntaxCase{"notice {a => 1}", "(call notice (hash (=> 'a 1)))"},
                                           SyntaxCase{"notice -1", "(- 'notice 1)"},
                                           SyntaxCase{"notice(1).f", "(method f (call notice 1))"},
                                           SyntaxCase{"include a, b::c", "(call include 'a 'b::c)"},
                                           SyntaxCase{"$a = notice 'b'", R"((= $a 'notice) "b")"},
                                           SyntaxCase{"$a = 1; $b = 2", "(= $a 1) (= $b 2)"},
                                           SyntaxCase{"next 5", "(call next 5)"},
                                           SyntaxCase{"[$a, [$b, $c]] = $d", "(= (list $a (list $b $c)) $d)"}));

INSTANTIATE_TEST_SUITE_P(
    Branches, Parsing,
    ::testing::Values(
        SyntaxCase{"if $a { 1 } elsif $b { 2 } else { 3 }", "(if $a (do 1) (if $b (do 2) (do 3)))"},
        SyntaxCase{"unless $a { 1 } else { 2 }", "(unless $a (do 1) (do 2))"},
        SyntaxCase{"$a = if $b { 1 }", "(= $a (if $b (do 1) ()))"},
        SyntaxCase{"case $a { 1, 'b': { 2 } *$c: { } default: { 3 } }",
                   R"((case $a ((values 1 "b") (do 2)) ((values (* $c)) (do)) ((values default) (do 3))))"},
        SyntaxCase{"[1].map |$x| { if $x { next(1) } $x }",
                   "(method map (list 1) (lambda (($x () ())) () (do (if $x (do (call next 1)) ()) $x)))"}));

// What another grammar may ask for.

const Expression* read_with(Grammar grammar, std::string_view text, testing::Program& program) {
  Parser parser(program.sources, program.sources.add("y.pp", std::string(text)), program.tree, program.limits);
  return parser.expression(grammar);
}

TEST(Parser, InEndsAnExpressionOutsideOfBrackets) {
  testing::Program program("");
  const Grammar grammar{.in_ends = true, .queries = false, .classes = false};
  const auto read = [&](std::string_view text) {
    return testing::TreePrinter::print(*read_with(grammar, text, program));
  };
  EXPECT_EQ(read("'a' + 'b' in 'list'"), R"((+ "a" "b"))");
  EXPECT_EQ(read("('a' in $b) in 'list'"), R"((in "a" $b))");
  EXPECT_EQ(read("['a' in $b] in 'list'"), R"((list (in "a" $b)))");
  EXPECT_EQ(read("f('a' in $b)[1 in $c] in 'list'"), R"((at (call f (in "a" $b)) (in 1 $c)))");
  EXPECT_EQ(read("\"${'a' in $b}\" in 'list'"), R"((text (in "a" $b)))");
  EXPECT_EQ(read("if 'a' in $b { 1 } in 'list'"), R"((if (in "a" $b) (do 1) ()))");
}

TEST(Parser, QueriesAreReadWhereTheGrammarHasThem) {
  testing::Program program("");
  const Grammar grammar{.in_ends = true, .queries = true, .classes = false};
  const auto read = [&](std::string_view text) {
    return testing::TreePrinter::print(*read_with(grammar, text, program));
  };
  EXPECT_EQ(read("Sql[??]"), "(Sql?? )");
  EXPECT_EQ(read("Sql[?? name == one]"), "(Sql?? (== name 'one))");
  EXPECT_EQ(read("?? type == 'Sql' or size > 5 and not tag ~= /x/"),
            R"((?? (or (== type "Sql") (and (> size 5) (not (=~ tag /"x"))))))");
  EXPECT_EQ(read("Sql[?? (a == 1 OR b != -2) AND !parameter.title !~ 'x']"),
            R"((Sql?? (and (or (== a 1) (!= b (- 2))) (not (!~ parameter.title "x")))))");
  EXPECT_EQ(read("Sql[?? not == 1 and a ~! (1 + 2) and b <= $c['d']]"),
            R"((Sql?? (and (== not 1) (!~ a (+ 1 2)) (<= b (at $c "d")))))");
  EXPECT_EQ(read("[Sql[?? a == 1]]"), "(list (Sql?? (== a 1)))");
  EXPECT_EQ(testing::read("Sql[?? a == 1]"), "1:5: a query is not allowed here");
  try {
    (void)read("Sql[?? title in [one]]");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "expected a comparison, such as '==' or '=~', found the keyword 'in'");
  }
}

TEST(Parser, EqualPatternsAreCompiledOnce) {
  const testing::Program program("[/a/, /b/, /a/]");
  const auto items = as<List>(*program.block->statements[0]).items;
  EXPECT_EQ(&as<RegexLiteral>(*items[0]).value.as_object(), &as<RegexLiteral>(*items[2]).value.as_object());
  EXPECT_NE(&as<RegexLiteral>(*items[0]).value.as_object(), &as<RegexLiteral>(*items[1]).value.as_object());
}

TEST(Parser, PatternsAreCounted) {
  Limits limits;
  limits.steps = 3000;
  EXPECT_EQ(testing::read("[/a/, /b/, /c/, /a/]", limits), R"((list /"a" /"b" /"c" /"a"))");
  const testing::Program program("[/a/, /b/, /c/, /d/]", limits);
  ASSERT_EQ(program.errors.all().size(), 1U);
  EXPECT_EQ(program.errors.all()[0].code, "limit.steps");
}

TEST(Parser, NodesKnowWhereTheyStand) {
  const testing::Program program("$a +\n  f('b')");
  const Binary& sum = as<Binary>(*program.block->statements[0]);
  const auto place = [&](Origin origin) { return program.sources.place(origin).to_string(); };
  EXPECT_EQ(place(sum.origin), "x.pp:1:1");
  EXPECT_EQ(place(sum.sign), "x.pp:1:4");
  EXPECT_EQ(place(sum.right->origin), "x.pp:2:3");
  EXPECT_EQ(place(as<Literal>(*as<Call>(*sum.right).arguments[0]).value.origin()), "x.pp:2:5");
}

TEST(Parser, NestingIsBounded) {
  const auto code = [](const std::string& text) {
    const testing::Program program(text);
    return program.errors.empty() ? std::string() : program.errors.all()[0].code;
  };
  const auto repeated = [](std::string_view text, std::size_t count) {
    std::string out;
    for (std::size_t i = 0; i < count; ++i) out += text;
    return out;
  };
  EXPECT_EQ(code(repeated("(", 100000)), "limit.depth");
  EXPECT_EQ(code(repeated("[", 100000)), "limit.depth");
  EXPECT_EQ(code(repeated("!", 100000) + "1"), "limit.depth");
  EXPECT_EQ(code(repeated("if 1 {", 100000)), "limit.depth");
  EXPECT_EQ(code(repeated("\"${", 100000)), "limit.depth");
  EXPECT_EQ(code(repeated("$a = ", 100000) + "1"), "limit.depth");
  EXPECT_EQ(code("if 1 {} " + repeated("elsif 1 {} ", 100000)), "limit.depth");
  // Chains do not recurse while they are read, but what walks them does.
  EXPECT_EQ(code("1" + repeated(" + 1", 100000)), "limit.depth");
  EXPECT_EQ(code("$a" + repeated(".b", 100000)), "limit.depth");
  EXPECT_EQ(code("$a" + repeated("[1]", 100000)), "limit.depth");
  EXPECT_EQ(code("1" + repeated(" + 1", 900)), "");
}

}  // namespace
}  // namespace strata::puppet
