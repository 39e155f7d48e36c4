// SPDX-License-Identifier: Apache-2.0
#include "lua/sandbox.hpp"

#include <gtest/gtest.h>

#include <array>
#include <clocale>
#include <cstdint>

#include "script.hpp"
#include "strata/stop.hpp"

namespace strata::lua {
namespace {

using testing::error_of;
using testing::run;
using testing::Script;

Limits few_steps() {
  Limits limits;
  limits.steps = 200'000;
  return limits;
}

TEST(Sandbox, HasNothingOfTheMachine) {
  for (const std::string name :
       {"io", "os", "package", "require", "debug", "dofile", "loadfile", "print", "warn", "coroutine", "xpcall",
        "rawget", "rawset", "rawlen", "string.dump", "math.random", "math.randomseed"}) {
    EXPECT_EQ(run("return tostring(" + name + ")"), "nil") << name;
  }
}

TEST(Sandbox, LoadsNoBytecode) {
  EXPECT_EQ(run(R"(local f, message = load("\27Lua") return f == nil and message:match("binary") or "loaded")"),
            "binary");
  EXPECT_EQ(run(R"(return load("return 1 + 1")())"), "2");
  EXPECT_EQ(run(R"(return load("return x", "=n", "bt", {x = 7})())"), "7");
  EXPECT_EQ(error_of("load(function() return nil end)"), "lua.runtime");
}

TEST(Sandbox, RunsInTheCLocale) {
  // A locale of the thread itself, with another decimal point where the system has one installed, comes back behind the
  // script.
  const locale_t own = newlocale(LC_ALL_MASK, "C.UTF-8", nullptr);
  ASSERT_NE(own, nullptr);
  const locale_t before = uselocale(own);
  EXPECT_EQ(
      run("return tostring(1.5) .. (2.5 .. '') .. string.format('%.2f', 3.25) .. tostring(tonumber('4.5') == 4.5)"),
      "1.52.53.25true");
  EXPECT_EQ(error_of("error('x')"), "lua.runtime");
  EXPECT_EQ(uselocale(before), own);
  freelocale(own);
}

TEST(Sandbox, ProtectsWhatIsShared) {
  EXPECT_EQ(run(R"(return tostring(getmetatable("")))"), "false");
  EXPECT_EQ(run("return tostring(getmetatable(null))"), "false");
  EXPECT_EQ(run("return tostring(getmetatable(mapping()))"), "false");
  EXPECT_EQ(error_of("setmetatable(mapping(), {})"), "lua.runtime");
}

TEST(Sandbox, RunsNoFinalizers) {
  EXPECT_EQ(error_of("setmetatable({}, {__gc = function() while true do end end})"), "lua.runtime");
  EXPECT_EQ(error_of("local m = {} setmetatable({}, m) m.__gc = function() end setmetatable({}, m)"), "lua.runtime");
}

TEST(Sandbox, ShowsNoAddresses) {
  EXPECT_EQ(run("return tostring({}) .. tostring(function() end) .. tostring(sequence())"), "tablefunctionsequence");
  EXPECT_EQ(run("return string.format('%s %s', {}, 1)"), "table 1");
  EXPECT_EQ(error_of("return string.format('%-10p', {})"), "lua.runtime");
}

TEST(Sandbox, EndsEndlessWork) {
  for (const std::string body :
       {"while true do end", "repeat until false", "while true do pcall(function() while true do end end) end",
        "local function f() return f() end return f()", "local s = 'x' while true do s = ('x'):rep(100000) end",
        "return ('x'):rep(1e15, '')", "return (''):rep(1e15)", "table.move({1}, 1, math.maxinteger - 1, 2)",
        "return table.concat({}, '', 1, 1e15)",
        "local t = setmetatable({}, {__index = function(t, k) return t[k + 1] end}) "
        "while true do pcall(function() return t[1] end) end"}) {
    const std::string code = error_of(body, few_steps());
    EXPECT_EQ(code, "limit.steps") << body;
  }
}

/// How many turns a loop takes until a limit ends it. `setup` makes what `turn` works on.
std::int64_t turns(const std::string& setup, const std::string& turn, const Limits& limits, std::string_view code) {
  Script script("local n = 0 " + setup + " return function(go) if not go then return n end while true do n = n + 1 " +
                    turn + " end end",
                limits);
  const Value go = Value::boolean(true);
  try {
    static_cast<void>(script.call({go}));
    ADD_FAILURE() << turn;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << turn;
  }
  return script.call().as_integer();
}

TEST(Sandbox, WorkOnLongTextsCostsSteps) {
  const std::string names = "local t = {} for i = 1, 50 do t[('x'):rep(20000) .. i] = i end";
  EXPECT_LT(turns(names, "next(t)", few_steps(), "limit.steps"), 10);
  EXPECT_LT(turns(names, "for k in pairs(t) do break end", few_steps(), "limit.steps"), 10);
  EXPECT_LT(turns("local t = {} for i = 1, 50 do t[i] = ('x'):rep(20000) .. i end", "table.sort(t)", few_steps(),
                  "limit.steps"),
            10);
}

TEST(Sandbox, EndsInTimeWhateverAnInstructionCosts) {
  const Stop over(Stop::Clock::now());
  Limits limits;
  limits.steps = SIZE_MAX;
  limits.stop = &over;
  // Made under the same limits: what is large is made in the loop.
  const std::string large = "a = a or ('x'):rep(1 << 24) b = b or ('x'):rep(1 << 24) ";
  EXPECT_LT(turns("local a, b", large + "local x = a < b", limits, "limit.time"), 10);
  EXPECT_LT(turns("local a, b", large + "local x = a == b", limits, "limit.time"), 10);
  EXPECT_EQ(error_of("return ('a'):rep(20000):find('.-.-b')", limits), "limit.time");
  EXPECT_EQ(error_of("return (('a'):rep(20000):gsub('.-.-b', ''))", limits), "limit.time");
}

TEST(Sandbox, TableFunctionsTakeNoLyingTables) {
  const std::string liar = "local t = setmetatable({}, {__len = function() return 1 << 60 end}) ";
  EXPECT_EQ(error_of(liar + "table.insert(t, 1, 1)", few_steps()), "lua.runtime");
  EXPECT_EQ(error_of(liar + "table.sort(t)", few_steps()), "lua.runtime");
  EXPECT_EQ(error_of(liar + "return table.unpack(t)", few_steps()), "lua.runtime");
}

TEST(Sandbox, GivesEachOutermostCallAFreshBudget) {
  Script script("return function() for i = 1, 5000 do end return true end", few_steps());
  for (int i = 0; i < 50; ++i) EXPECT_TRUE(script.call().as_boolean());
}

TEST(Sandbox, ComesBackAfterASpentBudget) {
  Script script(
      "local spent = false return function() if not spent then spent = true while true do end end return 'well' end",
      few_steps());
  EXPECT_THROW(static_cast<void>(script.call()), Error);
  EXPECT_EQ(script.call().text(), "well");
}

TEST(Sandbox, BoundsMemory) {
  const SandboxOptions small{.memory = std::size_t{1} << 20};
  EXPECT_EQ(error_of("local t = {} for i = 1, 1e9 do t[i] = i end", {}, small), "lua.memory");
  EXPECT_EQ(error_of("return ('x'):rep(1e7)", {}, small), "lua.memory");
  EXPECT_EQ(error_of("local s = 'x' while true do s = s .. s end", {}, small), "lua.memory");
  EXPECT_EQ(error_of("return (('x'):rep(1000):gsub('x', ('y'):rep(2000)))", {}, small), "lua.runtime");
  EXPECT_EQ(
      run("local t = {} local ok = pcall(function() for i = 1, 1e9 do t[i] = i end end) t = nil return tostring(ok)",
          {}, small),
      "false");
}

TEST(Sandbox, BoundsRecursion) {
  EXPECT_EQ(error_of("local function f() return 1 + f() end return f()", {}, {.memory = std::size_t{1} << 20}),
            "lua.memory");
  EXPECT_EQ(error_of("local function f() return 1 + f() end return f()", {}, {.memory = std::size_t{1} << 30}),
            "lua.runtime");
  EXPECT_EQ(error_of("local s = ('('):rep(10000) .. 1 return assert(load('return ' .. s))"), "lua.runtime");
  EXPECT_EQ(error_of("local t = setmetatable({}, {}) getmetatable(t).__index = t return t.x"), "lua.runtime");
}

TEST(Sandbox, ErrorsHaveTheirPlace) {
  Script script("return function()\n  local t = nil\n  return t.name\nend");
  try {
    static_cast<void>(script.call());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "lua.runtime");
    EXPECT_EQ(error.diagnostic().message, "attempt to index a nil value (local 't')");
    EXPECT_EQ(error.diagnostic().where.place.to_string(), "script.lua:3:3");
    EXPECT_EQ(error.diagnostic().where.line, "  return t.name");
  }
}

TEST(Sandbox, SyntaxErrorsHaveTheirPlace) {
  try {
    const Script script("return {\n  a = = 1\n}");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "lua.syntax");
    EXPECT_EQ(error.diagnostic().where.place.to_string(), "script.lua:2:3");
  }
}

