// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <limits>
#include <thread>

#include "bindings/extensions/plugin_code.hpp"
#include "extensions_world.hpp"
#include "host/plugin_process.hpp"
#include "strata/builder.hpp"
#include "strata/stop.hpp"
#include "support/sanitizers.hpp"

namespace strata::bindings::extensions {
namespace {

std::string library(const std::string& name) { return std::string(STRATA_PLUGINS) + "/lib" + name + ".so"; }

/// A plugin with a short patience.
class PluginWorld : public World {
 public:
  explicit PluginWorld(const std::string& name, std::chrono::milliseconds patience = std::chrono::seconds(10),
                       std::size_t memory = std::size_t{1} << 28U)
      : starter(plugin_starter({.program = STRATA_PLUGIN_HOST, .memory = memory})),
        plugin(std::make_shared<Plugin>(library(name), *starter, limits, std::make_shared<Turn>(), patience)) {}

  std::string run(const std::string& kind, const std::string& name, const std::string& arguments,
                  const Callable* lambda = nullptr) {
    const auto code = open_plugin(plugin, sources, limits.stop);
    for (const Registration& what : code->registrations()) {
      if (what.kind == kind && what.name == name)
        return json(code->call(what, context, value(arguments).items(), lambda));
    }
    return "not registered";
  }
  std::string told(const std::string& kind, const std::string& name, const std::string& arguments = "[]") {
    try {
      return run(kind, name, arguments);
    } catch (const Error& error) {
      const Place& place = error.diagnostic().where.place;
      std::string message = error.what();
      if (const std::size_t at = message.find(plugin->file()); at != std::string::npos)
        message.replace(at, plugin->file().size(), "FILE");
      return error.code() + ": " + message + (place.file.empty() ? "" : " at " + place.to_string());
    }
  }

