// SPDX-License-Identifier: Apache-2.0
// Tokens, as they show in what is read. What Puppet 7.23 reads is the expectation, save for the wording of errors.
#include <gtest/gtest.h>

#include "puppet/syntax_world.hpp"

namespace strata::puppet {
namespace {

using testing::read;
using testing::SyntaxCase;

/// A text, with what it is read into.
class Lexing : public ::testing::TestWithParam<SyntaxCase> {};

TEST_P(Lexing, GivesTheTree) { EXPECT_EQ(read(GetParam().text), GetParam().expected) << GetParam().text; }

INSTANTIATE_TEST_SUITE_P(
    Numbers, Lexing,
    ::testing::Values(
        SyntaxCase{"[0, 7, 0x1F, 017, 00, 1.5, 1e5, 1.5e-3]", "(list 0 7 31 15 0 1.5f 100000f 0.0015f)"},
        SyntaxCase{"9223372036854775807", "9223372036854775807"},
        SyntaxCase{"9223372036854775808", "1:1: '9223372036854775808' does not fit into an integer of 64 bits"},
        SyntaxCase{"0x8000000000000000", "1:1: '0x8000000000000000' does not fit into an integer of 64 bits"},
        SyntaxCase{"1_000", "1:1: '1_000' is not a number"}, SyntaxCase{"08", "1:1: '08' is not a number"},
        SyntaxCase{"0xZ", "1:1: '0xZ' is not a number"}, SyntaxCase{"0x", "1:1: '0x' is not a number"},
        SyntaxCase{"1e400", "1:1: '1e400' is too large for a floating point number"}, SyntaxCase{"1e-400", "0f"},
        SyntaxCase{"1.5e", "1:1: '1.5e' is not a number"}, SyntaxCase{"3.abs", "(method abs 3)"}));

INSTANTIATE_TEST_SUITE_P(
    Names, Lexing,
    ::testing::Values(SyntaxCase{"[one, ntp::server, ::x, a-b, a--b, _x, a::_b]",
                                 "(list 'one 'ntp::server '::x 'a-b 'a--b '_x 'a::_b)"},
                      SyntaxCase{"[a - 1, a- 1, $x-1]", "(list (- 'a 1) (- 'a 1) (- $x 1))"},
                      SyntaxCase{"[Foo, Foo::Bar, ::Foo, Foo_b]", "(list Foo Foo::Bar Foo Foo_b)"},
                      SyntaxCase{"Foo::bar",
                                 "1:1: 'Foo::b…' is not a name: all of its parts begin with a capital, or none"},
                      SyntaxCase{"[$a, $::a::b, $_x, $a::_b, $0, $12]", "(list $a $::a::b $_x $a::_b $0 $12)"},
                      SyntaxCase{"$A", "1:1: '$A' is not a variable name"},
                      SyntaxCase{"$01", "1:1: '$01' is not a variable name"},
                      SyntaxCase{"$_a::b", "1:1: '$_a::b' is not a variable name"},
                      SyntaxCase{"$ x", "1:1: '$' is not followed by the name of a variable"}));

INSTANTIATE_TEST_SUITE_P(
    Texts, Lexing,
    ::testing::Values(SyntaxCase{R"('a\'b\\c\nd')", R"("a'b\\c\\nd")"}, SyntaxCase{R"('')", R"("")"},
                      SyntaxCase{"'a\nb'", R"("a\nb")"},
                      SyntaxCase{R"("a\n\t\s\r\$\"\'\\\u0041\u{1F600}")", "\"a\\n\\t \\r$\\\"'\\\\A😀\""},
                      SyntaxCase{R"("\q\x41\u12\u{}\u{1234567}")", R"("\\q\\x41\\u12\\u{}\\u{1234567}")"},
                      SyntaxCase{"\"a\\\nb\"", R"("ab")"},
                      SyntaxCase{R"("\uD800")", "1:2: '\\uD800' is not a character"},
                      SyntaxCase{"'abc", "1:1: this text is not closed"},
                      SyntaxCase{"\"abc", "1:1: this text is not closed"},
                      SyntaxCase{"\"abc${x\"", "1:8: this text is not closed"}));

INSTANTIATE_TEST_SUITE_P(
    Interpolation, Lexing,
    ::testing::Values(
        SyntaxCase{R"("$a-$::b::c.d[1]")", R"((text $a "-" $::b::c ".d[1]"))"},
        SyntaxCase{R"("$ {x} $$ $")", R"("$ {x} $$ $")"},
        SyntaxCase{R"("${a}${b['c'].d}")", R"((text $a (method d (at $b "c"))))"},
        SyntaxCase{R"("${class} ${if['a']} ${0} ${1.abs}")",
                   R"((text $class " " (at $if "a") " " $0 " " (method abs $1)))"},
        SyntaxCase{R"("${a + 1} ${f(1)} ${a(1)[0]}")", R"((text (+ 'a 1) " " (call f 1) " " (at (call a 1) 0)))"},
        SyntaxCase{R"("${a[0] + 1}")", R"((text (+ (at $a 0) 1)))"},
        SyntaxCase{R"("${'x'}${"y${z}"}")", R"((text "x" (text "y" $z)))"},
        SyntaxCase{R"("${{a => 1}['a']}")", R"((text (at (hash (=> 'a 1)) "a")))"},
        SyntaxCase{R"("${x = 1}")", "1:4: only a variable, or a list of variables, can be assigned to"},
        SyntaxCase{R"("${}")", "1:4: expected an expression after '${', found the '}' that ends an interpolation"},
        SyntaxCase{R"("${a b}")", "1:6: expected '}' at the end of the interpolation, found 'b'"},
        SyntaxCase{R"("${a-b}")", "1:4: 'a-b' is not a variable name"},
        SyntaxCase{R"("$Foo")", "1:2: '$Foo' is not a variable name"}));

INSTANTIATE_TEST_SUITE_P(
    Heredocs, Lexing,
    ::testing::Values(
        SyntaxCase{"@(END)\n  a\\n$b\n  | END\n", R"("a\\n$b\n")"},
        SyntaxCase{"@(END)\n  a\n    b\n c\n\n  |- END", R"("a\n  b\n c\n")"},
        SyntaxCase{"@(END)\n\t\ta\n  b\n\t| END", R"("\ta\n  b\n")"},
        SyntaxCase{"@(\"END\")\n  a $b ${c['d']}\\n\n  | END", R"((text "a " $b " " (at $c "d") "\\n\n"))"},
        SyntaxCase{"@(END/tn)\na\\tb\\nc\\\\d\\s\nEND", R"("a\tb\nc\\d\\s\n")"},
        SyntaxCase{"@(END/)\na\\\nb\\$\\u0041\\'\nEND", R"("ab$A\\'\n")"},
        SyntaxCase{"@(\"END\"/L)\n  a\\\n   b\\n\n  | END", R"("a b\\n\n")"},
        SyntaxCase{"[@(A), @(B)] + 1\na\nA\nb\nB\n2", "1:1: this operation has no effect: its value is not used"},
        SyntaxCase{"[@(A), @(B)]\na\nA\nb\nB", R"((list "a\n" "b\n"))"},
        SyntaxCase{"f(@(A), 1)\nx\nA\ng(2)", R"((call f "x\n" 1) (call g 2))"},
        SyntaxCase{"@(\"A B\")\nx\n  A B\n", R"("x\n")"}, SyntaxCase{"@(A)\nA", R"("")"},
        SyntaxCase{"@(A)\r\nx\r\n|- A\r\n", R"("x")"}, SyntaxCase{"@(A:json)\n{\"a\": 1}\nA", R"("{\"a\": 1}\n")"},
        SyntaxCase{"@(A:pp)\n{\nA", R"("{\n")"},
        SyntaxCase{"@(A:json)\n{\"a\": }\nA",
                   "1:1: this heredoc is not JSON: line 1 of it: expected a value, found '}'"},
        SyntaxCase{"@(A:yaml)\na: b: c\nA",
                   "1:1: this heredoc is not YAML: line 1 of it: mapping values are not allowed in this context"},
        SyntaxCase{"@(A/q)\nA", "1:5: 'q' is not a flag of a heredoc"},
        SyntaxCase{"@(A/nn)\nA", "1:6: the flag 'n' occurs twice"},
        SyntaxCase{"@()\nx", "1:1: this heredoc has no tag"}, SyntaxCase{"@(A)\nx", "1:1: this heredoc is not closed"},
        SyntaxCase{"@(A)", "1:1: no line follows this heredoc"},
        SyntaxCase{"@(\"A\")\n${@(B)}\nb\nB\nA", "2:3: a heredoc cannot be inside another one"}));

INSTANTIATE_TEST_SUITE_P(
    RegularExpressions, Lexing,
    ::testing::Values(
        SyntaxCase{R"([/a\/b/, /a b/, //])", R"((list /"a/b" /"a b" /""))"},
        SyntaxCase{"[/a\nb/]", R"((list /"a\nb"))"}, SyntaxCase{"$a / 2 / 3", "(/ (/ $a 2) 3)"},
        SyntaxCase{"($a) /2/ 3", "(/ (/ $a 2) 3)"}, SyntaxCase{"f(1)[0] /2/ 3", "(/ (/ (at (call f 1) 0) 2) 3)"},
        SyntaxCase{"\"${a}\" /2/ 3", "(/ (/ (text $a) 2) 3)"},
        SyntaxCase{"$a =~ /b/ and $c !~ /d/", R"((and (=~ $a /"b") (!~ $c /"d")))"},
        SyntaxCase{"if $a { /b/ }", R"((if $a (do /"b") ()))"},
        SyntaxCase{"/a*?(/", "1:1: the regular expression 'a*?(' is wrong: end pattern with unmatched parenthesis"}));

INSTANTIATE_TEST_SUITE_P(BlanksAndComments, Lexing,
                         ::testing::Values(SyntaxCase{"# a\n1 # b", "1"}, SyntaxCase{"/* a\n * b */ 1", "1"},
                                           SyntaxCase{"1 /* a", "1:3: this comment is not closed"},
                                           SyntaxCase{"[1,\r\n\t2]", "(list 1 2)"},
                                           SyntaxCase{"[1,\u00A02]", "(list 1 2)"}, SyntaxCase{"", ""},
                                           SyntaxCase{"# a", ""},
                                           SyntaxCase{"\xEF\xBB\xBF"
                                                      "1",
                                                      "1:1: the text begins with a byte order mark"},
                                           SyntaxCase{"'\xFF'", "1:2: this byte is not UTF-8"},
                                           SyntaxCase{"1 ^ 2", "1:3: unexpected character '^'"},
                                           SyntaxCase{"$a = 'ä' é", "1:10: unexpected character 'é'"}));

TEST(Lexer, ABracketBehindABlankBeginsAList) {
  EXPECT_EQ(read("$a[1]"), "(at $a 1)");
  EXPECT_EQ(read("$a = $b [1]"), "(= $a $b) (list 1)");
  EXPECT_EQ(read("notice [1]"), "(call notice (list 1))");
}

TEST(Lexer, TokensKnowWhereTheyStand) {
  Sources sources;
  SyntaxTree tree(0);
  const Limits limits;
  Lexer lexer(sources, sources.add("x", "ab\n  'c\\'d' # x\n\"e$f\""), tree, limits);
  const Token name = lexer.next();
  EXPECT_EQ(name.offset, 0U);
  EXPECT_EQ(name.length, 2U);
  EXPECT_TRUE(name.first_of_line);
  const Token text = lexer.next();
  EXPECT_EQ(text.offset, 5U);
  EXPECT_EQ(text.length, 6U);
  EXPECT_EQ(text.text, "c'd");
  EXPECT_TRUE(text.first_of_line);
  const Token begin = lexer.next();
  EXPECT_EQ(begin.kind, TokenKind::text_begin);
  EXPECT_FALSE(begin.is_braced);
  EXPECT_EQ(lexer.next().text, "f");
  EXPECT_EQ(lexer.next().kind, TokenKind::text_end);
  EXPECT_EQ(lexer.next().kind, TokenKind::end);
  EXPECT_EQ(lexer.nesting(), 0U);
}

TEST(Lexer, TextsBeyondTheLimitAreRefused) {
  Limits limits;
  limits.input = 3;
  const testing::Program program("1234", limits);
  ASSERT_EQ(program.errors.all().size(), 1U);
  EXPECT_EQ(program.errors.all()[0].code, "limit.input");
}

}  // namespace
}  // namespace strata::puppet
