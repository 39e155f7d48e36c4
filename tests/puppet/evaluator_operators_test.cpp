// SPDX-License-Identifier: Apache-2.0
// Operators, access and texts of values, as Puppet 7.23 gave them.
#include <gtest/gtest.h>

#include "puppet/evaluator_world.hpp"

namespace strata::puppet::testing {
namespace {

TEST(Arithmetic, RoundsDownAndKeepsKinds) {
  expect_results({{"7 / 2", "3"},
                  {"-7 / 2", "-4"},
                  {"-7 % 3", "2"},
                  {"7 % -3", "-2"},
                  {"7.0 / 2", "3.5"},
                  {"2 * 1.0", "2.0"},
                  {"1 + 2 * 3", "7"},
                  {"9223372036854775807 % -1", "0"},
                  {"1 << 3", "8"},
                  {"1 << 1.5", "2"},
                  {"1 << -1", "0"},
                  {"-1 << 63", "-9223372036854775808"},
                  {"-5 >> 1", "-3"},
                  {"5 >> -1", "10"},
                  {"0 << 100", "0"}});
}

TEST(Arithmetic, TakesTextsForNumbers) {
  expect_results({{"'1' + 2", "3"},
                  {"'1.5' * 2", "3.0"},
                  {"'0x10' + 1", "17"},
                  {"'017' + 1", "16"},
                  {"-'5'", "-5"},
                  {"' 5 ' + 1", "6"},
                  {"'- 5' + 1", "-4"},
                  {"'1e3' + 1", "1001.0"},
                  {"'08' + 1", "puppet.operand 1:1"},
                  {"'1_000' + 1", "puppet.operand 1:1"},
                  {"1 + 'abc'", "puppet.operand 1:5"},
                  {"'0e1' + 1", "puppet.operand 1:1"}});
  const Evaluated warned("'1' + 2");
  ASSERT_EQ(warned.diagnostics.warnings().size(), 1U);
  EXPECT_EQ(warned.diagnostics.warnings()[0].code, "puppet.coercion");
}

TEST(Arithmetic, NeverLeaves64Bits) {
  expect_results({{"9223372036854775807 + 1", "puppet.overflow 1:21"},
                  {"-9223372036854775807 - 2", "puppet.overflow 1:22"},
                  {"4611686018427387904 * 2", "puppet.overflow 1:21"},
                  {"(-9223372036854775807 - 1) / -1", "puppet.overflow 1:28"},
                  {"-(-9223372036854775807 - 1)", "puppet.overflow 1:1"},
                  {"1 << 63", "puppet.overflow 1:3"},
                  {"1.0 / 0", "puppet.overflow 1:5"},
                  {"'99999999999999999999' + 1", "puppet.overflow 1:1"},
                  {"1 / 0", "puppet.division-by-zero 1:5"},
                  {"1 % 0", "puppet.division-by-zero 1:5"}});
}

TEST(Arithmetic, RefusesWhatIsNoNumber) {
  expect_results({{"5 % 3.0", "puppet.operand 1:3"},
                  {"1.5 << 1", "puppet.operand 1:5"},
                  {"'a' + 'b'", "puppet.operand 1:1"},
                  {"undef + [1]", "puppet.operand 1:1"},
                  {"[1, 2] * 2", "puppet.operand 1:1"},
                  {"-undef", "puppet.operand 1:2"},
                  {"1 << 'x'", "puppet.operand 1:6"}});
}

TEST(Collections, AreAddedAndSubtracted) {
  expect_results({{"[1, 2] + [3]", "[1, 2, 3]"},
                  {"[1, 2] + 3", "[1, 2, 3]"},
                  {"[1] + undef", "[1, nil]"},
                  {"[1] + {'a' => 1}", "[1, [\"a\", 1]]"},
                  {"$x = {a => 1, b => 2} + {a => 3}\n$x", "{\"a\"=>3, \"b\"=>2}"},
                  {"$x = {a => 1} + [['b', 2]]\n$x", "{\"a\"=>1, \"b\"=>2}"},
                  {"$x = {a => 1} + [c, 2]\n$x", "{\"a\"=>1, \"c\"=>2}"},
                  {"$x = {a => 1} + [[c, 2], [d]]\n$x", "{\"a\"=>1, \"c\"=>2, \"d\"=>nil}"},
                  {"$x = {a => 1} + [c, 2, d]\n$x", "puppet.operand 1:15"},
                  {"$x = {a => 1} + [[c, 2], undef]\n$x", "puppet.operand 1:15"},
                  {"$x = {a => 1} + 5\n$x", "puppet.operand 1:15"},
                  {"[1, 2, 3, 2] - [2]", "[1, 3]"},
                  {"[1] - [1.0]", "[]"},
                  {"['A'] - ['a']", "[\"A\"]"},
                  {"$x = {a => 1, b => 2} - 'a'\n$x", "{\"b\"=>2}"},
                  {"$x = {a => 1, b => 2} - {a => 5}\n$x", "{\"b\"=>2}"},
                  {"[1, 2, ['a', 1]] - {a => 1}", "[1, 2]"},
                  {"[1] << [2, 3]", "[1, [2, 3]]"},
                  {"$x = {a => 1} << 5\n$x", "puppet.operand 1:15"},
                  {"[*5, *undef, *{a => 1}, *[1, 2]]", "[5, [\"a\", 1], 1, 2]"}});
}

TEST(Collections, DoNotChangeWhatTheyAreMadeOf) {
  expect_results({{"$a = [1, 2]\n$b = $a + 3\n$c = $a << 4\n[$a, $b, $c]", "[[1, 2], [1, 2, 3], [1, 2, 4]]"},
                  {"$a = {x => 1}\n$b = $a + {y => 2}\n[$a, $b]", "[{\"x\"=>1}, {\"x\"=>1, \"y\"=>2}]"}});
}

TEST(Comparison, IgnoresTheCaseOfTexts) {
  expect_results({{"'ABC' == 'abc'", "true"},
                  {"['A'] == ['a']", "true"},
                  {"'\u00c4' == '\u00e4'", "false"},
                  {"'a' < 'B'", "true"},
                  {"'_' < 'A'", "true"},
                  {"'abc' < 'abcd'", "true"},
                  {"1 == 1.0", "true"},
                  {"'1' == 1", "false"},
                  {"undef == ''", "false"},
                  {"9007199254740993 == 9007199254740992.0", "false"},
                  {"9007199254740993 > 9007199254740992.0", "true"},
                  {"1 < 1.5", "true"},
                  {"-1.5 < -1", "true"},
                  {"1e19 > 9223372036854775807", "true"},
                  {"{a => undef} == {b => undef}", "true"},
                  {"{a => 'X'} == {a => 'x'}", "true"},
                  {"/a/ == /a/", "true"},
                  {"default == default", "true"}});
}

TEST(Comparison, RefusesUnlikeKinds) {
  expect_results({{"'5' > 4", "puppet.comparison 1:5"},
                  {"true > false", "puppet.comparison 1:6"},
                  {"[1] < [2]", "puppet.comparison 1:5"},
                  {"undef < 1", "puppet.comparison 1:7"},
                  {"(0.0 / 0) < 1", "puppet.comparison 1:11"}});
}

TEST(Comparison, OrdersTypesByTheirMembers) {
  expect_results({{"Integer[1, 2] < Integer", "true"},
                  {"Integer < Integer", "false"},
                  {"Integer <= Integer", "true"},
                  {"Variant[Integer] == Integer", "true"},
                  {"Tuple == Array[Integer]", "true"},
                  {"Integer >= 'x'", "false"}});
}

TEST(Matching, SetsTheGroups) {
  expect_results({{"'abc' =~ /b(.)/\n$1", "\"c\""},
                  {"'abc' =~ /b(.)/\n'abc' =~ /x(.)/\n$1", "\"c\""},
                  {"'abc' =~ /(x)?b/\n[$0, $1, $2]", "[\"b\", nil, nil]"},
                  {"'abc' =~ 'b'", "true"},
                  {"'abc' !~ /b/", "false"},
                  {"5 =~ Integer", "true"},
                  {"5 =~ /5/", "puppet.match 1:1"},
                  {"'x' =~ 5", "puppet.match 1:8"},
                  {"'5' =~ 'a('", "regex.syntax 1:8"}});
}

TEST(Inclusion, LooksAsTheLanguageDoes) {
  expect_results({{"'b' in 'ABC'", "true"},
                  {"'\u00e4' in 'x\u00c4x'", "true"},
                  {"'b' in ['A', 'B']", "true"},
                  {"'a' in {'A' => 1}", "true"},
                  {"/x/ in ['ax']", "true"},
                  {"'x' in [String]", "true"},
                  {"'x' in [/X/]", "false"},
                  {"5 in '5'", "false"},
                  {"1.0 in [1]", "true"},
                  {"[1] in [[1]]", "true"},
                  {"undef in [undef]", "true"},
                  {"Integer in [1]", "true"},
                  {"Integer in [Integer]", "false"},
                  {"'a' in 5", "false"},
                  {"/b(.)/ in 'abc' and $1 == 'c'", "true"}});
}

TEST(Access, TakesParts) {
  expect_results({{"[1, 2, 3][-1]", "3"},
                  {"[1, 2, 3]['1']", "2"},
                  {"[1][9]", "nil"},
                  {"[1, 2, 3, 4][1, -1]", "[2, 3, 4]"},
                  {"[1, 2, 3, 4][-3, 2]", "[2, 3]"},
                  {"[1, 2, 3][5, 2]", "[]"},
                  {"'hello'[1, 3]", "\"ell\""},
                  {"'hello'[-3, 3]", "\"llo\""},
                  {"'h\u00e9llo'[1]", "\"\u00e9\""},
                  {"'abc'[5]", "\"\""},
                  {"$x = {a => 1, b => 2}['a', 'b', 'c']\n$x", "[1, 2]"},
                  {"$x = {1 => 2}[1.0]\n$x", "nil"},
                  {"$facts['os']['family']", "\"Debian\""},
                  {"$facts['nope']['x']", "puppet.access 1:1"},
                  {"undef['a']", "puppet.access 1:1"},
                  {"[1, 2][1.5]", "puppet.access 1:8"},
                  {"5[1]", "puppet.access 1:1"}});
}

TEST(Types, AreValues) {
  expect_results({{"Integer[1, 3]", "Integer[1, 3]"},
                  {"Class['::A::b']", "Class[a::b]"},
                  {"Class[ntp]", "Class[ntp]"},
                  {"File['/x']", "File['/x']"},
                  {"File['a', 'b']", "[File['a'], File['b']]"},
                  {"Resource['file', 'x'] == File['x']", "true"},
                  {"Struct[{a => Integer}]", "Struct[{'a' => Integer}]"},
                  {"[1] =~ Array[Integer, 1]", "true"},
                  {"/a/ =~ Regexp[/a/]", "true"},
                  {"default =~ Default", "true"},
                  {"String['x']", "puppet.type 1:1"},
                  {"Array[1]", "puppet.type 1:1"},
                  {"Integer[3, 1]", "puppet.type 1:1"},
                  {"Class['A b']", "puppet.type 1:1"}});
}

TEST(Texts, AreWrittenAsTheLanguageDoes) {
  expect_results({{"\"${[1, undef, 'x', 1.5, true, default, /a.b/, Integer[1, 2]]}\"",
                   "\"[1, , x, 1.5, true, default, /a.b/, Integer[1, 2]]\""},
                  {"\"${undef}${facts['os']}\"", "\"{family => Debian}\""},
                  {"\"${[1e15, 10000000000.0, 0.00001]}\"", "\"[1.0e+15, 10000000000.0, 1.0e-05]\""},
                  {"\"$facts['os']\"", "\"{os => {family => Debian}, tags => [web, Db]}['os']\""},
                  {"\"${[]}${{}}\"", "\"[]{}\""}});
}

TEST(Conversions, TakeTheWordDefaultAndPatterns) {
  expect_results({{"Integer('-5', default, true)", "5"},
                  {"Integer({from => '0x1F', radix => default})", "31"},
                  {"String(default, '%d')", R"("default")"},
                  {"String(default, '%#D')", R"("\"Default\"")"},
                  {"String([default, /a/], '%p')", R"("[default, /a/]")"},
                  {"String(/a/, '%p')", R"("/a/")"},
                  {"String(/a/, '%#s')", R"("'a'")"},
                  {"{a => 2} =~ Struct[a => 1]", "true"},
                  {"\"${Struct[{a => [1]}]}\"", R"("Struct[{'a' => Array[Integer]}]")"},
                  {"Foo::BarBaz['x'] == Foo::Barbaz['x']", "true"},
                  {"\"${Foo::BarBaz['x']}\"", R"("Foo::Barbaz['x']")"}});
}

TEST(Types, HaveFloatBoundsOfIntegersOfAnySize) {
  const std::string digits(401, '1');
  Evaluated::Options options;
  options.variables = R"({"big": )" + digits + R"(, "low": -)" + digits + "}";
  const auto told = [&options](std::string_view text) { return Evaluated(text, options).told(); };
  EXPECT_EQ(told("1.5 =~ Float[0, $big]"), "true");
  EXPECT_EQ(told("\"${Float[0, $big]}\""), R"("Float[0.0]")");
  EXPECT_EQ(told("1.5 =~ Float[$low, $big]"), "true");
  EXPECT_EQ(told("\"${Float[$low, 0]}\""), R"("Float[default, 0.0]")");
  EXPECT_EQ(told("1.5 =~ Float[$big]"), "false");
  EXPECT_EQ(told("1.5 =~ Float[default, $low]"), "false");
}

}  // namespace
}  // namespace strata::puppet::testing