TEST(Sandbox, BudgetsTellWhereTheyWereSpent) {
  for (const std::string body : {"while true do end", "while true do local s = ('x'):rep(1000000) end",
                                 "return (('a'):rep(200)):find(('a-'):rep(9) .. 'b')"}) {
    Script script("return function()\n\n" + body + "\nend", few_steps());
    try {
      static_cast<void>(script.call());
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), "limit.steps") << body;
      EXPECT_EQ(error.diagnostic().where.place.line, 3U) << body;
    }
  }
}

TEST(Sandbox, AnyValueMayBeAnError) {
  EXPECT_EQ(error_of("error({code = 1})"), "lua.runtime");
  EXPECT_EQ(error_of("error()"), "lua.runtime");
  EXPECT_EQ(error_of("error(setmetatable({}, {__tostring = function() return 'mine' end}))"), "lua.runtime");
  EXPECT_EQ(error_of("error(setmetatable({}, {__tostring = function() error('again') end}))"), "lua.runtime");
  EXPECT_EQ(error_of("error(setmetatable({}, {__tostring = function() while true do end end}))", few_steps()),
            "limit.steps");
}

TEST(Sandbox, HostErrorsPassThroughUnchanged) {
  const HostFunction fails = [](std::span<const Value>) -> Value { throw Error("test.code", "on purpose"); };
  Script script("return function(f) return f() end");
  try {
    static_cast<void>(script.call({&fails}));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "test.code");
  }
}

