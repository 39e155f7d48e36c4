// SPDX-License-Identifier: Apache-2.0
// What requests over the Snapshots of one Engine share, and what lasts when all of them are gone.
#include "strata/snapshot.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <fstream>
#include <sstream>
#include <thread>

#include "eyaml/payloads.hpp"
#include "strata/hiera.hpp"
#include "world.hpp"

namespace strata::hiera {
namespace {

using testing::World;

std::string in_environment(const std::string& name) { return "/code/environments/production/" + name; }

/// Names are those of files of the environment.
std::shared_ptr<const FileTree> environment_files(const std::map<std::string, std::string>& texts) {
  std::map<std::string, std::string> out;
  for (const auto& [name, text] : texts) out[in_environment(name)] = text;
  return memory_tree(std::move(out));
}

/// A hierarchy of two levels, with a module that has data of its own.
std::shared_ptr<const FileTree> two_level_site() {
  return environment_files(
      {{"hiera.yaml", testing::levels({"roles/%{role}.yaml", "common.yaml"})},
       {"data/roles/web.yaml", "k: {a: web}\nlist: [w]\n"},
       {"data/roles/db.yaml", "k: {a: db}\n"},
       {"data/common.yaml",
        "lookup_options: {k: {merge: deep}, list: {merge: unique}}\nk: {b: \"%{lookup('list')}\"}\nlist: "
        "[\"%{role}\", c]\n"},
       {"modules/m/hiera.yaml", "version: 5\n"},
       {"modules/m/data/common.yaml", "m::k: \"m of %{role}\"\n"}});
}

Settings settings() {
  Settings out;
  out.codedir = "/code";
  return out;
}

Facts facts(Session& session, const std::string& role) {
  return read_facts(session.sources(), session.sources().add("facts.yaml", "role: " + role + "\n"), "facts.yaml",
                    session.limits());
}

/// A lookup as a request of its own, whose result is all that is left of it.
Result find(const std::shared_ptr<Snapshot>& snapshot, const std::string& name, const std::string& role = "web",
            const Settings& of = settings()) {
  Session session(snapshot);
  return lookup({.settings = of, .facts = facts(session, role), .query = World::query(name)}, session);
}

std::string answer(const std::shared_ptr<Snapshot>& snapshot, const std::string& name,
                   const std::string& role = "web") {
  return ruby::inspect(find(snapshot, name, role).value.value);
}

// Edits

TEST(HieraSnapshots, AnEditReadsTheEditedFileOnly) {
  const auto engine = Engine::make();
  const auto tree = two_level_site();
  const auto before = Snapshot::make(engine, tree);
  EXPECT_EQ(answer(before, "k"), R"({"b"=>"[\"w\", \"web\", \"c\"]", "a"=>"web"})");
  EXPECT_EQ(answer(before, "m::k"), R"("m of web")");
  const std::size_t reads = engine->usage().reads;
  EXPECT_EQ(reads, 5U) << "two configurations and three files of data";
  EXPECT_EQ(answer(before, "m::k"), R"("m of web")");
  EXPECT_EQ(answer(before, "k"), R"({"b"=>"[\"w\", \"web\", \"c\"]", "a"=>"web"})");
  EXPECT_EQ(engine->usage().reads, reads) << "what one request has read serves the next one";

  const auto after =
      Snapshot::make(engine, edited_tree(tree, {{in_environment("data/roles/web.yaml"), "k: {a: new}\n"}}));
  EXPECT_EQ(answer(after, "k"), R"({"b"=>"[\"web\", \"c\"]", "a"=>"new"})");
  EXPECT_EQ(answer(after, "m::k"), R"("m of web")");
  EXPECT_EQ(engine->usage().reads, reads + 1);
  EXPECT_EQ(answer(before, "k"), R"({"b"=>"[\"w\", \"web\", \"c\"]", "a"=>"web"})")
      << "what was before the edit stays as it was";
  EXPECT_EQ(engine->usage().reads, reads + 1);
}

TEST(HieraSnapshots, FilesComeAndGo) {
  const auto engine = Engine::make();
  const auto tree = two_level_site();
  EXPECT_EQ(answer(Snapshot::make(engine, tree), "list"), R"(["w", "web", "c"])");
  const std::size_t reads = engine->usage().reads;
  const auto without =
      Snapshot::make(engine, edited_tree(tree, {{in_environment("data/roles/web.yaml"), std::nullopt}}));
  EXPECT_EQ(answer(without, "list"), R"(["web", "c"])");
  EXPECT_EQ(engine->usage().reads, reads);
  const auto with =
      Snapshot::make(engine, edited_tree(tree, {{in_environment("data/roles/mail.yaml"), "list: [mail]\n"}}));
  EXPECT_EQ(answer(with, "list", "mail"), R"(["mail", "c"])");
  EXPECT_EQ(engine->usage().reads, reads + 1);
  const auto another =
      Snapshot::make(engine, edited_tree(tree, {{in_environment("hiera.yaml"), testing::levels({"common.yaml"})}}));
  EXPECT_EQ(answer(another, "list"), R"(["web", "c"])");
  EXPECT_EQ(engine->usage().reads, reads + 2);
}

TEST(HieraSnapshots, ABrokenFileIsBrokenInItsSnapshotOnly) {
  const auto engine = Engine::make();
  const auto tree = two_level_site();
  const auto before = Snapshot::make(engine, tree);
  const auto broken = Snapshot::make(engine, edited_tree(tree, {{in_environment("data/common.yaml"), "k: [\n"}}));
  for (int round = 0; round < 2; ++round) {
    try {
      (void)find(broken, "k");
      FAIL();
    } catch (const LookupError& error) {
      EXPECT_EQ(error.diagnostic().where.place.to_string(), in_environment("data/common.yaml") + ":2:1");
    }
    EXPECT_EQ(answer(before, "list"), R"(["w", "web", "c"])");
  }
}

TEST(HieraSnapshots, EachRequestIsToldWhatTheSharedFilesWarnOf) {
  const auto snapshot = Snapshot::make(
      Engine::make(), memory_tree({{"/code/hiera.yaml", "---\n:backends: [yaml]\n:yaml:\n  :datadir: /code/data\n"},
                                   {"/code/data/common.yaml", "k: v\n"}}));
  for (int round = 0; round < 2; ++round) {
    Session session(snapshot);
    EXPECT_EQ(
        ruby::inspect(lookup({.settings = settings(), .facts = {}, .query = World::query("k")}, session).value.value),
        R"("v")");
    ASSERT_EQ(session.diagnostics().warnings().size(), 1U);
    EXPECT_EQ(session.diagnostics().warnings().front().code, "hiera.version-deprecated");
  }
}

// Results

/// All places of a value, in its order.
void places(const Sources& sources, const Value& value, std::string& out) {
  out += sources.place(value.origin()).to_string() + "\n";
  if (value.is_sequence()) {
    for (const Value& item : value.items()) places(sources, item, out);
  }
  if (value.is_mapping()) {
    for (const Entry& entry : value.entries()) places(sources, entry.value, out);
  }
}

std::string places(const std::shared_ptr<Locations>& locations, const Result& result) {
  std::string out;
  places(Sources(locations), result.value.value, out);
  for (std::size_t at = out.find(in_environment("")); at != std::string::npos; at = out.find(in_environment("")))
    out.erase(at, in_environment("").size());
  return out;
}

/// An Engine that is gone, and what is left of it.
struct Left {
  std::shared_ptr<Locations> locations;
  std::vector<Result> results;
};

Left left(const std::shared_ptr<const FileTree>& tree, const std::vector<std::string>& names,
          const Settings& of = settings()) {
  const auto engine = Engine::make();
  Left out{.locations = engine->locations(), .results = {}};
  const auto snapshot = Snapshot::make(engine, tree);
  for (const std::string& name : names) out.results.push_back(find(snapshot, name, "web", of));
  return out;
}

TEST(HieraResults, OutliveSessionSnapshotAndEngine) {
  Left all = left(two_level_site(), {"k", "list", "m::k", "k.a"});
  ASSERT_EQ(all.results.size(), 4U);
  EXPECT_EQ(ruby::inspect(all.results[0].value.value), R"({"b"=>"[\"w\", \"web\", \"c\"]", "a"=>"web"})");
  EXPECT_EQ(ruby::inspect(all.results[1].value.value), R"(["w", "web", "c"])");
  EXPECT_EQ(ruby::inspect(all.results[2].value.value), R"("m of web")");
  EXPECT_EQ(ruby::inspect(all.results[3].value.value), R"("web")");
  EXPECT_TRUE(places(all.locations, all.results[0]).ends_with("data/common.yaml:2:8\ndata/roles/web.yaml:1:8\n"))
      << places(all.locations, all.results[0]);
  EXPECT_TRUE(places(all.locations, all.results[1])
                  .ends_with("data/roles/web.yaml:2:8\ndata/common.yaml:3:8\ndata/common.yaml:3:19\n"))
      << places(all.locations, all.results[1]);
  EXPECT_EQ(places(all.locations, all.results[2]), "modules/m/data/common.yaml:1:7\n");
  EXPECT_EQ(places(all.locations, all.results[3]), "data/roles/web.yaml:1:8\n");
  EXPECT_EQ(Sources(all.locations).line_of(all.results[3].value.value.origin()), "k: {a: web}");
  EXPECT_GT(all.locations->leased(), 0U);
  all.results.clear();
  EXPECT_EQ(all.locations->leased(), 0U) << "results that go give everything back";
}

TEST(HieraResults, OfFactsOptionsAndFunctionsHaveTheirPlaces) {
  Left all =
      left(environment_files({{"hiera.yaml",
                               "version: 5\nhierarchy:\n  - {name: data, path: common.yaml}\n"
                               "  - {name: made, lookup_key: 'lua::made', options: {given: [1, {x: y}]}}\n"},
                              {"lib/strata/made.lua",
                               "return function(key, options) if key == 'made' then return { own = 'by lua', options = "
                               "options.given } end end\n"},
                              {"data/common.yaml",
                               "fact: \"%{role}\"\nalias: \"%{alias('list')}\"\nlist: [x, \"%{role}\"]\n"
                               "number: '12'\nlookup_options: {number: {convert_to: [Array, true]}}\n"}}),
           {"fact", "alias", "number", "made"});
  ASSERT_EQ(all.results.size(), 4U);
  EXPECT_EQ(ruby::inspect(all.results[0].value.value), R"("web")");
  EXPECT_EQ(ruby::inspect(all.results[1].value.value), R"(["x", "web"])");
  EXPECT_EQ(ruby::inspect(all.results[2].value.value), R"(["12"])");
  EXPECT_EQ(all.results[3].value.value.find("own")->text(), "by lua");
  EXPECT_EQ(ruby::inspect(*all.results[3].value.value.find("options")), R"([1, {"x"=>"y"}])");
  EXPECT_EQ(places(all.locations, all.results[0]), "data/common.yaml:1:7\n");
  EXPECT_TRUE(places(all.locations, all.results[1]).ends_with("data/common.yaml:3:8\ndata/common.yaml:3:11\n"))
      << places(all.locations, all.results[1]);
  EXPECT_TRUE(places(all.locations, all.results[2]).ends_with("data/common.yaml:4:9\n"))
      << places(all.locations, all.results[2]);
  Result options = all.results[3];
  options.value.value = *options.value.value.find("options");
  EXPECT_EQ(places(all.locations, options), "hiera.yaml:4:60\nhiera.yaml:4:61\nhiera.yaml:4:64\nhiera.yaml:4:68\n");
  options = {};
  all.results.clear();
  EXPECT_EQ(all.locations->leased(), 0U);
}

TEST(HieraResults, OutliveTheViewAndWhatItForgets) {
  const auto engine = Engine::make();
  std::optional<Result> first;
  std::optional<Result> second;
  {
    Session session(Snapshot::make(engine, two_level_site()));
    NodeView view(settings(), facts(session, "web"), session);
    first = view.lookup(World::query("list"));
    view.forget();
    second = view.lookup(World::query("list"));
    (void)view.lookup(World::query("m::k"));
  }
  EXPECT_EQ(ruby::inspect(first->value.value), ruby::inspect(second->value.value));
  const std::string expected = places(engine->locations(), *first);
  first.reset();
  EXPECT_EQ(places(engine->locations(), *second), expected);
}

// Secrets

Settings settings_with_key(std::atomic<int>& asked) {
  Settings out = settings();
  out.read_key = [&asked](const std::string& path) -> std::optional<std::string> {
    ++asked;
    std::ifstream file(STRATA_SOURCE_DIR "/tests/hiera/eyaml/" + path.substr(path.rfind('/') + 1));
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  };
  return out;
}

std::shared_ptr<const FileTree> secrets(const std::string& second = "plain: 1\n") {
  const std::string block = "ENC[PKCS7," + std::string(eyaml::kGeheim) + "]";
  return environment_files(
      {{"hiera.yaml",
        "version: 5\nhierarchy:\n  - {name: secret, lookup_key: eyaml_lookup_key, paths: [secret.yaml, "
        "second.yaml], options: "
        "{pkcs7_private_key: /private_key.pem}}\n"},
       {"data/secret.yaml", "open: 1\npassword: " + block + "\nlist: [a, '" + block + "']\n"},
       {"data/second.yaml", second}});
}

TEST(HieraSecrets, AResultOutlivesItsSnapshot) {
  std::atomic<int> asked = 0;
  Left all = left(secrets(), {"password", "list", "open"}, settings_with_key(asked));
  EXPECT_EQ(asked, 1) << "keys are read once a Snapshot";
  EXPECT_EQ(all.results[0].value.value.text(), "geheim");
  EXPECT_TRUE(all.results[0].value.value.is_secret());
  EXPECT_EQ(places(all.locations, all.results[0]), "data/secret.yaml:2:11\n");
  EXPECT_EQ(ruby::inspect(all.results[1].value.value), R"(["a", "geheim"])");
  EXPECT_TRUE(all.results[1].value.value.items()[1].is_secret());
  EXPECT_FALSE(all.results[2].value.value.is_secret());
  all.results.clear();
  EXPECT_EQ(all.locations->leased(), 0U);
}

TEST(HieraSecrets, KeysAreASnapshotsOwn) {
  std::atomic<int> asked = 0;
  const auto engine = Engine::make();
  const Settings of = settings_with_key(asked);
  for (int edit = 0; edit < 3; ++edit) {
    const auto snapshot = Snapshot::make(engine, secrets("plain: " + std::to_string(edit) + "\n"));
    for (int round = 0; round < 3; ++round) {
      EXPECT_EQ(find(snapshot, "password", "web", of).value.value.text(), "geheim");
      EXPECT_EQ(find(snapshot, "plain", "web", of).value.value.as_integer(), edit);
    }
    EXPECT_EQ(asked, edit + 1);
  }
  // Without a host that reads keys nothing is opened, whatever others have opened before.
  const auto snapshot = Snapshot::make(engine, secrets());
  EXPECT_EQ(find(snapshot, "password", "web", of).value.value.text(), "geheim");
  EXPECT_THROW((void)find(snapshot, "password"), LookupError);
}

// Threads

TEST(HieraSnapshots, ThreadsOnTwoOfThemDoNotMeet) {
  const auto engine = Engine::make({.file_cache = 4000});
  const auto tree = two_level_site();
  const auto before = Snapshot::make(engine, tree);
  const auto after =
      Snapshot::make(engine, edited_tree(tree, {{in_environment("data/common.yaml"), "list: [\"new %{role}\"]\n"}}));
  constexpr int kThreads = 8;
  std::array<std::string, kThreads> failures;
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([&, thread, &out = failures.at(static_cast<std::size_t>(thread))] {
        const bool is_edited = thread % 2 == 1;
        const std::string role = thread % 4 < 2 ? "web" : "db";
        const std::string expected = is_edited ? (role == "web" ? R"(["w"])" : R"(["new db"])")
                                               : (role == "web" ? R"(["w", "web", "c"])" : R"(["db", "c"])");
        const std::string last = is_edited && role == "web" ? "data/roles/web.yaml:2:8\n"
                                 : is_edited                ? "data/common.yaml:1:8\n"
                                                            : "data/common.yaml:3:19\n";
        for (int round = 0; round < 50 && out.empty(); ++round) {
          const Result found = find(is_edited ? after : before, "list", role);
          if (ruby::inspect(found.value.value) != expected)
            out = ruby::inspect(found.value.value) + " is not " + expected;
          const std::string where = places(engine->locations(), found);
          if (!where.ends_with(last)) out = where + "does not end with " + last;
          if (answer(is_edited ? after : before, "m::k", role) != "\"m of " + role + "\"") out = "m::k";
        }
      });
    }
  }
  for (const std::string& failure : failures) EXPECT_EQ(failure, "");
}

