// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "eyaml/payloads.hpp"
#include "strata/hiera.hpp"
#include "strata/text.hpp"

namespace strata::hiera {
namespace {

constexpr const char* kEnvironment = "/code/environments/production/";

/// A code directory in memory, and lookups in it.
class LuaBackend : public ::testing::Test {
 protected:
  /// A file of the environment.
  void file(const std::string& path, std::string text) { files_[kEnvironment + path] = std::move(text); }
  void script(const std::string& name, std::string text) { file("lib/strata/" + name + ".lua", std::move(text)); }
  /// A hiera.yaml of the environment with some entries.
  void hierarchy(const std::string& entries) { file("hiera.yaml", "version: 5\nhierarchy:\n" + entries); }
  /// One entry with one function.
  void only(const std::string& kind, std::string text) {
    hierarchy("- {name: mine, " + kind + ": 'lua::mine', options: {region: eu, list: [1, {a: b}]}}\n");
    script("mine", std::move(text));
  }

  /// Over the files as they are when somebody first asks.
  Session& session() {
    if (!session_) {
      session_.emplace(Snapshot::make(Engine::make(), memory_tree(files_), {.limits = limits}),
                       SessionSettings{.limits = limits, .keeps_history = keeps_history});
    }
    return *session_;
  }
  NodeView node() {
    Settings settings;
    settings.codedir = "/code";
    settings.read_key = [](const std::string& path) -> std::optional<std::string> {
      std::ifstream key(STRATA_SOURCE_DIR "/tests/hiera/eyaml" + path);
      std::stringstream text;
      text << key.rdbuf();
      return text.str();
    };
    return {settings, {}, session()};
  }
  NodeView& view() {
    if (!view_) view_.emplace(node());
    return *view_;
  }
  /// Lets go of all but the results.
  void close() {
    view_.reset();
    session_.reset();
  }
  const Value& find(const std::string& key, Explanation* explanation = nullptr) {
    results_.push_back(view().lookup({.names = {key},
                                      .type = {},
                                      .merge = {},
                                      .override_values = {},
                                      .default_values = {},
                                      .block = {},
                                      .default_value = {}},
                                     explanation));
    return results_.back().value.value;
  }
  std::string json(const std::string& key) {
    std::string out = text::write_json(find(key), {.sort_keys = false, .indent = -1});
    out.pop_back();  // The line end.
    return out;
  }
  bool is_found(const std::string& key) {
    try {
      (void)find(key);
      return true;
    } catch (const LookupError& error) {
      if (error.code() != "hiera.not-found") throw;
      return false;
    }
  }
  /// What a lookup fails with.
  Diagnostic failure(const std::string& key) {
    try {
      (void)find(key);
    } catch (const LookupError& error) {
      return error.diagnostic();
    }
    ADD_FAILURE() << key << " is found";
    return {};
  }
  std::string place(const Value& value) { return session().sources().place(value.origin()).to_string(); }

  Limits limits;
  bool keeps_history = false;

