// SPDX-License-Identifier: Apache-2.0
// Lua's patterns, against what the reference manual of Lua 5.4 says in sections 6.4 and 6.4.1.
#include <gtest/gtest.h>

#include "script.hpp"

namespace strata::lua {
namespace {

using testing::error_of;
using testing::run;

/// The results of an expression, joined.
std::string results(const std::string& expression) {
  return run("local r = table.pack(" + expression +
             ") for i = 1, r.n do r[i] = tostring(r[i]) end return table.concat(r, '|', 1, r.n)");
}

TEST(Pattern, Find) {
  EXPECT_EQ(results("('hello'):find('l')"), "3|3");
  EXPECT_EQ(results("('hello'):find('xyz')"), "nil");
  EXPECT_EQ(results("('hello'):find('')"), "1|0");
  EXPECT_EQ(results("('hello'):find('', 10)"), "nil");
  EXPECT_EQ(results("('hello'):find('', 6)"), "6|5");
  EXPECT_EQ(results("('a.b'):find('.', 2, true)"), "2|2");
  EXPECT_EQ(results("('hello'):find('l', -2)"), "4|4");
  EXPECT_EQ(results("('key = value'):find('(%w+)%s*=%s*(%w+)')"), "1|11|key|value");
  EXPECT_EQ(results("('aab'):find('aab', 1, true)"), "1|3");
  EXPECT_EQ(results("('aaab'):find('aab')"), "2|4");
}

TEST(Pattern, Match) {
  EXPECT_EQ(results("('  trim  '):match('^%s*(.-)%s*$')"), "trim");
  EXPECT_EQ(results("('2001-12-14'):match('(%d+)-(%d+)-(%d+)')"), "2001|12|14");
  EXPECT_EQ(results("('abc'):match('()b()')"), "2|3");
  EXPECT_EQ(results("('f(a(b)c)d'):match('%b()')"), "(a(b)c)");
  EXPECT_EQ(results("('THE (quick) fox'):find('%f[%a]%a+%f[%A]')"), "1|3");
  EXPECT_EQ(results("([[x 'it' \"y\"]]):match([[([\"'])(.-)%1]])"), "'|it");
  EXPECT_EQ(results("('a-b'):match('[a%-]+')"), "a-");
  EXPECT_EQ(results("('a]b'):match('[]]')"), "]");
  EXPECT_EQ(results("('abc'):match('[^a]+')"), "bc");
  EXPECT_EQ(results("('x1_y'):match('[%w_]+')"), "x1_y");
  EXPECT_EQ(results("('colour'):match('colou?r')"), "colour");
  EXPECT_EQ(results("('color'):match('colou?r')"), "color");
  EXPECT_EQ(results("('a$'):match('a$')"), "nil");
  EXPECT_EQ(results("('$a'):match('$a')"), "$a");
  EXPECT_EQ(results("('caf\\u{e9}'):match('%a+')"), "caf");
}

TEST(Pattern, Gmatch) {
  EXPECT_EQ(
      run("local r = {} for w in ('one two  three'):gmatch('%a+') do r[#r + 1] = w end return table.concat(r, ',')"),
      "one,two,three");
  EXPECT_EQ(run("local r = {} for k, v in ('a=1, b=2'):gmatch('(%w+)=(%w+)') do r[#r + 1] = k .. v end return "
                "table.concat(r, ',')"),
            "a1,b2");
  EXPECT_EQ(run("local n = 0 for _ in ('abc'):gmatch('x*') do n = n + 1 end return n"), "4");
}

TEST(Pattern, Gsub) {
  EXPECT_EQ(results("('hello world'):gsub('o', '0')"), "hell0 w0rld|2");
  EXPECT_EQ(results("('hello world'):gsub('o', '0', 1)"), "hell0 world|1");
  EXPECT_EQ(results("('hello world'):gsub('(%w+)', '<%1>')"), "<hello> <world>|2");
  EXPECT_EQ(results("('hello'):gsub('', '-')"), "-h-e-l-l-o-|6");
  EXPECT_EQ(results("('abc'):gsub('%w', '%0%0')"), "aabbcc|3");
  EXPECT_EQ(results("('abc'):gsub('%w', '%%')"), "%%%|3");
  EXPECT_EQ(results("('$name is'):gsub('%$(%w+)', {name = 'x'})"), "x is|1");
  EXPECT_EQ(results("('abc'):gsub('%w', function(c) if c == 'b' then return 'B' end end)"), "aBc|3");
  EXPECT_EQ(results("('abc abc'):gsub('^a', 'x')"), "xbc abc|1");
  EXPECT_EQ(results("('abc def'):gsub('%f[%w]%w+', string.upper)"), "ABC DEF|2");
  EXPECT_EQ(results("('a b'):gsub('%s*', '.')"), ".a.b.|3");
}

TEST(Pattern, MalformedOnes) {
  for (const std::string pattern : {"[a", "%", "(a", ".)", "%1", "[%", "%b", "%bx", "%f", "[]", "(()"}) {
    EXPECT_EQ(error_of("return (('aaa'):find('" + pattern + "'))"), "lua.runtime") << pattern;
  }
  EXPECT_EQ(error_of("return (('a'):gsub('a', '%2'))"), "lua.runtime");
  EXPECT_EQ(error_of("return (('a'):gsub('a', '%x'))"), "lua.runtime");
  EXPECT_EQ(error_of("return (('a'):gsub('a', function() return {} end))"), "lua.runtime");
  EXPECT_EQ(error_of("return ((('a'):rep(500)):find(('a?'):rep(500) .. ('a'):rep(500)))"), "lua.runtime")
      << "too complex";
}

TEST(Pattern, BombsEnd) {
  Limits limits;
  limits.steps = 1'000'000;
  for (const std::string body :
       {"return (('a'):rep(5000)):find(('.-'):rep(20) .. 'b')",
        "return (('a'):rep(5000)):match(('(a*)'):rep(20) .. 'b')", "return (('('):rep(100000)):find('%b()')",
        "return (('x'):rep(2000)):gsub(('x*'):rep(10) .. 'y', '')",
        "for _ in (('a'):rep(3000)):gmatch('.-.-.-b') do end",
        "while true do local s = (('a'):rep(1000)):find('aaaaaaaaab', 1, true) end"}) {
    EXPECT_EQ(error_of(body, limits), "limit.steps") << body;
  }
}

}  // namespace
}  // namespace strata::lua
