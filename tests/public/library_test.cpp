// SPDX-License-Identifier: Apache-2.0
// The examples of docs/library/use.md, as they stand there.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "strata/bindings.hpp"
#include "strata/engine.hpp"
#include "strata/file_tree.hpp"
#include "strata/hiera.hpp"
#include "strata/report.hpp"
#include "strata/session.hpp"
#include "strata/site.hpp"
#include "strata/snapshot.hpp"
#include "strata/text.hpp"

namespace {

std::string json(const strata::Value& value) {
  return strata::text::write_json(value, {.sort_keys = false, .indent = -1});
}

const std::map<std::string, std::string> kFiles = {
    {"/code/environments/production/hiera.yaml", "version: 5\n"},
    {"/code/environments/production/data/common.yaml", "ntp::servers: [\"ntp.%{site}.example.com\"]\n"},
    {"/site/bindings/default.pp", "bindings default {\n  bind 'motd' to \"this is ${hostname}\"\n}\n"},
};

strata::hiera::Result look_up(strata::Session& session, const std::string& key, std::string facts) {
  strata::hiera::Request request;
  request.settings.codedir = "/code";
  const strata::SourceId source = session.sources().add("web01.yaml", std::move(facts));
  request.facts = strata::hiera::read_facts(session.sources(), source, "web01.yaml", session.limits());
  request.query.names = {key};
  return strata::hiera::lookup(request, session);
}

strata::hiera::Result servers(const std::shared_ptr<strata::Snapshot>& snapshot) {
  strata::Session session(snapshot);
  return look_up(session, "ntp::servers", "site: ams\n");
}

TEST(Library, AnswersOutliveTheirSession) {
  const auto engine = strata::Engine::make();
  const auto snapshot = strata::Snapshot::make(engine, strata::memory_tree(kFiles));
  const strata::hiera::Result result = servers(snapshot);
  EXPECT_EQ(json(result.value.value), "[\"ntp.ams.example.com\"]\n");
}

std::string motd(const std::shared_ptr<strata::Snapshot>& snapshot) {
  strata::Session session(snapshot);
  strata::site::Node node({.confdir = "/site"}, {.facts = strata::site::NamedText{"web01.yaml", "hostname: web01\n"}},
                          session);
  return std::string(node.injector().inject("motd").value.text());
}

TEST(Library, ASiteAnswersForANode) {
  EXPECT_EQ(motd(strata::Snapshot::make(strata::Engine::make(), strata::memory_tree(kFiles))), "this is web01");
}

std::int64_t port_of(const std::string& node, strata::Session& session) {
  const std::vector<strata::bindings::LayerTexts> layers{
      {"site", {{"site.pp", "bindings site {\n  when node 'web01' { bind 'port' to 8443 }\n}\n"}}},
      {"defaults", {{"web.pp", "bindings web { bind 'port' to 80 }\n"}}},
  };
  strata::bindings::Preparations shared;
  const strata::bindings::LayeredDocuments documents(layers, session);
  strata::bindings::Injector injector(shared, {.documents = documents, .categories = {{"node", node}}}, session);
  return injector.inject("port").value.as_integer();
}

TEST(Library, DocumentsInMemoryAnswer) {
  strata::Session session(strata::Snapshot::make(strata::Engine::make(), strata::memory_tree({})));
  EXPECT_EQ(port_of("web01", session), 8443);
  EXPECT_EQ(port_of("db01", session), 80);
}

std::string blame(const std::shared_ptr<strata::Snapshot>& snapshot) {
  strata::Session session(snapshot, {.keeps_history = true});
  const strata::hiera::Result result = look_up(session, "ntp::servers", "site: ams\n");
  return strata::report::blame_text(session.sources(), result.value.value, {}) +
         strata::report::explain_text(session.sources(), *session.recorder().history(),
                                      session.recorder().history()->explain(result.value));
}

TEST(Library, HistoriesTellWhereValuesComeFrom) {
  const std::string told = blame(strata::Snapshot::make(strata::Engine::make(), strata::memory_tree(kFiles)));
  EXPECT_NE(told.find("common.yaml:1"), std::string::npos) << told;
  EXPECT_NE(told.find("web01.yaml:1:7"), std::string::npos) << told;
}

TEST(Library, AnEditThatNobodyHasSaved) {
  const auto engine = strata::Engine::make();
  const std::shared_ptr<const strata::FileTree> tree = strata::memory_tree(kFiles);
  const auto saved = strata::Snapshot::make(engine, tree);
  (void)servers(saved);
  const std::size_t reads = engine->usage().reads;
  const auto edited =
      strata::edited_tree(tree, {{"/code/environments/production/data/common.yaml", "ntp::servers: []\n"}});
  const auto unsaved = strata::Snapshot::make(engine, edited);
  EXPECT_EQ(json(servers(unsaved).value.value), "[]\n");
  EXPECT_EQ(engine->usage().reads, reads + 1);
  EXPECT_EQ(json(servers(saved).value.value), "[\"ntp.ams.example.com\"]\n");
}

std::shared_ptr<strata::Snapshot> as_of(const std::string& revision, const std::string& folder,
                                        const std::shared_ptr<strata::Engine>& engine) {
  return strata::Snapshot::make(engine, strata::git_tree(revision, folder), {.folder = folder});
}

TEST(Library, ARevisionIsATreeToo) {
  // Not a repository, or libgit2 is not installed here.
  EXPECT_THROW((void)as_of("HEAD", "/proc", strata::Engine::make()), strata::Error);
}

TEST(Library, ThreadsShareASnapshot) {
  const auto snapshot = strata::Snapshot::make(strata::Engine::make(), strata::memory_tree(kFiles));
  std::atomic<int> right = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&snapshot, &right] {
      strata::Session session(snapshot);
      const strata::hiera::Result result = look_up(session, "ntp::servers", "site: ams\n");
      if (json(result.value.value) == "[\"ntp.ams.example.com\"]\n") ++right;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 4);
}