 private:
  std::map<std::string, std::string> files_;
  std::optional<Session> session_;
  std::optional<NodeView> view_;
  std::vector<Result> results_;
};

TEST_F(LuaBackend, DataHashAnswersEverythingOnceAndIsInterpolated) {
  only("data_hash", R"(
    calls = 0
    return { data_hash = function(options)
      calls = calls + 1
      return { region = options.region, calls = calls, b = "%{lookup('region')}-1", deep = { l = { 1, 2.5, "x", null, true } } }
    end })");
  EXPECT_EQ(json("b"), R"("eu-1")");
  EXPECT_EQ(json("deep"), R"({"l": [1, 2.5, "x", null, true]})");
  EXPECT_EQ(json("deep.l.2"), R"("x")");
  EXPECT_EQ(json("calls"), "1");
  EXPECT_FALSE(is_found("nope"));
  EXPECT_EQ(view().keys(), (std::vector<std::string>{"b", "calls", "deep", "region"}));
}

TEST_F(LuaBackend, DataHashMayBeEmpty) {
  only("data_hash", "return function(options, context) return {} end");
  EXPECT_FALSE(is_found("a"));
}

TEST_F(LuaBackend, DataHashMayFindNothing) {
  only("data_hash", "return function(options, context) context.not_found() end");
  EXPECT_FALSE(is_found("a"));
}

TEST_F(LuaBackend, LookupKeyAnswersRootKeysOnceAndIsNotInterpolated) {
  only("lookup_key", R"(
    calls = {}
    return { lookup_key = function(key, options, context)
      calls[key] = (calls[key] or 0) + 1
      if key == "lookup_options" or key == "nope" then return nil end
      if key == "none" then return null end
      if key == "gone" then pcall(context.not_found) return "found" end
      if key == "plain" then return "%{environment}" end
      if key == "text" then return context.interpolate("in %{environment}") end
      return { key = key, calls = calls[key] }
    end })");
  EXPECT_EQ(json("a"), R"({"calls": 1, "key": "a"})");
  EXPECT_EQ(json("a.calls"), "1");
  EXPECT_EQ(json("plain"), R"("%{environment}")");
  EXPECT_EQ(json("text"), R"("in production")");
  EXPECT_EQ(json("none"), "null");
  EXPECT_FALSE(is_found("nope"));
  EXPECT_FALSE(is_found("gone"));
}

TEST_F(LuaBackend, DataDigIsAskedForSegments) {
  only("data_dig", R"(
    return { data_dig = function(segments, options, context)
      if segments[1] ~= "web" then context:not_found() end
      return #segments .. kind(segments[#segments]) .. "%{environment}"
    end })");
  EXPECT_EQ(json("web"), R"("1text%{environment}")");
  EXPECT_EQ(json("web.ports.1"), R"("3integer%{environment}")");
  EXPECT_EQ(json("web.ports.'1'"), R"("3text%{environment}")");
  EXPECT_FALSE(is_found("db.ports"));
}

TEST_F(LuaBackend, OptionsHoldTheLocation) {
  hierarchy(
      "- {name: paths, lookup_key: 'lua::mine', path: here.txt, options: {a: '%{environment}'}}\n- {name: uris, "
      "lookup_key: 'lua::mine', uri: "
      "'http://x/%{environment}'}\n");
  file("data/here.txt", "");
  script("mine", "return function(key, options) if key == (options.path and 'p' or 'u') then return options end end");
  EXPECT_EQ(json("p"), R"({"a": "production", "path": "/code/environments/production/data/here.txt"})");
  EXPECT_EQ(json("u"), R"({"uri": "http://x/production"})");
}

TEST_F(LuaBackend, MissingPathsAreNotAsked) {
  hierarchy("- {name: mine, lookup_key: 'lua::mine', path: nowhere.txt}\n");
  script("mine", "return function() return 1 end");
  EXPECT_FALSE(is_found("a"));
}

TEST_F(LuaBackend, ContextKeepsValuesAsLongAsTheView) {
  only("lookup_key", R"(
    return function(key, options, context)
      if key == "put" then
        local value = context.cache("v", { n = { 1, 2 }, r = options.list, i = context.interpolate("%{environment}") })
        context:cache_all({ b = true, [7] = "seven" })
        value.n[1] = "changed"
        return context.cache_has_key("v")
      elseif key == "get" then
        local value = context.cached_value("v")
        value.n[2] = "changed"
        return { context.cached_value("v"), context.cached_value(7), context.cached_value("nope") == nil, context.cache_has_key("nope") }
      elseif key == "entries" then
        local names = {}
        for name, value in context.cached_entries() do table.insert(names, tostring(name)) end
        context.cached_entries(function(name, value) table.insert(names, kind(value)) end)
        return names
      elseif key == "remove" then
        context.cache("v", nil)
        return context.cache_has_key("v")
      end
    end)");
  EXPECT_EQ(json("put"), "true");
  EXPECT_EQ(json("get"), R"([{"i": "production", "n": [1, 2], "r": [1, {"a": "b"}]}, "seven", true, false])");
  EXPECT_EQ(json("entries"), R"(["v", "7", "b", "mapping", "text", "boolean"])");
  EXPECT_EQ(json("remove"), "false");
  NodeView other = node();
  EXPECT_THROW((void)other.lookup({.names = {"get"},
                                   .type = {},
                                   .merge = {},
                                   .override_values = {},
                                   .default_values = {},
                                   .block = {},
                                   .default_value = {}}),
               LookupError);
}

TEST_F(LuaBackend, LocationsKeepTheirValuesApart) {
  hierarchy("- {name: mine, lookup_key: 'lua::mine', uris: [one, two]}\n");
  script("mine", R"(
    return function(key, options, context)
      if key == "lookup_options" then return nil end
      if options.uri == "one" then context.cache("seen", key) return nil end
      return context.cache_has_key("seen")
    end)");
  EXPECT_EQ(json("k"), "false");
}

TEST_F(LuaBackend, ResultsOutliveTheirSession) {
  only("data_hash", "return function() return { a = { b = 'a text that is longer than a pointer' } } end");
  const Value& value = find("a");
  close();
  EXPECT_EQ(value.find("b")->text(), "a text that is longer than a pointer");
}

TEST_F(LuaBackend, FilesAreReadAndConvertedOnce) {
  only("lookup_key", R"(
    local converted = 0
    return function(key, options, context)
      if key == "text" then return context.cached_file_data("data/list.txt") end
      if key == "list" or key == "again" then
        return context.cached_file_data("data/list.txt", function(text)
          converted = converted + 1
          local out = { converted }
          for word in text:gmatch("%a+") do table.insert(out, word) end
          return out
        end)
      end
      if key == "absolute" then return context.cached_file_data("/code/environments/production/data/list.txt") end
      if key == "missing" then return context.cached_file_data("data/nope.txt") end
    end)");
  file("data/list.txt", "a b\n");
  EXPECT_EQ(json("text"), R"("a b\n")");
  EXPECT_EQ(json("list"), R"([1, "a", "b"])");
  EXPECT_EQ(json("again"), R"([1, "a", "b"])");
  EXPECT_EQ(json("absolute"), R"("a b\n")");
  EXPECT_EQ(failure("missing").code, "lua.file");
}

TEST_F(LuaBackend, ContextKnowsWhereItIs) {
  hierarchy("- {name: mine, lookup_key: 'lua::who'}\n");
  script("who",
         "return function(key, options, context) if key == 'a' then return { context.environment_name, "
         "context.module_name or 'none', "
         "context.options == options } end end");
  file("modules/mod/hiera.yaml", "version: 5\nhierarchy:\n- {name: mine, lookup_key: 'lua::who'}\n");
  file("modules/mod/lib/strata/who.lua",
       "return function(key, options, context) if key == 'mod::a' then return context.module_name end end");
  EXPECT_EQ(json("a"), R"(["production", "none", true])");
  EXPECT_EQ(json("mod::a"), R"("mod")");
}

TEST_F(LuaBackend, ScriptsAreFoundInOrder) {
  hierarchy(
      "- {name: e, lookup_key: 'lua::of_env'}\n- {name: f, lookup_key: 'lua::first'}\n- {name: n, lookup_key: "
      "'lua::bravo::first'}\n");
  const auto answers = [](const std::string& key) {
    return "return function(key) if key == '" + key + "' then return '" + key + "' end end";
  };
  script("of_env", answers("env"));
  file("modules/alfa/lib/strata/of_env.lua", answers("hidden"));
  file("modules/alfa/lib/strata/first.lua", answers("alfa"));
  file("modules/bravo/lib/strata/first.lua", answers("bravo"));
  EXPECT_EQ(json("env"), R"("env")");
  EXPECT_EQ(json("alfa"), R"("alfa")");
  EXPECT_EQ(json("bravo"), R"("bravo")");
  EXPECT_FALSE(is_found("hidden"));
}

TEST_F(LuaBackend, ExplanationsHoldWhatIsSaid) {
  only("lookup_key",
       "return function(key, options, context) if key ~= 'k' then return end context.explain('said ' .. key) "
       "context.explain(function() return 'and "
       "more' end) return 1 end");
  Explanation explanation;
  (void)find("k", &explanation);
  EXPECT_NE(explanation.text().find("said k\n"), std::string::npos) << explanation.text();
  EXPECT_NE(explanation.text().find("and more\n"), std::string::npos);
}

TEST_F(LuaBackend, ExplanationsThatNobodyReadsAreNotMade) {
  only("lookup_key",
       "local n = 0 return function(key, options, context) if key ~= 'k' then return end context.explain(function() n "
       "= n + 1 return 'x' end) return "
       "n end");
  EXPECT_EQ(json("k"), "0");
}

TEST_F(LuaBackend, ValuesComeFromTheEntry) {
  only("lookup_key", "return function(key, options) return { made = 1, list = options.list } end");
  const Value& found = find("k");
  EXPECT_EQ(place(*found.find("made")), "/code/environments/production/hiera.yaml:3:28");
  EXPECT_EQ(place(*found.find("list")), "/code/environments/production/hiera.yaml:3:69");
}

TEST_F(LuaBackend, ErrorsNameTheScriptAndTheEntry) {
  struct Case {
    const char* kind;
    const char* script;
    const char* code;
    const char* words;
    int line;
  };
  constexpr Case kCases[] = {
      {"lookup_key", "return function(key)\n  if key == 'k' then\n    error('no port')\n  end\n  return nil\nend",
       "lua.runtime", "no port", 3},
      {"lookup_key", "return {\nlookup_key = function(key)\n return nil + 1 end }", "lua.runtime", "arithmetic", 3},
      {"lookup_key", "return {\nlookup_key = function(key) return { print2 = function() end } end }", "lua.result",
       "function cannot be part", 2},
      {"lookup_key", "return function(key, options, context)\n return (context.cache({}, 1)) end", "lua.context",
       "a key of the cache", 2},
      {"lookup_key", "return function(key, options, context)\n return (context.cache_all(1)) end", "lua.context",
       "cache_all", 2},
      {"lookup_key", "return function(key, options, context)\n return (context.cached_file_data(7)) end", "lua.context",
       "path", 2},
      {"lookup_key", "return function(key, options, context)\n local x = context.cache('f', tostring)\n return x end",
       "lua.result", "function", 2},
      {"lookup_key", "return function(", "lua.syntax", "", 1},
      {"data_hash", "return function() end", "hiera.lua", "nil instead of a mapping", 3},
      {"data_hash", "return function() return 'text' end", "hiera.lua", "instead of a mapping", 3},
      {"data_hash", "return function() return nil end", "hiera.lua", "nil instead of a mapping", 3},
      {"data_hash", "return { lookup_key = function() return {} end }", "hiera.lua", "without a function 'data_hash'",
       3},
      {"data_hash", "return 7", "hiera.lua", "neither", 3},
  };
  for (const Case& one : kCases) {
    close();
    only(one.kind, one.script);
    const Diagnostic told = failure("k");
    EXPECT_EQ(told.code, one.code) << one.script << "\n" << told.message;
    EXPECT_NE(told.message.find(std::string(one.kind) + " function 'lua::mine' of hierarchy entry 'mine': "),
              std::string::npos)
        << told.message;
    EXPECT_NE(told.message.find(one.words), std::string::npos) << told.message;
    EXPECT_EQ(told.where.place.line, static_cast<std::uint32_t>(one.line)) << one.script << "\n" << told.message;
    const bool in_script = std::string_view(one.code) != "hiera.lua";
    EXPECT_TRUE(told.where.place.file.ends_with(in_script ? "lib/strata/mine.lua" : "hiera.yaml"))
        << one.script << told.where.place.file;
    if (in_script) {
      ASSERT_EQ(told.notes.size(), 1U);
      EXPECT_EQ(told.notes.front().place.to_string(), "/code/environments/production/hiera.yaml:3:28");
    }
  }
}

TEST_F(LuaBackend, UnknownFunctionsAreNamed) {
  for (const char* name : {"lua::nope", "lua::nope::x", "lua::", "lua::../mine", "lua::a::b::c", "mine"}) {
    close();
    hierarchy(std::string("- {name: the entry, lookup_key: '") + name + "'}\n");
    const Diagnostic told = failure("k");
    EXPECT_EQ(told.code, "hiera.function") << name;
    EXPECT_NE(told.message.find("'the entry'"), std::string::npos) << told.message;
    EXPECT_NE(told.hint.find(std::string_view(name).starts_with("lua::") ? "lib/strata/NAME.lua" : "not supported"),
              std::string::npos);
  }
}

TEST_F(LuaBackend, KeysThatAreNoDataFailTheirRootKeyAlone) {
  only("data_hash", "return function() return { good = 1, bad = mapping({ [true] = 1 }) } end");
  EXPECT_EQ(json("good"), "1");
  EXPECT_EQ(failure("bad").code, "hiera.value");
}

TEST_F(LuaBackend, RecursionIsFound) {
  only("lookup_key",
       "return function(key, options, context) if key ~= 'lookup_options' then return "
       "context.interpolate(\"%{lookup('k')}\") end end");
  EXPECT_EQ(failure("k").code, "hiera.recursion");
}

TEST_F(LuaBackend, LookupsInsideOfLookupsEnd) {
  // Every key asks for another one, by way of two scripts that call each other.
  hierarchy("- {name: a, lookup_key: 'lua::a'}\n- {name: b, lookup_key: 'lua::b'}\n");
  const std::string next = "return context.interpolate(\"%{lookup('OTHER\" .. (tonumber(n) + 1) .. \"')}\") end";
  const auto text = [&](const std::string& own, const std::string& other) {
    std::string out = "return function(key, options, context) local n = key:match('^" + own +
                      "(%d+)$') if not n then return nil end " + next;
    return out.replace(out.find("OTHER"), 5, other);
  };
  script("a", text("a", "b"));
  script("b", text("b", "a"));
  try {
    (void)find("a0");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "limit.depth");
  }
}

TEST_F(LuaBackend, EndlessScriptsEndTheLookup) {
  limits.steps = 100'000;
  only("lookup_key", "return function() while true do end end");
  try {
    (void)find("k");
    FAIL();
  } catch (const LookupError&) {
    FAIL() << "a limit is no problem of the data";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "limit.steps");
    EXPECT_NE(std::string(error.what()).find("hierarchy entry 'mine'"), std::string::npos);
  }
}

TEST_F(LuaBackend, LimitsHoldInsideOfTheContextToo) {
  only("lookup_key",
       "local s = ('x'):rep(1000000)\nreturn function(key, options, context)\n while true do context.cache(1, s) "
       "context.interpolate(s) end end");
  limits.steps = 1'000'000;
  try {
    (void)find("k");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "limit.steps");
    EXPECT_TRUE(error.diagnostic().where.place.file.ends_with("mine.lua"));
  }
}

