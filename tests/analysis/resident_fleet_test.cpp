// SPDX-License-Identifier: Apache-2.0
// A resident fleet answers each edit as a Study from scratch does.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "file_host.hpp"
#include "options.hpp"
#include "strata/paths.hpp"
#include "strata/resident_fleet.hpp"
#include "strata/text.hpp"
#include "thread_pool.hpp"
#include "verb_question.hpp"

namespace strata::analysis {
namespace {

const std::string kLevels =
    "version: 5\ndefaults: {datadir: data, data_hash: yaml_data}\nhierarchy:\n  - {name: node, path: "
    "\"node/%{node}.yaml\"}\n"
    "  - {name: role, path: \"role/%{role}.yaml\"}\n  - {name: common, path: common.yaml}\n";
const std::string kTurned =
    "version: 5\ndefaults: {datadir: data, data_hash: yaml_data}\nhierarchy:\n  - {name: common, path: common.yaml}\n"
    "  - {name: node, paths: [\"node/%{node}.yaml\", \"role/%{role}.yaml\"]}\n";
const std::string kGlobs =
    "version: 5\ndefaults: {datadir: data, data_hash: yaml_data}\nhierarchy:\n  - {name: all, glob: "
    "\"*/%{role}*.yaml\"}\n"
    "  - {name: node, glob: \"node/%{node}.yaml\"}\n  - {name: common, path: common.yaml}\n";

Files site_files() {
  return {
      {"/site/hiera.yaml", kLevels},
      {"/site/environment.conf", "modulepath = modules\n"},
      {"/site/data/common.yaml",
       "a: common\nb: 1\nc: \"%{lookup('a')} of %{role}\"\nd: [1, 2]\nlookup_options: {d: {merge: unique}}\n"},
      {"/site/data/role/web.yaml", "a: web\nd: [3]\n"},
      {"/site/data/node/n1.yaml", "b: 2\n"},
      {"/site/data/node/n2.yaml", "d: [4]\n"},
      {"/site/modules/m/hiera.yaml",
       "version: 5\ndefaults: {datadir: data, data_hash: yaml_data}\nhierarchy:\n  - {name: all, path: common.yaml}\n"},
      {"/site/modules/m/data/common.yaml", "m::x: 1\nm::y: \"%{lookup('b')}\"\n"},
      {"/nodes.json",
       R"([{"name": "n1", "facts": {"node": "n1", "role": "web"}}, {"name": "n2", "facts": {"node": "n2", "role": "web"}},)"
       R"( {"name": "n3", "facts": {"node": "n3", "role": "db"}}, {"name": "n4", "facts": {"node": "n4", "role": "db"}}])"},
      {"/facts/n1.yaml", "node: n1\nrole: web\n"},
      {"/facts/n2.yaml", "node: n2\nrole: db\n"},
      {"/facts/n3.yaml", "- not facts\n"}};
}

/// The texts that edits give to files; no value: deleted.
const std::vector<std::pair<std::string, std::vector<std::optional<std::string>>>>& texts() {
  static const std::vector<std::pair<std::string, std::vector<std::optional<std::string>>>> all{
      {"/site/data/common.yaml",
       {"a: other\nb: 1\nc: x\n", "b: [\n", "a: common\nb: 1\nc: \"%{lookup('d')}\"\nd: [1, 2]\n", std::nullopt,
        "a: common\nb: 5\nc: \"%{lookup('a')} of %{role}\"\nd: [1, 2]\nlookup_options: {'^[ad]$': {merge: first}}\n"}},
      {"/site/data/role/web.yaml", {"a: web\nd: [5]\n", std::nullopt, ""}},
      {"/site/data/role/db.yaml", {"a: db\n", "c: 1\nm::x: 2\n"}},
      {"/site/data/node/n1.yaml", {"b: 3\n", std::nullopt, "b: 2\n# the same\n"}},
      {"/site/data/node/n3.yaml", {"a: own\n"}},
      {"/site/data/unread.yaml", {"a: 1\n"}},
      {"/site/data/node", {"a file in the place of a folder\n"}},
      {"/site/hiera.yaml", {kTurned, kGlobs, "version: 5\n", "version: 9\n", std::nullopt}},
      {"/site/environment.conf", {"modulepath = others:modules\n", std::nullopt}},
      {"/site/modules/m/data/common.yaml", {"m::x: 3\n", "m::x: \"%{lookup('a')}\"\nm::z: 1\n", std::nullopt}},
      {"/site/modules/m/hiera.yaml", {std::nullopt}},
      {"/site/modules/n/metadata.json", {"{\"name\": \"x-n\"}"}},
      {"/site/others/m/data/common.yaml", {"m::x: of others\n"}},
      {"/nodes.json",
       {R"([{"name": "n2", "facts": {"node": "n2", "role": "db"}}, {"name": "n5", "facts": {"node": "n5"}}])"}},
      {"/facts/n2.yaml", {"node: n2\nrole: web\n", std::nullopt}},
      {"/facts/n4.yaml", {"node: n4\nrole: web\n"}}};
  return all;
}

rc::Gen<Edits> any_edits() {
  const auto one = rc::gen::mapcat(rc::gen::inRange<std::size_t>(0, texts().size()), [](std::size_t file) {
    const auto& [path, choice] = texts()[file];
    return rc::gen::map(rc::gen::elementOf(choice),
                        [path = path](const std::optional<std::string>& text) { return std::pair(path, text); });
  });
  return rc::gen::map(
      rc::gen::resize(3, rc::gen::container<std::vector<std::pair<std::string, std::optional<std::string>>>>(one)),
      [](const auto& chosen) { return Edits(chosen.begin(), chosen.end()); });
}

/// A question about a site, and the state in which it begins.
class ResidentWorld {
 public:
  ResidentWorld(Files files, std::vector<std::string> words)
      : host_(files), files_(memory_tree(std::move(files))), words_(std::move(words)) {}

