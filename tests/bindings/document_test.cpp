// SPDX-License-Identifier: Apache-2.0
// The grammar of documents, with the examples of the proposal, corrected.
#include <gtest/gtest.h>

#include "bindings/document_world.hpp"

namespace strata::bindings {
namespace {

using testing::read;
using testing::statements;
using testing::told;

TEST(Document, HasANameAndStatements) {
  EXPECT_EQ(read("bindings default { }"), "");
  EXPECT_EQ(read("# a comment\nbindings m::default { bind 'a' to 1 }"), R"(bind "a" to 1)");
  EXPECT_EQ(read("BINDINGS m::MySpecial { BIND 'a' TO 1 IN 'b' }"), R"(bind "a" id "b" to 1)");
  Sources sources;
  const auto document = read_document(sources, sources.add("x.pp", "bindings m::MySpecial { }"), "m::myspecial", {});
  EXPECT_EQ(document->name, "m::myspecial");
  EXPECT_EQ(sources.place(document->origin).to_string(), "x.pp:1:1");
}

TEST(Document, LinesWithSecretsAreNotShown) {
  const auto hides = [](const std::string& written) {
    Sources sources;
    const SourceId source = sources.add("x.pp", "bindings x {\n  bind 'a' to " + written + "\n}\n");
    (void)read_document(sources, source, "x", {});
    return sources.is_secret(source);
  };
  for (const char* written : {"Sensitive('x')", "Sensitive ( 42 )", "Sensitive.new(\"x\")", "[1, Sensitive(['x'])]",
                              "Sensitive(Sensitive('x'))"}) {
    EXPECT_TRUE(hides(written)) << written;
  }
  for (const char* written : {"Sensitive($x)", "Sensitive(lookup('x'))", "1", "'Sensitive'"}) {
    EXPECT_FALSE(hides(written)) << written;
  }
}

TEST(Document, ItsNameIsThatOfItsPath) {
  EXPECT_EQ(read("bindings m::Default { }", "m::default"), "");
  EXPECT_EQ(read("bindings x { }", "m::default"), "1:10: expected bindings 'm::default' in default.pp, found 'x'");
}

TEST(Document, IsTheOnlyOneOfItsFile) {
  EXPECT_EQ(read("bindings a { }\nbindings b { }"), "2:1: a file holds one bindings document: this is a second one");
  EXPECT_EQ(read("bindings a { }\n$x = 1"), "2:1: expected the end of the file after the bindings, found '$x'");
  EXPECT_EQ(read(""), "1:1: expected 'bindings NAME {', found the end of the text");
  EXPECT_EQ(read("$x = 1"), "1:1: expected 'bindings NAME {', found '$x'");
  EXPECT_EQ(read("Bindings a { }"), "1:1: expected 'bindings NAME {', found 'Bindings'");
  EXPECT_EQ(
      read("bindings a {\n  bind 'b' to 1\n"),
      "3:1: expected a statement (bind, multibind, rebind, include, exclude, when) or '}', found the end of the text");
}

TEST(Document, BindingsOfTheProposal) {
  EXPECT_EQ(statements("bind abstract \"the meaning of life\""), R"(bind abstract "the meaning of life")");
  EXPECT_EQ(statements("bind \"the meaning of life\" to 42"), R"(bind "the meaning of life" to 42)");
  EXPECT_EQ(statements("bind override \"the meaning of life\" to 42"), R"(bind override "the meaning of life" to 42)");
  EXPECT_EQ(statements("bind abstract override 'a'"), R"(bind abstract override "a")");
  EXPECT_EQ(statements("bind OVERRIDE ABSTRACT 'a'"), R"(bind abstract override "a")");
  EXPECT_EQ(statements("bind Integer, 'm::size' to 42"), R"(bind <Integer>"m::size" to 42)");
  EXPECT_EQ(statements("bind Hash, 'm::stuff' to {'a' => 10, 'b' => [1,2,3]}"),
            R"(bind <Hash>"m::stuff" to (hash (=> "a" 10) (=> "b" (list 1 2 3))))");
  EXPECT_EQ(statements("bind abstract Array[class ntp], 'ntp resources'"),
            R"(bind abstract <(at Array (at Class 'ntp))>"ntp resources")");
  EXPECT_EQ(statements("bind Type[SyntaxChecker], 'xml' to Type[MyChecker]"),
            R"(bind <(at Type SyntaxChecker)>"xml" to (at Type MyChecker))");
  EXPECT_EQ(statements("bind Type[Logger] to Type[SpecialLogger]"),
            "bind <(at Type Logger)> to (at Type SpecialLogger)");
  EXPECT_EQ(statements("bind class ntp to class ntp2"), "bind <class 'ntp> to class 'ntp2");
  EXPECT_EQ(statements("bind MyType to MyBetterType"), "bind <MyType> to MyBetterType");
  EXPECT_EQ(statements("bind String, 'id' to producer 'm::uuid'"), R"(bind <String>"id" producer "m::uuid")");
  EXPECT_EQ(statements("bind 'a' to producer Type[Constant] { producer_args => { 'value' => 42 }, singleton => true }"),
            R"(bind "a" producer (at Type Constant) {producer_args => (hash (=> "value" 42))} {singleton => true})");
  EXPECT_EQ(statements("bind \"a ${b}\" to $c"), R"(bind (text "a " $b) to $c)");
  EXPECT_EQ(statements("bind 'a' to producer\nbind 'b' to 1"), "bind \"a\" to 'producer\nbind \"b\" to 1");
}

TEST(Document, RebindingsOfTheProposal) {
  EXPECT_EQ(statements("rebind 'a'"), R"(rebind "a")");
  EXPECT_EQ(statements("bind alias 'a' AS 'b'"), R"(alias "a" target "b")");
  EXPECT_EQ(statements("bind renamed Integer, 'a' as abstract override String, 'b'"),
            R"(renamed abstract override <Integer>"a" target <String>"b")");
}

TEST(Document, MultibindsOfTheProposal) {
  EXPECT_EQ(statements("multibind Array[String], 'names' AS 'm::list'\nbind to 'Mary' in 'm::list'\nbind 'x' to ['a', "
                       "'b'] IN 'm::list'"),
            "multibind <(at Array String)>\"names\" id \"m::list\"\nbind id \"m::list\" to \"Mary\"\nbind \"x\" id "
            "\"m::list\" to (list \"a\" \"b\")");
  EXPECT_EQ(
      statements("multibind Array[Data], 'flat' as 'e' {\n  combinator => |$memo, $x| { $memo + flatten($x) }\n}"),
      R"(multibind <(at Array Data)>"flat" id "e" {combinator => (lambda (($memo () ()) ($x () ())) () (do (+ $memo (call flatten $x))))})");
  EXPECT_EQ(statements("multibind override Hash[Type[X]], 'syntax'"),
            R"(multibind override <(at Hash (at Type X))>"syntax")");
  EXPECT_EQ(statements("multibind Array[Data], 'a' to producer 'b'"), R"(multibind <(at Array Data)>"a" producer "b")");
  EXPECT_EQ(statements("bind 'xml' to Type[V] IN 'validators'"), R"(bind "xml" id "validators" to (at Type V))");
  EXPECT_EQ(statements("bind 'ok' to ('a' in $list)"), R"(bind "ok" to (in "a" $list))");
}

TEST(Document, ClassesOfTheProposal) {
  EXPECT_EQ(statements("include ntp\ninclude [apache, ::mysql::server, 'x y', \"a$b\",]\nexclude [ntp]"),
            "include 'ntp\ninclude 'apache '::mysql::server \"x y\" (text \"a\" $b)\nexclude 'ntp");
  EXPECT_EQ(told("include Ntp"),
            "expected the name of a class, found 'Ntp' | names of classes are written in small letters: ntp");
  EXPECT_EQ(told("include abstract ntp"), "'abstract' is not allowed here | a class is included or not");
}

TEST(Document, ParametersAndMapsOfTheProposal) {
  EXPECT_EQ(statements("bind parameters ntp to { autoupdate => false }"),
            "parameters <class 'ntp> to (hash (=> 'autoupdate false))");
  EXPECT_EQ(statements("bind parameters class ntp override to $x"), "parameters override <class 'ntp> to $x");
  EXPECT_EQ(statements("bind parameters Web[one] to Sql[one] { map => { dbuser => user } }"),
            "parameters <(at Web 'one)> to (at Sql 'one) {map => (hash (=> 'dbuser 'user))}");
  EXPECT_EQ(statements("bind parameters Web[one] to optional LimitedServices[web]"),
            "parameters <(at Web 'one)> to optional (at LimitedServices 'web)");
  EXPECT_EQ(statements("bind parameters Web[one] to Sql[?? name == one] { select_result => |$x| { $x[0] } }"),
            "parameters <(at Web 'one)> to (Sql?? (== name 'one)) {select_result => (lambda (($x () ())) () (do (at $x "
            "0)))}");
  EXPECT_EQ(statements("bind map Web to Sql { key_in_web => key_in_sql, b => 'c' }"),
            "map <Web> target <Sql> {key_in_web => 'key_in_sql} {b => \"c\"}");
  EXPECT_EQ(statements("bind map override X to Z [b, c]"), "map override <X> target <Z> to (list 'b 'c)");
  EXPECT_EQ(statements("bind map X to Z[b, c]"), "map <X> target <Z> to (list 'b 'c)");
  EXPECT_EQ(statements("bind map ntp to class other { a => b }"), "map <class 'ntp> target <class 'other> {a => 'b}");
}

TEST(Document, VariablesOfTheProposal) {
  EXPECT_EQ(statements("bind variables to { a => 42 }"), "variables to (hash (=> 'a 42))");
  EXPECT_EQ(statements("bind variables Integer to { a => 10 }"), "variables <Integer> to (hash (=> 'a 10))");
  EXPECT_EQ(statements("bind variables abstract to 'mainurl'"), R"(variables abstract to "mainurl")");
  EXPECT_EQ(statements("bind abstract variable Array[String] to ['x']"),
            R"(variables abstract <(at Array String)> to (list "x"))");
}

TEST(Document, DependenciesOfTheProposal) {
  EXPECT_EQ(statements("bind dependency File['a'] ~> Service['b'] -> [class c, D['e']]"),
            R"(dependency ((at File "a") ~> (at Service "b")) ((at Service "b") -> class 'c (at D "e")))");
  EXPECT_EQ(told("bind dependency A['b'] <- C['d']"),
            "an arrow between resources is not allowed here: expected '->' or '~>', found '<-' | write it from left to "
            "right, with -> or ~>");
}

TEST(Document, ConditionsNest) {
  EXPECT_EQ(statements("when virtual true { when node 'k' { bind 'a' to 1 } bind 'b' to 2 } bind 'c' to 3"),
            "[virtual=true] [node=\"k\"] bind \"a\" to 1\n[virtual=true] bind \"b\" to 2\nbind \"c\" to 3");
  EXPECT_EQ(statements("when virtual true or node k and rack 7 { bind 'a' to 1 }"),
            "[(or virtual=true (and node='k rack=7))] bind \"a\" to 1");
  EXPECT_EQ(statements("WHEN (a 'b' OR c \"d$e\") AND f $g['h'] { BIND 'a' to 1 }"),
            "[(and (or a=\"b\" c=(text \"d\" $e)) f=(at $g \"h\"))] bind \"a\" to 1");
  EXPECT_EQ(statements("when common { bind 'a' to 1 }"), "[common] bind \"a\" to 1");
  EXPECT_EQ(statements("when a (1 + 2) and b production { include x }"), "[(and a=(+ 1 2) b='production)] include 'x");
  EXPECT_EQ(statements("when a { bind 'b' to 1 }"), "2:8: expected the value of the category, found '{'");
  EXPECT_EQ(statements("when 'a' b { }"), "2:6: expected the name of a category, or '(', found the text 'a'");
}

TEST(Document, KeywordsAreNamesElsewhere) {
  EXPECT_EQ(statements("bind 'a' to { bind => when, in1 => to, site => as }"),
            "bind \"a\" to (hash (=> 'bind 'when) (=> 'in1 'to) (=> 'site 'as))");
  EXPECT_EQ(statements("bind parameters bind to { multibind => optional }"),
            "parameters <class 'bind> to (hash (=> 'multibind 'optional))");
  EXPECT_EQ(statements("when when include { bind 'a' to 1 }"), "[when='include] bind \"a\" to 1");
}

TEST(Document, HashesAsProducersMayHaveOptions) {
  EXPECT_EQ(statements("bind 'a' to { b => 1 } { singleton => false }\nbind 'c' to $d { transformer => |$x| { $x } }"),
            "bind \"a\" to (hash (=> 'b 1)) {singleton => false}\nbind \"c\" to $d {transformer => (lambda (($x () "
            "())) () (do $x))}");
  EXPECT_EQ(statements("bind 'a' to word { singleton => false }"), "bind \"a\" to 'word {singleton => false}");
}

TEST(Document, SeveralErrorsAreReportedTogether) {
  EXPECT_EQ(statements("bnd 'a' to 1\nbind 'b'\nwhen node 'x' {\n  bind 'c' to [1 2]\n  bind 'd' to 1\n}\n$x = 1"),
            "2:1: expected bind, multibind, rebind, include, exclude or when, found 'bnd'\n"
            "3:1: binding 'b' has no producer\n"
            "5:18: expected ',' or ']' after an item of the list, found '2'\n"
            "8:1: expected bind, multibind, rebind, include, exclude or when, found '$x'");
  EXPECT_EQ(told("bnd 'a' to 1"),
            "expected bind, multibind, rebind, include, exclude or when, found 'bnd' | did you mean 'bind'?");
  EXPECT_EQ(told("bind abstract varibles to ['a']"),
            "expected a name in quotes, a type, or 'to', found 'varibles' | did you mean 'variables'?");
  EXPECT_EQ(told("$x = 1"),
            "expected bind, multibind, rebind, include, exclude or when, found '$x' | variables are assigned in the "
            "manifest of the environment");
}

}  // namespace
}  // namespace strata::bindings
