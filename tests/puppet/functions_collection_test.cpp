// SPDX-License-Identifier: Apache-2.0
// Functions on collections, conversions (run with Puppet 7.23), and what core Puppet does not have.
#include "puppet/functions_world.hpp"

namespace strata::puppet {
namespace {

using testing::expect_all;
using testing::FunctionCase;

TEST(Functions, Collections) {
  const FunctionCase cases[] = {
      {R"(1+1)", R"(2)"},
      {R"([1].unique |$x| {$x})", R"([1])"},
      {R"({a=>{b=>[1,2]}}.get('a.b.x'))", R"(error puppet.dig)"},
      {R"({a=>{b=>[1,2]}}.dig('a','b','x'))", R"(error puppet.dig)"},
      {R"({a=>1}.dig)", R"({"a": 1})"},
      {R"(undef.dig('a'))", R"(null)"},
      {R"(5.empty)", R"(false)"},
      {R"(true.empty)", R"(error puppet.arguments)"},
      {R"(/a/.empty)", R"(error puppet.arguments)"},
      {R"(default.empty)", R"(error puppet.arguments)"},
      {R"(Integer.empty)", R"(error puppet.arguments)"},
      {R"(keys([1]))", R"(error puppet.arguments)"},
      {R"(flatten(1,2,[3]))", R"([1, 2, 3])"},
      {R"(flatten())", R"([])"},
      {R"(flatten({a=>1},[[2]]))", R"([{"a": 1}, 2])"},
      {R"(join([1,2,[3,[undef]],{a=>1},true,1.5],'-'))", R"("1-2-3--{\"a\"=>1}-true-1.5")"},
      {R"(join(1))", R"(error puppet.arguments)"},
      {R"(join([1,2],3))", R"(error puppet.arguments)"},
      {R"(join([]))", R"("")"},
      {R"([/a/].join(','))", R"x("(?-mix:a)")x"},
      {R"(['a',1,2.0,'a',1.0,1].unique)", R"(["a", 1, 2.0, 1.0])"},
      {R"('aabbé é'.unique)", R"("abé ")"},
      {R"({a=>1,b=>1,c=>2}.unique)", R"({"[a, b]": [1], "[c]": [2]})"},
      {R"({a=>1,b=>'1',c=>2}.unique |$v| { "$v" })", R"({"[a, b]": [1, "1"], "[c]": [2]})"},
      {R"(5.unique)", R"([0, 1, 2, 3, 4])"},
      {R"(5.unique |$x| { 1 })", R"([0])"},
      {R"(Integer[1,4].unique)", R"([1, 2, 3, 4])"},
      {R"(undef.unique)", R"(error puppet.arguments)"},
      {R"([1,2].unique |$x, $y| { $x })", R"(error puppet.arguments)"},
      {R"(fail('a', undef, [1,undef], /x/))", R"(error puppet.fail)"},
      {R"(fail())", R"(error puppet.fail)"},
      {R"(undef.get('a', 5))", R"(5)"},
      {R"({a=>1}.get(''))", R"({"a": 1})"},
      {R"({a=>1}.get('b', 5))", R"(5)"},
      {R"({a=>[{b=>1}]}.get('a.0.b'))", R"(1)"},
      {R"({a=>{'b.c'=>1}}.get('a."b.c"'))", R"(1)"},
      {R"({a=>1}.get('a.b'))", R"(error puppet.dig)"},
      {R"({a=>1}.get('a..b'))", R"(error puppet.arguments)"},
      {R"({a=>1}.get('.a'))", R"(error puppet.arguments)"},
      {R"({a=>1}.get(' a '))", R"(1)"},
      {R"({1=>2}.get('1'))", R"(2)"},
      {R"([5,6].get('-1'))", R"(6)"},
      {R"('abc'.get('a'))", R"(error puppet.arguments)"},
      {R"([1].dig(5))", R"(null)"},
      {R"([1].dig(-1))", R"(1)"},
      {R"([1].dig(undef))", R"(null)"},
      {R"({a=>undef}.dig('a','b'))", R"(null)"},
      {R"(5.dig(1))", R"(error puppet.arguments)"},
      {R"({1=>{2.0=>3}}.dig(1,2))", R"(null)"},
      {R"(notice('a', [1,undef], {a=>b}))", R"(null)"},
      {R"([1,[2,'%s']].flatten.join('-'))", R"("1-2-%s")"},
      {R"(notice('a', [1]))", R"(null)"},
  };
  expect_all(cases);
}

TEST(Functions, Conversions) {
  const FunctionCase cases[] = {
      {R"('a'.new)", R"(error puppet.arguments)"},
      {R"(Integer.new('5'))", R"(5)"},
      {R"(Regexp.new('a'))", R"("/a/")"},
      {R"(Type('Integer[1,2]'))", R"("Integer[1, 2]")"},
      {R"(Sensitive('a').upcase)", R"(error puppet.arguments)"},
      {R"(Sensitive('').empty)", R"(true)"},
      {R"(Sensitive(1).empty)", R"(error puppet.arguments)"},
      {R"([default, Integer, Sensitive(1)].join(','))", R"("default,Integer,Sensitive [value redacted]")"},
      {R"(type(1))", R"("Integer[1, 1]")"},
      {R"(type([1,'a'],'generalized'))", R"("Array[ScalarData]")"},
      {R"(type([1,'a'],'reduced'))", R"("Array[ScalarData, 2, 2]")"},
      {R"(type([1,'a'],'foo'))", R"(error puppet.arguments)"},
      {R"(type(/a/))", R"("Regexp[/a/]")"},
      {R"(type(default))", R"("Default")"},
      {R"(type(Integer))", R"("Type[Integer]")"},
      {R"(type(undef))", R"("Undef")"},
      {R"(assert_type(Integer,'a'))", R"(error puppet.type-mismatch)"},
      {R"(assert_type('Integer','a'))", R"(error puppet.type-mismatch)"},
      {R"(assert_type('Integer',[1]) |$e,$a| { "$e $a" })", R"("Integer Tuple[Integer[1, 1]]")"},
      {R"(assert_type(Array[Integer],[1,'x']))", R"(error puppet.type-mismatch)"},
      {R"(assert_type(Struct[{a=>Integer}],{b=>1}))", R"(error puppet.type-mismatch)"},
      {R"(assert_type(5,1))", R"(error puppet.arguments)"},
      {R"(Sensitive('a').unwrap)", R"("a")"},
      {R"(Sensitive('a').unwrap |$x| { "$x!" })", R"("a!")"},
      {R"(5.unwrap)", R"(5)"},
      {R"(unwrap(1) |$x,$y| { 1 })", R"(error puppet.arguments)"},
      {R"('5'.convert_to(Integer))", R"(5)"},
      {R"('5'.convert_to(Integer) |$x| { $x+1 })", R"(6)"},
      {R"('ff'.convert_to(Integer,16))", R"(error puppet.convert)"},
      {R"('5'.convert_to('Integer'))", R"(error puppet.arguments)"},
      {R"('x'.convert_to(Integer))", R"(error puppet.convert)"},
  };
  expect_all(cases);
}

TEST(Functions, BeyondCore) {
  const FunctionCase cases[] = {
      {R"(file('a/b'))", R"(error puppet.file)"},
      {R"(merge({a=>1,b=>2},{a=>3},undef,''))", R"({"a": 3, "b": 2})"},
      {R"(deep_merge({a=>{x=>1},b=>[1]},{a=>{y=>2},b=>[2]}))", R"({"a": {"x": 1, "y": 2}, "b": [2]})"},
      {R"(concat([1],[2,[3]],4))", R"([1, 2, [3], 4])"},
      {R"(union([1,2],[2,3]))", R"([1, 2, 3])"},
      {R"(intersection([1,2,2,3],[2,3]))", R"([2, 3])"},
      {R"(difference([1,1,2],[2]))", R"([1, 1])"},
      {R"(delete([1,2,1],1))", R"([2])"},
      {R"(delete({a=>1,b=>2},['a']))", R"({"b": 2})"},
      {R"(delete('abcab','ab'))", R"("c")"},
      {R"(delete_undef_values({a=>undef,b=>''}))", R"({"b": ""})"},
      {R"(has_key({a=>undef},'a'))", R"(true)"},
      {R"(member([1,2],[1,2]))", R"(true)"},
      {R"(member([1,2],2))", R"(true)"},
      {R"(member([true],true))", R"(error puppet.arguments)"},
      {R"(member([1],1.5))", R"(error puppet.arguments)"},
      {R"(member([1],{}))", R"(error puppet.arguments)"},
      {R"(member([1],[]))", R"(error puppet.arguments)"},
      {R"(range(1,9,3))", R"([1, 4, 7])"},
      {R"(range('a','e'))", R"(["a", "b", "c", "d", "e"])"},
      {R"(range('host01','host03'))", R"(["host01", "host02", "host03"])"},
      {R"(range(1,1000000000000))", R"(error limit.result)"},
      {R"(zip([1,2],[3],true))", R"([1, 3, 2, null])"},
      {R"(pick(undef,'',5))", R"(5)"},
      {R"(pick(''))", R"(error puppet.arguments)"},
      {R"(any2array({a=>1}))", R"(["a", 1])"},
      {R"(parsejson('{"a":[1,2.5,null]}'))", R"({"a": [1, 2.5, null]})"},
      {R"(parsejson('{',5))", R"(5)"},
      {R"(parsejson('{'))", R"(error json.syntax)"},
      {R"(parseyaml("a: [1, x]\nb: 2020-01-01\n"))", R"(error yaml.forbidden)"},
      {R"(to_json({a=>[1,undef,true]}))", R"("{\"a\":[1,null,true]}")"},
      {R"(to_yaml({a=>[1,undef,'x y']}))", R"("---\na:\n- 1\n-\n- x y\n")"},
  };
  expect_all(cases);
}

}  // namespace
}  // namespace strata::puppet
