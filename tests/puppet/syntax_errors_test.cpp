// SPDX-License-Identifier: Apache-2.0
// What is said of programs that are wrong.
#include <gtest/gtest.h>

#include "puppet/syntax_world.hpp"

namespace strata::puppet {
namespace {

using testing::Program;
using testing::read;

/// The first error: message, notes, hint.
std::string told(std::string_view text) {
  const Program program(text);
  if (program.errors.empty()) return "";
  const Diagnostic& error = program.errors.all()[0];
  std::string out = error.message;
  for (const Excerpt& note : error.notes) out += " | " + note.place.to_string() + " " + note.message;
  return out + (error.hint.empty() ? "" : " | " + error.hint);
}

TEST(SyntaxErrors, NameWhatWasExpectedAndWhatWasFound) {
  EXPECT_EQ(read("f(1 2)"), "1:5: expected ',' or ')' after an argument, found '2'");
  EXPECT_EQ(read("[1 'b']"), "1:4: expected ',' or ']' after an item of the list, found the text 'b'");
  EXPECT_EQ(read("{a 1}"), "1:4: expected '=>' after a key of the hash, found '1'");
  EXPECT_EQ(read("$a = "), "1:6: expected an expression, found the end of the text");
  EXPECT_EQ(read("$a ? { 1 => 2 3 => 4 }"), "1:15: expected ',' or '}' after the value of a selector, found '3'");
  EXPECT_EQ(read("$a.if"), "1:4: expected the name of a function after '.', found the keyword 'if'");
  EXPECT_EQ(read("f(1) |x| { }"), "1:7: expected a parameter: $name, found 'x'");
  EXPECT_EQ(read("if $a = 1 { }"), "1:7: expected '{', found '='");
  EXPECT_EQ(read("case 1 { }"), "1:10: expected an expression, found '}'");
  EXPECT_EQ(read("notice a => 1"), "1:10: expected an expression, found '=>'");
  EXPECT_EQ(read("f(type)"), "1:3: a type alias is not allowed here: expected an expression, found the keyword 'type'");
  EXPECT_EQ(read("$a[]"), "1:4: expected an expression, found ']'");
  EXPECT_EQ(read("$a ? { 1 => 2 }(3)"), "1:1: this cannot be called: only the name of a function, or a type, can");
  EXPECT_EQ(read("5;"), "1:3: expected a statement after ';', found the end of the text");
  EXPECT_EQ(read("if $a { 5; }"), "1:12: expected a statement after ';', found '}'");
  EXPECT_EQ(read("$a(1)"), "1:1: this cannot be called: only the name of a function, or a type, can");
  EXPECT_EQ(read("f(1) |*$a, $b| { }"), "1:8: the parameter that takes the rest must be the last one");
  EXPECT_EQ(read("case 1 { default: {} default: {} }"), "1:22: this 'case' has a default already");
  EXPECT_EQ(read("1 ? { default => 1, default => 2 }"), "1:21: this selector has a default already");
  EXPECT_EQ(read("$::a = 1"), "1:1: a variable of another name space cannot be assigned to");
  EXPECT_EQ(read("$1 = 1"), "1:1: $1 is a group of the last match and cannot be assigned to");
  EXPECT_EQ(read("1 + $a = 3"), "1:1: only a variable, or a list of variables, can be assigned to");
}

TEST(SyntaxErrors, ShowTheBracketThatIsNotClosed) {
  EXPECT_EQ(told("if $a {\n  f(1)\n"),
            "expected a statement or '}', found the end of the text | x.pp:1:7 this '{' is not closed");
  EXPECT_EQ(told("$a = [1,\n  2\n$b = 1"),
            "expected ',' or ']' after an item of the list, found '$b' | x.pp:1:6 this '[' is not closed");
  EXPECT_EQ(told("f(1]"), "expected ',' or ')' after an argument, found ']'");
}

TEST(SyntaxErrors, KnowTheWordThatWasMeant) {
  EXPECT_EQ(told("if $a { } else if $b { }"),
            "expected '{' after 'else', found the keyword 'if' | 'else if' is written 'elsif'");
  EXPECT_EQ(told("$x = if $a { 1 } elseif $b { 2 }"),
            "this word has no effect: its value is not used | did you mean 'elsif'?");
  EXPECT_EQ(
      told("unless $a { } elsif $b { }"),
      "expected 'else', or the end of 'unless', found the keyword 'elsif' | 'unless' has no 'elsif': write 'if !…'");
  EXPECT_EQ(told("[unde f]"), "expected ',' or ']' after an item of the list, found 'f' | did you mean 'undef'?");
  EXPECT_EQ(told("$a += 1"), "there is no operator '+=': a variable never changes | write $new = $old + …");
  EXPECT_EQ(told("foo 1"), "this word has no effect: its value is not used | functions are called as foo(…)");
  EXPECT_EQ(told("private"),
            "expected an expression, found the keyword 'private' | this word is reserved: quote it to mean the text");
}

TEST(SyntaxErrors, NameWhatTheSubsetDoesNotHave) {
  EXPECT_EQ(told("file { 'x': }"), "a resource is not allowed here | only expressions are supported");
  EXPECT_EQ(told("File { mode => 1 }"), "a resource is not allowed here | only expressions are supported");
  const auto begins = [](std::string_view text, std::string_view beginning) {
    EXPECT_TRUE(told(text).starts_with(beginning)) << told(text);
  };
  begins("class a { }", "a class is not allowed here");
  begins("define a() { }", "a defined type is not allowed here");
  begins("node a { }", "a node definition is not allowed here");
  begins("function a() { }", "the definition of a function is not allowed here");
  begins("type A = Integer", "a type alias is not allowed here");
  begins("@file { 'x': }", "a virtual resource is not allowed here");
  begins("@@file { 'x': }", "an exported resource is not allowed here");
  begins("File <| |>", "a collector of resources is not allowed here");
  begins("File['a'] -> File['b']", "an arrow between resources is not allowed here");
  begins("import 'x'", "there is no 'import'");
}

TEST(SyntaxErrors, StatementsWithoutEffectAreRefused) {
  for (const std::string_view text : {"1\n2", "$a\n2", "$a == f(1)\n2", "[f(1)]\n2", "\"${f(1)}\"\n2", "if $a { 1 }\n2",
                                      "f(1) ? { 1 => 2 }\n2", "/a/\n2"}) {
    EXPECT_TRUE(read(text).ends_with("has no effect: its value is not used")) << text;
  }
  for (const std::string_view text : {"f(1)\n2", "$a = 1\n2", "$a.b\n2", "if f(1) { }\n2", "if $a { f(1) }\n2",
                                      "case 1 { f(1): { } }\n2", "1", "notice 1\n2"}) {
    EXPECT_EQ(read(text).find("effect"), std::string::npos) << text;
  }
}

TEST(SyntaxErrors, SeveralAreReportedInOneRun) {
  EXPECT_EQ(read("$a = [1 2]\n$b = (3\n$c = 4\n)\nif $d {\n  $e = ]\n  $f = {a}\n}\n$g = 5 5 5"),
            "1:9: expected ',' or ']' after an item of the list, found '2'\n"
            "3:1: expected ')', found '$c'\n"
            "6:8: expected an expression, found ']'\n"
            "7:10: expected '=>' after a key of the hash, found '}'\n"
            "9:8: this value has no effect: its value is not used");
  EXPECT_EQ(read("}\n$a = )\n}"), "1:1: expected an expression, found '}'\n2:6: expected an expression, found ')'");
  std::string many;
  for (int i = 0; i < 50; ++i) many += "$a = )\n";
  EXPECT_EQ(Program(many).errors.all().size(), 20U);
}

TEST(SyntaxErrors, ReadingEndsBehindOneInsideOfAText) {
  EXPECT_EQ(read("$a = \"${b c}\"\n$d = 1 + \"${]}\"\n$e = )"),
            "1:11: expected '}' at the end of the interpolation, found 'c'\n2:13: expected an expression, found "
            "']'\n3:6: expected an expression, "
            "found ')'");
}

}  // namespace
}  // namespace strata::puppet