  struct Asked {
    std::shared_ptr<Engine> engine;
    std::unique_ptr<cli::VerbQuestion> question;
    State state;
  };
  [[nodiscard]] Asked ask() {
    Asked out{.engine = Engine::make({.executor = std::make_shared<cli::ThreadPool>(2U)}), .question = {}, .state = {}};
    out.question = std::make_unique<cli::VerbQuestion>(
        cli::QuestionChoice{.words = words_},
        cli::QuestionTools{
            .own = options_, .engine = out.engine, .folder = "/", .tell = {}, .is_whole_process = false});
    out.state = {.files = files_, .inputs = std::make_shared<Inputs>(host_, "/")};
    return out;
  }
  [[nodiscard]] static State kept_state(const Asked& asked) {
    return kept(asked.state, asked.engine, {.folder = "/", .limits = asked.question->verb().options().limits});
  }

  /// The result of a Study from scratch, with the files that it has not read.
  std::string from_scratch(const Edits& edits, GroupBy by) {
    const Asked asked = ask();
    EditedFiles edited_files{.paths = {}, .no_others = true};
    for (const auto& [path, text] : edits) edited_files.paths.insert(path);
    try {
      Study study(*asked.question, asked.state, edited(asked.state, edits, "/"),
                  {.folder = "/", .edited = std::move(edited_files)});
      const ImpactReport report = study.impact(by);
      return shown(report, study.unread());
    } catch (const Error& error) {
      return error.what();
    }
  }
  static std::string shown(const ImpactReport& report, const std::vector<std::string>& unread) {
    Arena arena;
    std::string out = text::write_json(impact_data(arena, report));
    for (const std::string& file : unread) out += "unread " + file + "\n";
    return out;
  }
  static std::string answer(Fleet& fleet, const Edits& edits, GroupBy by) {
    try {
      const ImpactReport report = fleet.apply(edits, by);
      return shown(report, fleet.unread());
    } catch (const Error& error) {
      return error.what();
    }
  }

 private:
  FileHost host_;
  std::shared_ptr<const FileTree> files_;
  std::vector<std::string> words_;
  cli::SharedOptions options_;
};

using Words = std::vector<std::string>;
const std::vector<Words>& fleet_queries() {
  static const std::vector<Words> all{
      {"lookup", "--hiera-config", "/site/hiera.yaml", "--nodes", "/nodes.json", "--all"},
      {"lookup", "--environment-root", "/site", "--nodes", "/nodes.json", "--all"},
      {"lookup", "--environment-root", "/site", "--nodes", "/facts", "--all"},
      {"lookup", "--environment-root", "/site", "--nodes", "/nodes.json", "m::y"},
      {"lookup", "--environment-root", "/site", "--nodes", "/nodes.json", "--all", "--strict"},
      {"lookup", "--hiera-config", "/site/hiera.yaml", "--facts", "/facts/n2.yaml", "--all"}};
  return all;
}

RC_GTEST_PROP(ResidentFleet, AnswersEveryEditAsFromTheStart, ()) {
  Files files = site_files();
  if (*rc::gen::arbitrary<bool>()) files["/site/hiera.yaml"] = *rc::gen::element(kLevels, kTurned, kGlobs);
  ResidentWorld world(std::move(files), *rc::gen::elementOf(fleet_queries()));
  const auto threads = std::make_shared<cli::ThreadPool>(*rc::gen::element(1U, 3U));
  const ResidentWorld::Asked asked = world.ask();
  Fleet fleet(*asked.question, ResidentWorld::kept_state(asked), {.folder = "/", .executor = threads});
  for (int i = 0; i < 4; ++i) {
    const Edits edits = *any_edits();
    const GroupBy by = *rc::gen::element(GroupBy::effect, GroupBy::change, GroupBy::path);
    RC_ASSERT(ResidentWorld::answer(fleet, edits, by) == world.from_scratch(edits, by));
  }
}

TEST(ResidentFleet, SeveralThreadsSayWhatOneSays) {
  Files files = site_files();
  std::string nodes;
  for (int i = 0; i < 100; ++i) {
    const std::string name = "n" + std::to_string(i);
    nodes += std::string(nodes.empty() ? "[" : ", ") + R"({"name": ")" + name + R"(", "facts": {"node": ")" + name +
             R"(", "role": ")" + (i % 3 == 0 ? "web" : "db") + R"("}})";
    files["/site/data/node/" + name + ".yaml"] = "b: " + std::to_string(i % 7) + "\n";
  }
  files["/nodes.json"] = nodes + "]";
  ResidentWorld world(std::move(files), fleet_queries()[1]);
  const ResidentWorld::Asked asked = world.ask();
  Fleet fleet(*asked.question, ResidentWorld::kept_state(asked),
              {.folder = "/", .executor = std::make_shared<cli::ThreadPool>(4U)});
  const std::vector<Edits> all{{{"/site/data/common.yaml", "a: other\nb: 1\nc: x\n"}},
                               {{"/site/data/role/web.yaml", "a: x\n"}, {"/site/data/node/n3.yaml", std::nullopt}},
                               {{"/site/hiera.yaml", kTurned}, {"/site/data/common.yaml", "a: 1\nd: [\n"}}};
  for (const Edits& edits : all)
    EXPECT_EQ(ResidentWorld::answer(fleet, edits, GroupBy::effect), world.from_scratch(edits, GroupBy::effect));
}