TEST_F(LuaBackend, FoldersAreNoFilesOfTheContext) {
  only("lookup_key", "return function(key, options, context) return context.cached_file_data('lib') end");
  try {
    (void)find("k");
    FAIL();
  } catch (const LookupError& error) {
    FAIL() << error.code() << " is fatal as for other functions";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "tree.unreadable");
  }
}

TEST_F(LuaBackend, ModulesPreferTheirOwnScripts) {
  hierarchy("- {name: e, lookup_key: 'lua::who'}\n");
  script("who",
         "return function(key) if key ~= 'lookup_options' and not key:find('::') then return 'environment' end end");
  file("modules/mod/hiera.yaml", "version: 5\nhierarchy:\n- {name: mine, data_hash: 'lua::who'}\n");
  file("modules/mod/lib/strata/who.lua",
       "return { data_hash = function() return { ['mod::a'] = 'module', other = 1 } end }");
  EXPECT_EQ(json("mod::a"), R"("module")");
  EXPECT_EQ(json("a"), R"("environment")");
  EXPECT_EQ(view().keys(), std::vector<std::string>{"mod::a"});
}

TEST_F(LuaBackend, SecretsStaySecret) {
  hierarchy(
      "- {name: secret, lookup_key: eyaml_lookup_key, path: secret.yaml, options: {pkcs7_private_key: "
      "/private_key.pem}}\n"
      "- {name: mine, lookup_key: 'lua::mine'}\n");
  file("data/secret.yaml", "password: ENC[PKCS7," + std::string(eyaml::kGeheim) + "]\n");
  script("mine", R"(
    return function(key, options, context)
      if key == 'lookup_options' then return nil end
      if key == 'early' then return 'public' end
      local password = context.interpolate("%{lookup('password')}")
      context.explain('it is ' .. password)
      if key == 'fails' then error('not ' .. password) end
      return { key .. password, context.cache('kept', password) }
    end)");
  EXPECT_FALSE(find("early").is_secret());
  Explanation explanation;
  const Value& made = find("k", &explanation);
  ASSERT_EQ(made.size(), 2U);
  EXPECT_EQ(made.items()[0].text(), "kgeheim");
  EXPECT_TRUE(made.items()[0].is_secret());
  EXPECT_TRUE(made.items()[1].is_secret());
  EXPECT_EQ(explanation.text().find("it is"), std::string::npos) << explanation.text();
  const Diagnostic told = failure("fails");
  EXPECT_EQ(told.code, "lua.runtime");
  EXPECT_EQ(told.where.place.line, 7U);
  EXPECT_EQ(format(told, "error").find("geheim"), std::string::npos) << told.message;
}

TEST_F(LuaBackend, HistoriesNameTheEntry) {
  keeps_history = true;
  only("lookup_key", "return function(key) if key == 'k' then return { a = 1 } end end");
  EXPECT_EQ(json("k"), R"({"a": 1})");
  EXPECT_EQ(session().recorder().history()->layer_name(0), "mine");
}

}  // namespace
}  // namespace strata::hiera