std::optional<strata::hiera::Result> in_time(strata::Session& session, std::chrono::milliseconds time) {
  session.stop().end_at(strata::Stop::Clock::now() + time);
  try {
    return look_up(session, "endless", "{}");
  } catch (const strata::Error& error) {
    if (!error.ends_request()) throw;
    return std::nullopt;
  }
}

/// Files with a key that is never found.
std::map<std::string, std::string> endless() {
  return {{"/code/environments/production/hiera.yaml",
           "version: 5\nhierarchy: [{name: script, lookup_key: \"lua::endless\"}]\n"},
          {"/code/environments/production/lib/strata/endless.lua",
           "return function(key, options, context) while true do end end\n"}};
}

TEST(Library, ADeadlineEndsAScript) {
  strata::Session session(strata::Snapshot::make(strata::Engine::make(), strata::memory_tree(endless())),
                          {.limits = {.steps = 1'000'000'000'000}});
  EXPECT_FALSE(in_time(session, std::chrono::milliseconds(50)).has_value());
}

TEST(Library, AnotherThreadCancels) {
  strata::Session session(strata::Snapshot::make(strata::Engine::make(), strata::memory_tree(endless())),
                          {.limits = {.steps = 1'000'000'000'000}});
  std::thread impatient([&session] { session.stop().cancel(); });
  EXPECT_FALSE(in_time(session, std::chrono::hours(1)).has_value());
  impatient.join();
}

// The page itself.

std::string read(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Without spaces and line breaks: a page and a source may wrap lines in other places.
std::string flat(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
  return text;
}

TEST(Library, ThePageShowsWhatIsCompiledHere) {
  const std::string folder = STRATA_SOURCE_DIR;
  const std::string page = read(folder + "/docs/library/use.md");
  const std::string compiled = flat(read(folder + "/tests/public/library_test.cpp"));
  constexpr std::string_view kFence = "```cpp\n";
  std::size_t count = 0;
  for (std::size_t at = page.find(kFence); at != std::string::npos; at = page.find(kFence, at)) {
    at += kFence.size();
    const std::size_t end = page.find("```", at);
    const std::string block = flat(page.substr(at, end - at));
    EXPECT_NE(compiled.find(block), std::string::npos) << block;
    at = end;
    ++count;
  }
  EXPECT_GE(count, 7U);
}

}  // namespace
