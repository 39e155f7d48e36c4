// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <chrono>

#include "extensions_world.hpp"

namespace strata::bindings::extensions {
namespace {

TEST(LuaExtensions, Producers) {
  World world(R"(
    local count = 0
    strata.producer("Counter", { type = "Integer", singleton = false, produce = function(ctx, args) count = count + (args.step or 1); return count end })
    strata.producer("Short", function(ctx) return { ctx.environment, ctx.facts.rack, ctx.binding.name, ctx.binding.line, strata.null } end)
    strata.producer("Nothing", function() end)
  )");
  EXPECT_EQ(world.registry().producers(), (std::vector<std::string_view>{"Counter", "Nothing", "Short"}));
  EXPECT_EQ(world.registry().producer("::Counter")->type(), "Integer");
  EXPECT_FALSE(world.registry().producer("Counter")->is_singleton());
  EXPECT_TRUE(world.registry().producer("Short")->is_singleton());
  EXPECT_EQ(world.produce("Counter"), "1");
  EXPECT_EQ(world.produce("Counter", R"({"step": 5})"), "6");
  EXPECT_EQ(world.produce("Short"), R"(["production", 7, "x", 1, null])");
  EXPECT_EQ(world.produce("Nothing"), "absent");
  EXPECT_EQ(world.registry().producer("None"), nullptr);
}

TEST(LuaExtensions, Inject) {
  World world(R"(
    strata.producer("P", function(ctx) return ctx.inject("Array", "list")[2] .. ctx:inject("plain") end)
    strata.producer("Caught", function(ctx) local ok, why = pcall(ctx.inject, "none"); return ok end)
    strata.producer("Missing", function(ctx) return ctx.inject("none") end)
    strata.producer("W", function(ctx) ctx.warn("careful"); ctx:warn(5); return 1 end)
  )");
  world.context.values["Array list"] = world.value(R"(["a", "b"])");
  world.context.values[" plain"] = world.value(R"("!")");
  EXPECT_EQ(world.produce("P"), R"("b!")");
  EXPECT_EQ(world.produce("Caught"), "false");
  // What was asked for and not got stays what it is.
  EXPECT_EQ(failure([&] { return world.produce("Missing"); }),
            "error: nothing is bound for 'none' [bindings.not-bound]\n");
  EXPECT_EQ(world.produce("W"), "1");
  EXPECT_EQ(world.context.warnings, "careful;5;");
}

TEST(LuaExtensions, FunctionsAndLambdas) {
  World world(R"(
    strata.func("m::twice", function(ctx, x, f) return f(f(x)) end)
    strata.func("m::count", function(ctx, ...) return select("#", ...) end)
    strata.func("m::nothing", function() end)
  )");
  const Callable add = [](std::span<const Value> given) { return Value::integer(given[0].as_integer() + 1); };
  EXPECT_EQ(world.call("m::twice", "[5]", &add), "7");
  EXPECT_EQ(world.call("m::count", "[1, null, {}]"), "3");
  EXPECT_EQ(world.call("m::nothing", "[]"), "null");
  EXPECT_EQ(failure([&] { return world.call("m::twice", "[5]"); }),
            "site.pp:1:6: error: function 'm::twice' of /x/e0.lua: attempt to call a nil value (local 'f') "
            "[extension.failed]\n"
            "    1 | bind 'x' to producer 'p'\n      |      ^\n"
            "/x/e0.lua:2:5: note: it failed here\n"
            "    2 |     strata.func(\"m::twice\", function(ctx, x, f) return f(f(x)) end)\n      |     ^\n");
}

TEST(LuaExtensions, CombinatorsAndTypes) {
  World world(R"(
    strata.combinator("Join", function(memo, x) memo[#memo + 1] = x; return memo end)
    strata.combinator("Last", function(key, current, value) return { key, current == nil, value } end)
    strata.type("Special", { parent = "Logger", new = function(ctx, args) return { level = args.level or "info" } end })
    strata.type("Logger", { parent = "Loop", new = function() return 1 end })
    strata.type("Loop", { parent = "Logger", new = function() end, inject = function() return 2 end })
    strata.func("level", function(ctx, logger) return logger.level end)
  )");
  const Value list = world.value(R"([[1], 2])");
  EXPECT_EQ(World::json(world.registry().combinator("Join")->combine(world.context, list.items())), "[1, 2]");
  const Value pair = world.value(R"(["k", 5])");
  EXPECT_EQ(World::json(world.registry().combinator("Last")->combine(
                world.context, std::vector<Value>{pair.items()[0], {}, pair.items()[1]})),
            R"(["k", true, 5])");
  const Value made = world.registry().type("Special")->create(world.context, {});
  ASSERT_NE(as_instance(made), nullptr);
  EXPECT_EQ(as_instance(made)->to_string(), "Special");
  EXPECT_TRUE(world.registry().is_instance(made, "Special"));
  EXPECT_TRUE(world.registry().is_instance(made, "::Logger"));
  EXPECT_TRUE(world.registry().is_instance(made, "Loop"));
  EXPECT_FALSE(world.registry().is_instance(made, "Other"));
  EXPECT_EQ(World::json(world.registry().function("level")->call(world.context, std::vector<Value>{made}, nullptr)),
            R"("info")");
  EXPECT_EQ(World::json(as_instance(world.registry().type("Loop")->create(world.context, {}))->value()), "2");
}

TEST(LuaExtensions, QueryServices) {
  World world(R"(
    local asked = 0
    strata.query_service("cmdb", function(ctx, ast)
      asked = asked + 1
      return { { type = "sql", title = ast.where[1] .. ast.where[2][2] .. asked, certname = ctx.environment, parameters = { size = 5, env = ast.type } } }
    end)
    strata.query_service("bad", function() return { { type = "Sql" } } end)
    strata.query_service("worse", function() return 5 end)
  )");
  queries::Query query;
  query.type = "Sql";
  query.condition.emplace();
  query.condition->field = queries::field_of("size");
  query.condition->operand = Value::integer(5);
  QueryService& service = *world.registry().query_service("cmdb");
  const Registry::Attached attached(&world.registry(), world.context);
  const queries::ResourceSet& found = service.ask(query);
  EXPECT_EQ(
      World::json(found.all().at(0).printed),
      R"({"type": "Sql", "title": "==size1", "certname": "production", "exported": false, "tags": [], "parameters": {"env": "Sql", "size": 5}})");
  EXPECT_EQ(&service.ask(query), &found);
  EXPECT_EQ(world.sources.place(found.all()[0].parameters.find("size")->origin()).file, "<the query service 'cmdb'>");
  EXPECT_NE(failure([&] {
              return world.registry().query_service("bad")->ask(query).all().size();
            }).find("has no 'title' [query.resource]"),
            std::string::npos);
  EXPECT_EQ(failure([&] { return world.registry().query_service("worse")->ask(query).all().size(); }),
            "error: query service 'worse' of /x/e0.lua: a query service must return a list of resources, not an "
            "integer [extension.result]\n");
}

TEST(LuaExtensions, Registering) {
  const auto refusal = [](const std::string& script) {
    World world(script);
    const std::string told = failure([&] { return world.registry().producers().size(); });
    return told.substr(0, told.find('\n'));
  };
  EXPECT_EQ(refusal("strata.producer(5, function() end)"),
            "/x/e0.lua:1:1: error: strata.producer: the name must be a text [lua.runtime]");
  EXPECT_EQ(refusal("strata.producer('p')"),
            "/x/e0.lua:1:1: error: strata.producer: the second argument must be a table [lua.runtime]");
  EXPECT_EQ(refusal("strata.producer('p', {})"),
            "/x/e0.lua:1:1: error: strata.producer('p'): 'produce' must be a function [lua.runtime]");
  EXPECT_EQ(refusal("strata.producer('p', {produce = function() end, typ = 'x'})"),
            "/x/e0.lua:1:1: error: strata.producer('p') has no option 'typ' [lua.runtime]");
  EXPECT_EQ(refusal("strata.producer('p', {produce = function() end, type = 5})"),
            "/x/e0.lua:1:1: error: strata.producer('p'): 'type' must be a string [lua.runtime]");
  EXPECT_EQ(refusal("strata.func('f', function() end) strata.func('f', function() end)"),
            "/x/e0.lua:1:1: error: strata.func('f') occurs twice [lua.runtime]");
  EXPECT_EQ(refusal("strata.func("), "/x/e0.lua:1:1: error: unexpected symbol near <eof> [lua.syntax]");
  World world("strata.func('f', function() end)");
  world.add("strata.func('f', function() end)");
  EXPECT_EQ(failure([&] { return world.registry().functions().size(); }),
            "/x/e1.lua: error: the function 'f' is registered by /x/e0.lua and by /x/e1.lua [extension.duplicate]\n"
            "hint: names of extensions are unique: rename one of them\n");
}

TEST(LuaExtensions, DeclarationsAreKept) {
  World world;
  const auto tree = memory_tree({{"/x/a.lua", "strata.func('f', function() return 1 end)"}});
  world.extensions.add({.kind = "function", .name = "f", .lua = "/x/a.lua", .plugin = {}, .origin = {}}, *tree);
  world.extensions.add(
      {.kind = "producer", .name = "f", .lua = "/x/a.lua", .plugin = {}, .origin = world.context.origin}, *tree);
  EXPECT_EQ(failure([&] { return world.registry().functions().size(); }),
            "site.pp:1:6: error: /x/a.lua does not register the producer 'f' [extension.name]\n    1 | bind 'x' to "
            "producer 'p'\n      |      ^\n"
            "hint: it registers function 'f'\n");
  EXPECT_NE(failure([&] {
              world.extensions.add({.kind = {}, .name = {}, .lua = "/x/none.lua", .plugin = {}, .origin = {}}, *tree);
              return 0;
            }).find("[extension.missing]"),
            std::string::npos);
  World without_plugins;
  without_plugins.extensions.add({.kind = {}, .name = {}, .lua = {}, .plugin = "/x/p.so", .origin = {}}, *tree);
  EXPECT_NE(failure([&] { return without_plugins.registry().functions().size(); }).find("[extension.unavailable]"),
            std::string::npos);
}

TEST(LuaExtensions, ModulesAreSearched) {
  World world;
  const auto tree = memory_tree({{"/a/ntp/lib/strata/x.lua", "strata.func('from_a', function() return 1 end)"},
                                 {"/a/ntp/lib/strata/hiera.lua", "return function(key) error('not run') end"},
                                 {"/a/ntp/lib/strata/readme.txt", "strata."},
                                 {"/b/ntp/lib/strata/x.lua", "strata.func('hidden', function() return 1 end)"},
                                 {"/b/dns/lib/strata/y.lua", "strata.func('from_b', function() return 1 end)"}});
  EXPECT_TRUE(world.extensions.empty());
  world.extensions.add_modules(*tree, {"/a", "/b", "/none"});
  EXPECT_FALSE(world.extensions.empty());
  EXPECT_EQ(world.registry().functions(), (std::vector<std::string_view>{"from_a", "from_b"}));
}

TEST(LuaExtensions, HostileScriptsEnd) {
  World world(R"(
    strata.func("loop", function() while true do end end)
    strata.func("memory", function() local t = {} for i = 1, 1e9 do t[i] = i end end)
    strata.func("deep", function() local t = {} t.t = t return t end)
    strata.func("fail", function(ctx) ctx.fail("no luck") end)
    strata.func("function", function() return print or function() end end)
    strata.func("io", function() return io == nil and os == nil and require == nil end)
    strata.func("again", function(ctx) return ctx.inject("again") end)
    strata.func("fine", function() return 1 end)
  )");
  const auto told = [&](const std::string& name) {
    const std::string all = failure([&] { return world.call(name, "[]"); });
    return all.substr(0, all.find('\n'));
  };
  EXPECT_EQ(told("loop").substr(0, 62), "site.pp:1:6: error: function 'loop' of /x/e0.lua: a Lua script");
  EXPECT_NE(told("loop").find("[limit.steps]"), std::string::npos);
  EXPECT_NE(told("memory").find("[extension.failed]"), std::string::npos) << told("memory");
  EXPECT_NE(told("deep").find("[limit.depth]"), std::string::npos);
  EXPECT_EQ(told("fail"), "site.pp:1:6: error: function 'fail' of /x/e0.lua: no luck [extension.failed]");
  EXPECT_NE(told("function").find("[extension.failed]"), std::string::npos);
  EXPECT_EQ(world.call("io", "[]"), "true");
  world.context.on_inject = [&](std::string_view, std::string_view) {
    return world.registry().function("again")->call(world.context, {}, nullptr);
  };
  EXPECT_NE(told("again").find("extensions call extensions inside 50 others [limit.depth]"), std::string::npos)
      << told("again");
  EXPECT_EQ(world.call("fine", "[]"), "1");
}

TEST(LuaExtensions, SecretsAreNotTold) {
  World world(R"(
    strata.func("tell", function(ctx, x) error("it is " .. x) end)
    strata.func("give", function(ctx, x) return x .. "!" end)
  )");
  const std::vector<Value> secret{world.value(R"("hush")").with_secret()};
  EXPECT_TRUE(world.registry().function("give")->call(world.context, secret, nullptr).is_secret());
  const std::string told =
      failure([&] { return world.registry().function("tell")->call(world.context, secret, nullptr).size(); });
  EXPECT_EQ(told.find("hush"), std::string::npos) << told;
}

}  // namespace
}  // namespace strata::bindings::extensions
