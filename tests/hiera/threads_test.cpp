// SPDX-License-Identifier: Apache-2.0
// One Snapshot for several threads, a Session each.
#include <gtest/gtest.h>

#include <thread>

#include "strata/builder.hpp"
#include "world.hpp"

namespace strata::hiera {
namespace {

using testing::World;

TEST(Threads, GetTheSameAnswers) {
  World here(World::Files{{"hiera.yaml",
                           "version: 5\nhierarchy:\n  - {name: roles, path: '%{role}.yaml'}\n  - {name: globs, glob: "
                           "'g/*.yaml'}\n  - {name: common, path: "
                           "common.yaml}\n"},
                          {"data/web.yaml", "k: {a: web}\n"},
                          {"data/db.yaml", "k: {a: db, b: \"%{lookup('list')}\"}\n"},
                          {"data/g/1.yaml", "k: {g: 1}\nlist: [\"%{role}\", x]\n"},
                          {"data/common.yaml",
                           "lookup_options: {k: {merge: deep}, '^m::': {merge: unique}}\nlist: [common]\nk: {c: "
                           "\"%{alias('list')}\"}\nm::k: [e]\n"},
                          {"modules/m/hiera.yaml", "version: 5\n"},
                          {"modules/m/data/common.yaml", "m::k: [m, \"%{role}\"]\nm::n: 5\n"}});
  const auto answers = [&](const std::string& role) {
    std::string out;
    Arena arena;
    Facts facts;
    MappingBuilder values(arena);
    values.insert("role", arena.text(role));
    facts.values = values.finish();
    Session session(here.session.shared_snapshot());
    NodeView view(here.settings, facts, session);
    for (const char* key : {"k", "m::k", "m::n", "list", "none", "k.c.0", "list.x"}) {
      try {
        out += ruby::inspect(view.lookup(World::query(key)).value.value) + "\n";
      } catch (const Error& error) {
        out += error.what() + std::string("\n");
      }
    }
    return out;
  };
  constexpr int kThreads = 8;
  std::vector<std::string> told(kThreads);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < 20; ++round) told[static_cast<std::size_t>(i)] = answers(i % 2 == 0 ? "web" : "db");
    });
  }
  for (std::thread& thread : threads) thread.join();
  const std::string web = answers("web");
  const std::string db = answers("db");
  EXPECT_NE(web, db);
  EXPECT_NE(web.find(R"({"c"=>["web", "x"], "g"=>1, "a"=>"web"})"), std::string::npos) << web;
  for (int i = 0; i < kThreads; ++i) EXPECT_EQ(told[static_cast<std::size_t>(i)], i % 2 == 0 ? web : db);
}

}  // namespace
}  // namespace strata::hiera