TEST(ResidentFleet, AsksOnlyWhoReadsAnEditedFile) {
  ResidentWorld world(site_files(), fleet_queries().front());
  const ResidentWorld::Asked asked = world.ask();
  Fleet fleet(*asked.question, ResidentWorld::kept_state(asked), {.folder = "/"});
  EXPECT_EQ(fleet.apply({{"/site/data/node/n1.yaml", "b: 3\n"}}).effects.counts().changed, 1U);
  EXPECT_EQ(fleet.asked(), 2U);
  EXPECT_EQ(fleet.apply({{"/site/data/unread.yaml", "b: 3\n"}}).effects.counts().total, 4U);
  EXPECT_EQ(fleet.asked(), 0U);
  EXPECT_EQ(fleet.unread(), std::vector<std::string>{"site/data/unread.yaml"});
}

TEST(ResidentFleet, ParsesOnlyEditedFiles) {
  ResidentWorld world(site_files(), fleet_queries()[1]);
  const ResidentWorld::Asked asked = world.ask();
  Fleet fleet(*asked.question, ResidentWorld::kept_state(asked), {.folder = "/"});
  (void)fleet.apply({{"/site/data/common.yaml", "b: 0\n"}});
  const std::size_t before = asked.engine->usage().reads;
  for (int i = 11; i <= 20; ++i) (void)fleet.apply({{"/site/data/common.yaml", "b: " + std::to_string(i) + "\n"}});
  EXPECT_EQ(asked.engine->usage().reads, before + 10);
}

TEST(ResidentFleet, AnEditGoesWithItsAnswer) {
  ResidentWorld world(site_files(), fleet_queries()[1]);
  const ResidentWorld::Asked asked = world.ask();
  Fleet fleet(*asked.question, ResidentWorld::kept_state(asked), {.folder = "/"});
  const auto bytes_after = [&](int turn) {
    (void)fleet.apply({{"/site/data/common.yaml", "b: " + std::to_string(turn) + "\n"}});
    return asked.engine->usage().locations;
  };
  std::size_t most = 0;
  for (int turn = 100; turn < 110; ++turn) most = std::max(most, bytes_after(turn));
  for (int turn = 110; turn < 200; ++turn) EXPECT_LE(bytes_after(turn), most);
}

TEST(ResidentFleet, ThreadsTakeTurns) {
  ResidentWorld world(site_files(), fleet_queries()[1]);
  const ResidentWorld::Asked asked = world.ask();
  Fleet one(*asked.question, ResidentWorld::kept_state(asked), {.folder = "/"});
  Fleet other(*asked.question, ResidentWorld::kept_state(asked), {.folder = "/"});
  const Edits edits{{"/site/data/common.yaml", "b: 7\n"}};
  const std::string expected = world.from_scratch(edits, GroupBy::effect);
  // Both Fleets work at once; each is called from one thread after the other.
  for (int turn = 0; turn < 3; ++turn) {
    std::thread left([&] { EXPECT_EQ(ResidentWorld::answer(one, edits, GroupBy::effect), expected); });
    std::thread right([&] { EXPECT_EQ(ResidentWorld::answer(other, edits, GroupBy::effect), expected); });
    left.join();
    right.join();
  }
}

}  // namespace
}  // namespace strata::analysis