  std::unique_ptr<PluginStarter> starter;
  std::shared_ptr<Plugin> plugin;
};

TEST(Plugins, OneOfEachKind) {
  PluginWorld world("plain");
  EXPECT_EQ(world.run("producer", "Sum", R"([{"numbers": [1, 2, 39]}])"),
            R"({"sum": 42, "calls": 1, "environment": "production", "rack": 7, "line": 1})");
  EXPECT_EQ(world.run("producer", "Sum", R"([{}])").substr(0, 24), R"({"sum": 0, "calls": 2, ")");
  EXPECT_EQ(world.run("producer", "Nothing", "[{}]"), "absent");
  EXPECT_EQ(world.run("function", "echo", R"([1, -2.5, "é", null, true, [{"a": []}], 123456789012345678901234567890])"),
            R"([1, -2.5, "é", null, true, [{"a": []}], 123456789012345678901234567890])");
  const Callable add = [&](std::span<const Value> given) { return Value::integer(given[0].as_integer() + 1); };
  EXPECT_EQ(world.run("function", "twice", "[5]", &add), "7");
  EXPECT_EQ(world.run("combinator", "Join", "[[1], 2]"), "[[1], 2]");
  EXPECT_EQ(world.run("type", "Logger", "[{}]"), R"("a logger")");
  const auto all = world.plugin->registrations(nullptr);
  const auto sum = std::find_if(all.begin(), all.end(), [](const Registration& what) { return what.name == "Sum"; });
  EXPECT_EQ(sum->type, "Hash");
  EXPECT_FALSE(sum->is_singleton);
  EXPECT_EQ(
      std::find_if(all.begin(), all.end(), [](const Registration& what) { return what.name == "Logger"; })->parent,
      "Base");
}

TEST(Plugins, FailuresAndQuestions) {
  PluginWorld world("plain");
  EXPECT_EQ(world.told("producer", "Fails", "[{}]"), "extension.failed: no luck");
  EXPECT_EQ(world.told("producer", "Fails", R"([{"placed": true}])"), "extension.failed: bad row at table.csv:12");
  world.context.values["Integer n"] = Value::integer(5);
  EXPECT_EQ(world.run("producer", "Injects", R"([{"type": "Integer", "name": "n"}])"), "5");
  EXPECT_EQ(world.context.warnings, "careful;");
  EXPECT_EQ(world.told("producer", "Injects", R"([{"type": "", "name": "none"}])"),
            "bindings.not-bound: nothing is bound for 'none'");
  // What is injected may come from the same plugin.
  world.context.on_inject = [&](std::string_view, std::string_view name) {
    return name == "inner" ? world.value(world.run("producer", "Sum", R"([{"numbers": [3, 4]}])")) : Value();
  };
  EXPECT_EQ(world.run("producer", "Injects", R"([{"type": "", "name": "inner"}])").substr(0, 9), R"({"sum": 7)");
}

TEST(Plugins, AnAnswerThatIsTooLongIsAnError) {
  PluginWorld world("plain");
  world.context.on_inject = [&](std::string_view, std::string_view) {
    Arena& arena = world.context.arena();
    const Value part = arena.text(std::string(std::size_t{1} << 20U, 'x'));
    SequenceBuilder all(arena);
    for (int i = 0; i < 257; ++i) all.append(part);
    return all.finish();
  };
  EXPECT_EQ(world.told("producer", "Injects", R"([{"type": "", "name": "long"}])"),
            "limit.input: a message to a plugin has more than 268435456 bytes");
  EXPECT_EQ(world.run("producer", "Sum", R"([{"numbers": [3, 4]}])").substr(0, 9), R"({"sum": 7)");
}

TEST(Plugins, ThatLeadToEachOtherOnTwoThreadsTakeTurns) {
  const Limits limits;
  const auto starter = plugin_starter({.program = STRATA_PLUGIN_HOST});
  const std::string other = ::testing::TempDir() + "other_plain.so";
  std::filesystem::copy_file(library("plain"), other, std::filesystem::copy_options::overwrite_existing);
  const auto turn = std::make_shared<Turn>();
  const auto first = std::make_shared<Plugin>(library("plain"), *starter, limits, turn);
  const auto second = std::make_shared<Plugin>(other, *starter, limits, turn);
  const auto ask = [&](const std::shared_ptr<Plugin>& from, const std::shared_ptr<Plugin>& to) {
    Sources sources;
    TestContext context(sources);
    Arena arena;
    const Registration producer{.kind = "producer", .name = "Injects", .type = {}, .parent = {}};
    const Registration function{.kind = "function", .name = "echo", .type = {}, .parent = {}};
    const auto outer = open_plugin(from, sources, nullptr);
    const auto inner = open_plugin(to, sources, nullptr);
    context.on_inject = [&](std::string_view, std::string_view) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      const Value one = Value::integer(1);
      return inner->call(function, context, std::span(&one, 1), nullptr);
    };
    MappingBuilder members(arena);
    members.insert("type", arena.text(""));
    members.insert("name", arena.text("x"));
    const Value arguments = members.finish();
    EXPECT_EQ(outer->call(producer, context, std::span(&arguments, 1), nullptr).size(), 1U);
  };
  std::thread there([&] { ask(first, second); });
  ask(second, first);
  there.join();
}

TEST(Plugins, RegistryAndErrorsOfBindings) {
  World world;
  const auto starter = plugin_starter({.program = STRATA_PLUGIN_HOST});
  Extensions extensions(world.sources, world.limits, starter.get());
  extensions.add({.kind = "producer", .name = "Fails", .lua = {}, .plugin = library("plain"), .origin = {}},
                 *memory_tree({}));
  const auto registry = extensions.open(world.session);
  EXPECT_EQ(
      failure([&] { return registry->producer("Fails")->produce(world.context, world.value(R"({"placed": 1})")); }),
      "site.pp:1:6: error: producer 'Fails' of " + library("plain") +
          ": bad row [extension.failed]\n    1 | bind 'x' to producer 'p'\n      |      ^\ntable.csv:12: note: it "
          "failed here\n");
  const Request request;
  const LayerRequest layer{.layer = "people",
                           .include = {parse_uri(world.sources, "people", "ldap:/a", {})},
                           .exclude = {},
                           .origin = {},
                           .request = request};
  const auto items = registry->provider("ldap")->items(layer);
  ASSERT_EQ(items.size(), 1U);
  EXPECT_EQ(items[0].document->statements.size(), 1U);
  queries::Query query;
  query.type = "Sql";
  EXPECT_EQ(registry->query_service("cmdb")->ask(query).all().at(0).title, "one");
  // A second request uses the same process.
  const auto second = extensions.open(world.session);
  (void)registry->producer("Sum")->produce(world.context, {});
  EXPECT_EQ(second->producer("Sum")->produce(world.context, {}).find("calls")->as_integer(), 2);
}

TEST(Plugins, HostileOnesEndAndTheNextCallIsServed) {
  if (test::kThreadSanitizer) GTEST_SKIP() << "the sanitizer ends the process in its own way";
  PluginWorld world("hostile", std::chrono::milliseconds(500));
  EXPECT_EQ(
      world.told("function", "crash"),
      "extension.process: the process of the plugin FILE is gone: it was ended by signal 11 (Segmentation fault)");
  EXPECT_EQ(world.told("function", "print"), "5");
  EXPECT_EQ(world.told("function", "leave"),
            "extension.process: the process of the plugin FILE is gone: it ended with status 3");
  EXPECT_EQ(world.told("function", "hang"),
            "extension.process: the plugin FILE was ended: it does not answer within 0.5 seconds");
  EXPECT_EQ(world.told("function", "ask").substr(0, 42), "extension.process: the plugin FILE was end")
      << world.told("function", "ask");
  EXPECT_EQ(world.told("function", "junk").substr(0, 67),
            "extension.process: the plugin FILE was ended: its answer is invalid");
  EXPECT_EQ(world.told("function", "endless").substr(0, 46), "extension.process: the plugin FILE was ended: ");
  EXPECT_EQ(world.told("function", "invalid"), "extension.failed: bad ");
  EXPECT_EQ(world.told("function", "deep").substr(0, 18), "extension.process:");
  EXPECT_EQ(world.told("function", "mute"), "extension.failed: it failed without a message");
  EXPECT_EQ(world.told("function", "print"), "5");
}

TEST(Plugins, EndWithTheRequest) {
  // One hangs in a call, one while it is loaded, one asks strata without an end.
  const std::vector<std::pair<std::string, std::string>> all{
      {"hostile", "hang"}, {"refusing3", "x"}, {"hostile", "ask"}};
  for (const auto& [name, function] : all) {
    for (const bool is_cancelled : {true, false}) {
      PluginWorld world(name, std::chrono::hours(1));
      world.limits.steps = std::numeric_limits<std::size_t>::max();
      Stop stop;
      world.limits.stop = &stop;
      std::thread other([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        if (is_cancelled) {
          stop.cancel();
        } else {
          stop.end_at(Stop::Clock::now());
        }
      });
      EXPECT_EQ(world.told("function", function).substr(0, 10), is_cancelled ? "session.ca" : "limit.time") << function;
      other.join();
      // The process is gone with the request.
      EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
      EXPECT_EQ(errno, ECHILD);
      world.limits.stop = nullptr;
      if (name == "hostile") {
        EXPECT_EQ(world.told("function", "print"), "5") << "the next call is served";
      }
    }
  }
}

TEST(Plugins, AQuestionThatEndsTheRequestEndsTheCall) {
  PluginWorld world("plain");
  world.context.on_inject = [](std::string_view, std::string_view) -> Value {
    throw Error("session.cancelled", "the request was cancelled");
  };
  EXPECT_EQ(world.told("producer", "Injects", R"([{"type": "", "name": "x"}])"),
            "session.cancelled: the request was cancelled");
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(world.run("producer", "Sum", R"([{"numbers": [3, 4]}])").substr(0, 9), R"({"sum": 7)");
}

TEST(Plugins, WaitingForATurnEndsWithTheRequest) {
  PluginWorld world("plain");
  const auto turn = std::make_shared<Turn>();
  const auto plugin = std::make_shared<Plugin>(library("plain"), *world.starter, world.limits, turn);
  const std::lock_guard busy(*turn);
  std::string code;
  std::thread other([&] {
    const Stop over(Stop::Clock::now() + std::chrono::milliseconds(50));
    try {
      (void)plugin->registrations(&over);
    } catch (const Error& error) {
      code = error.code();
    }
  });
  other.join();
  EXPECT_EQ(code, "limit.time");
}

TEST(Plugins, EndlessMemory) {
  if (test::kAddressSanitizer || test::kThreadSanitizer)
    GTEST_SKIP() << "the sanitizer ends the process at its own limit";
  PluginWorld world("hostile");
  EXPECT_EQ(world.told("function", "grow"), "extension.failed: no memory");
  EXPECT_EQ(world.told("function", "print"), "5");
}

TEST(Plugins, ThatCannotBeUsed) {
  EXPECT_EQ(PluginWorld("refusing1").told("function", "x"),
            "extension.failed: the plugin FILE cannot be used: no licence");
  EXPECT_EQ(PluginWorld("refusing2").told("function", "x"),
            "extension.process: the process of the plugin FILE is gone: it was ended by signal 6 (Aborted)");
  EXPECT_EQ(PluginWorld("refusing3", std::chrono::milliseconds(300)).told("function", "x"),
            "extension.process: the plugin FILE was ended: it does not answer within 0.3 seconds");
  EXPECT_NE(PluginWorld("none").told("function", "x").find("cannot be used: "), std::string::npos);
  PluginWorld world("plain");
  world.starter = plugin_starter({.program = "/nonexistent"});
  const auto plugin =
      std::make_shared<Plugin>(library("plain"), *world.starter, world.limits, std::make_shared<Turn>());
  EXPECT_NE(failure([&] {
              return plugin->registrations(nullptr).size();
            }).find("cannot be started: No such file or directory [extension.process]"),
            std::string::npos);
}

TEST(Plugins, SecretsStaySecret) {
  PluginWorld world("plain");
  const auto code = open_plugin(world.plugin, world.sources, nullptr);
  for (const Registration& what : code->registrations()) {
    if (what.name != "echo") continue;
    const std::vector<Value> secret{world.value(R"("hush")").with_secret()};
    EXPECT_TRUE(code->call(what, world.context, secret, nullptr).items()[0].is_secret());
  }
}

TEST(Plugins, ThreadsTakeTurns) {
  PluginWorld world("plain");
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      Sources sources;
      TestContext context(sources);
      const auto code = open_plugin(world.plugin, sources, nullptr);
      for (const Registration& what : code->registrations()) {
        if (what.name != "echo") continue;
        for (int k = 0; k < 50; ++k) {
          const std::vector<Value> given{Value::integer(i * 1000 + k)};
          if (code->call(what, context, given, nullptr).items()[0].as_integer() != i * 1000 + k) ++wrong;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace strata::bindings::extensions