TEST(HieraSnapshots, ManyThatComeAndGoLeaveNothing) {
  const auto engine = Engine::make({.file_cache = 0});
  const auto tree = two_level_site();
  constexpr int kThreads = 4;
  std::array<std::string, kThreads> failures;
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([&, thread, &out = failures.at(static_cast<std::size_t>(thread))] {
        for (int round = 0; round < 25 && out.empty(); ++round) {
          const std::string text = "t" + std::to_string(thread * 1000 + round);
          const auto snapshot =
              Snapshot::make(engine, edited_tree(tree, {{in_environment("data/common.yaml"), "own: " + text + "\n"}}));
          const std::string found = answer(snapshot, "own", "db");
          if (found != '"' + text + '"') out = found + " is not " + text;
        }
      });
    }
  }
  for (const std::string& failure : failures) EXPECT_EQ(failure, "");
  EXPECT_EQ(engine->usage().locations, 0U);
}

// Ends

TEST(HieraSnapshots, ARequestThatEndsSpoilsNothingForTheNextOne) {
  const auto snapshot = Snapshot::make(Engine::make(), two_level_site());
  {
    Session session(snapshot);
    NodeView view(settings(), facts(session, "web"), session);
    session.stop().cancel();
    std::string code;
    for (int round = 0; round < 5000 && code.empty(); ++round) {
      view.forget();
      try {
        (void)view.lookup(World::query("k"));
      } catch (const LookupError& error) {
        code = "LookupError " + error.code();
      } catch (const Error& error) {
        code = error.code();
      }
    }
    EXPECT_EQ(code, "session.cancelled");
  }
  EXPECT_EQ(answer(snapshot, "k"), R"({"b"=>"[\"w\", \"web\", \"c\"]", "a"=>"web"})");
}

}  // namespace
}  // namespace strata::hiera