TEST(Sandbox, ScriptsMayCatchHostErrors) {
  const HostFunction fails = [](std::span<const Value>) -> Value { throw Error("test.code", "on purpose"); };
  Script script("return function(f) local ok, e = pcall(f) return tostring(e) end");
  EXPECT_EQ(script.call({&fails}).text(), "on purpose");
}

TEST(Sandbox, HostFunctionsAreLentForOneCall) {
  const HostFunction echo = [](std::span<const Value> arguments) { return arguments.front(); };
  Script script("local kept return function(f) if kept then return kept(1) end kept = f return f(2) end");
  EXPECT_EQ(script.call({&echo}).as_integer(), 2);
  try {
    static_cast<void>(script.call({&echo}));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "lua.runtime");
  }
}

TEST(Sandbox, HostFunctionsMayCallBack) {
  Script script("return function(n, f) if n == 0 then return 'end' end return f(n - 1) end");
  HostFunction again;
  again = [&](std::span<const Value> arguments) { return script.call({arguments.front(), &again}); };
  EXPECT_EQ(script.call({Value::integer(20), &again}).text(), "end");
  EXPECT_THROW(static_cast<void>(script.call({Value::integer(100000), &again})), Error);
}

TEST(Sandbox, ForgottenReturnsAreErrors) {
  EXPECT_EQ(error_of("local x = 1"), "lua.result");
  Script script("return function() return nil end");
  EXPECT_FALSE(script.call());
}

TEST(Sandbox, SortIsStableAndSafe) {
  EXPECT_EQ(
      run("local t = {} for i = 1, 300 do t[i] = {i % 3, i} end table.sort(t, function(a, b) return a[1] < b[1] end) "
          "for i = 2, 300 do if t[i - 1][1] == t[i][1] and t[i - 1][2] > t[i][2] then return 'unstable' end end return "
          "t[1][2] .. ' ' .. t[300][2]"),
      "3 299");
  EXPECT_EQ(run("local t = {} for i = 1, 500 do t[i] = i end table.sort(t, function() return true end) return #t"),
            "500");
  EXPECT_EQ(run("local t = {3, 1, 2} table.sort(t) return table.concat(t, ',')"), "1,2,3");
  EXPECT_EQ(error_of("table.sort({1, 'a'})"), "lua.runtime");
}

TEST(Sandbox, WordSets) {
  Sources sources;
  const Limits limits;
  Arena arena;
  Sandbox sandbox(sources, limits);
  const Reference words = sandbox.word_set(std::array<std::string, 2>{"append", "x"});
  const Reference function = sandbox.load(
      sources.add("f", "return function(o) return #o .. o[1] .. tostring(o.append) .. tostring(o.other) end"));
  EXPECT_EQ(sandbox.call(function, std::array<Argument, 1>{&words}, arena, {}).text(), "2appendtruenil");
}

}  // namespace
}  // namespace strata::lua
