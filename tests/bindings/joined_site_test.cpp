// SPDX-License-Identifier: Apache-2.0
// A site as a user of the library opens it.
#include "strata/site.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "strata/text.hpp"

namespace strata::site {
namespace {

/// Programs that answer by a function.
class FakeHost final : public Host, public Programs {
 public:
  [[nodiscard]] std::optional<std::string> find(const std::string& name) override {
    const auto found = files.find(name);
    return found == files.end() ? std::nullopt : std::optional(found->second);
  }
  [[nodiscard]] Fetcher* network() override { return nullptr; }
  [[nodiscard]] Programs* programs() override { return this; }
  [[nodiscard]] ProgramResult run(const Program& program) override {
    asked.push_back(program);
    if (program.stop != nullptr) program.stop->check();
    return answer;
  }

  std::map<std::string, std::string> files;
  std::vector<Program> asked;
  ProgramResult answer;
};

class SiteTest : public testing::Test {
 protected:
  /// A request over a Snapshot of `files`, the last one until another is opened.
  Session& open(std::map<std::string, std::string> files, Host* host = nullptr) {
    return open(Snapshot::make(engine_, memory_tree(std::move(files)), {.host = host}), {.host = host});
  }
  Session& open(std::shared_ptr<Snapshot> snapshot, const SessionSettings& settings = {}) {
    session_ = std::make_unique<Session>(std::move(snapshot), settings);
    return *session_;
  }
  /// The value of a name for a node, in a request of its own.
  static std::string answer(const Settings& settings, const NodeInputs& inputs,
                            const std::shared_ptr<Snapshot>& snapshot, const std::string& name) {
    Session session(snapshot);
    Node node(settings, inputs, session);
    return json(node.injector().inject(name).value);
  }
  static std::string json(const Value& value) { return text::write_json(value, {.sort_keys = false, .indent = -1}); }
  static std::string code_of(const std::function<void()>& what) {
    try {
      what();
    } catch (const Error& error) {
      return error.code();
    }
    return "nothing thrown";
  }

  Settings settings_{.confdir = "/site"};
  std::shared_ptr<Engine> engine_ = Engine::make();
  std::unique_ptr<Session> session_;
};

std::map<std::string, std::string> with_hiera() {
  return {{"/site/manifests/site.pp",
           "site {\n"
           "  categories { node => $fqdn }\n"
           "  bindings => [\n"
           "    layer { 'site': include => 'confdir:/default' },\n"
           "    layer { 'enc': include => 'enc:' },\n"
           "    layer { 'data': include => 'hiera:' },\n"
           "  ]\n"
           "}\n"},
          {"/site/bindings/default.pp",
           "bindings default {\n"
           "  bind 'greeting' to \"hello ${fqdn}\"\n"
           "  bind 'asked' to lookup('ntp::servers')\n"
           "  when node 'a.example.com' {\n"
           "    bind override 'greeting' to 'first'\n"
           "  }\n"
           "}\n"},
          {"/site/hiera.yaml", "version: 5\nhierarchy:\n- {name: all, path: all.yaml}\n"},
          {"/site/data/all.yaml", "ntp::servers: ['%{fqdn}']\n"},
          {"/site/modules/ntp/manifests/init.pp", "class ntp($servers) { }\n"}};
}

NodeInputs node(const std::string& name) {
  return {.facts = NamedText{.name = name + ".yaml", .text = "fqdn: " + name + "\n"}};
}

TEST_F(SiteTest, NodesOfASiteHaveTheirOwnAnswers) {
  Session& session = open(with_hiera());
  Node a(settings_, node("a.example.com"), session);
  Node b(settings_, node("b.example.com"), session);
  EXPECT_EQ(json(a.injector().inject("greeting").value), "\"first\"\n");
  EXPECT_EQ(json(b.injector().inject("greeting").value), "\"hello b.example.com\"\n");
  EXPECT_EQ(json(b.injector().inject("ntp::servers").value), "[\"b.example.com\"]\n");
  EXPECT_EQ(json(a.injector().inject("asked").value), "[\"a.example.com\"]\n");
  EXPECT_TRUE(session.diagnostics().warnings().empty());
}

/// Counts what is read.
class CountingTree final : public FileTree {
 public:
  explicit CountingTree(std::map<std::string, std::string> files) : tree_(memory_tree(std::move(files))) {}
  [[nodiscard]] std::optional<std::string> read(std::string_view path) const override {
    ++reads[std::string(path)];
    return tree_->read(path);
  }
  [[nodiscard]] FileKind kind(std::string_view path) const override { return tree_->kind(path); }
  [[nodiscard]] std::vector<std::string> list(std::string_view path) const override { return tree_->list(path); }

  mutable std::map<std::string, int> reads;

 private:
  std::unique_ptr<FileTree> tree_;
};

TEST_F(SiteTest, NodesOfASiteReadDataOnce) {
  auto files = with_hiera();
  files["/site/strata.yaml"] = "facts_dir: /facts\n";
  const auto tree = std::make_shared<const CountingTree>(files);
  const auto snapshot = Snapshot::make(engine_, tree);
  for (const char* name : {"a.example.com", "b.example.com", "c.example.com"}) {
    NodeInputs inputs = node(name);
    inputs.enc = NamedText{.name = "enc.yaml", .text = "classes: [ntp]\n"};
    Session session(snapshot);
    Node opened(settings_, inputs, session);
    EXPECT_EQ(json(opened.enc().value.find("classes")->find("ntp")->find("servers")->items()[0]),
              "\"" + std::string(name) + "\"\n");
  }
  for (const char* path : {"/site/strata.yaml", "/site/bindings/default.pp", "/site/hiera.yaml", "/site/data/all.yaml",
                           "/site/modules/ntp/manifests/init.pp"}) {
    EXPECT_EQ(tree->reads[path], 1) << path;
  }
}

TEST_F(SiteTest, AClassifierThatIsGivenIsNotRun) {
  FakeHost host;
  auto files = with_hiera();
  files["/site/strata.yaml"] = "enc_command: /bin/enc\n";
  NodeInputs inputs = node("a.example.com");
  inputs.enc = NamedText{.name = "enc.yaml", .text = "classes: [ntp]\n"};
  Node opened(settings_, inputs, open(files, &host));
  EXPECT_EQ(json(opened.enc().value),
            R"({"classes": {"ntp": {"servers": ["a.example.com"]}}, "parameters": {}, "environment": "production"})"
            "\n");
  EXPECT_TRUE(host.asked.empty());
}

TEST_F(SiteTest, TheClassifierIsAskedForTheNodeWithItsFacts) {
  FakeHost host;
  host.answer = {.status = 0,
                 .ended = "ended with status 0",
                 .output = "classes: {ntp: {servers: [x]}}\nparameters: {tier: gold}\n",
                 .errors = {},
                 .said = {}};
  auto files = with_hiera();
  files["/site/strata.yaml"] = "enc_command: /bin/enc --fast\nenc_facts: true\n";
  Node opened(settings_, node("a.example.com"), open(files, &host));
  EXPECT_EQ(json(opened.enc().value),
            R"({"classes": {"ntp": {"servers": ["x"]}}, "parameters": {"tier": "gold"}, "environment": "production"})"
            "\n");
  ASSERT_EQ(host.asked.size(), 1U);
  EXPECT_EQ(host.asked.front().words, (std::vector<std::string>{"/bin/enc", "--fast", "a.example.com"}));
  EXPECT_EQ(host.asked.front().input, "{\n  \"fqdn\": \"a.example.com\"\n}\n");
}

TEST_F(SiteTest, AClassifierEndsWithTheRequest) {
  FakeHost host;
  host.answer = {.status = 0, .ended = "ended with status 0", .output = "classes: {}\n", .errors = {}, .said = {}};
  auto files = with_hiera();
  files["/site/strata.yaml"] = "enc_command: /bin/enc\n";
  Session& session = open(files, &host);
  EXPECT_EQ(code_of([&] { Node(settings_, node("a.example.com"), session); }), "nothing thrown");
  session.stop().cancel();
  EXPECT_EQ(code_of([&] { Node(settings_, node("b.example.com"), session); }), "session.cancelled");
}

TEST_F(SiteTest, AClassifierThatFailsIsAnErrorAtItsConfiguration) {
  FakeHost host;
  host.answer = {
      .status = 3, .ended = "ended with status 3", .output = {}, .errors = "no such node\n", .said = "no such node"};
  auto files = with_hiera();
  files["/site/strata.yaml"] = "enc_command: /bin/enc\n";
  Session& session = open(files, &host);
  try {
    const Node opened(settings_, node("a.example.com"), session);
    FAIL() << "nothing thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "enc.failed");
    EXPECT_EQ(error.diagnostic().message, "the ENC ended with status 3 for node 'a.example.com': no such node");
    EXPECT_EQ(error.diagnostic().where.place.to_string(), "/site/strata.yaml:1:14");
  }
  EXPECT_EQ(code_of([&] { Node(settings_, {.name = "-rf"}, session); }), "enc.no-node");
  EXPECT_EQ(code_of([&] { Node(settings_, {}, session); }), "enc.no-node");
}

TEST_F(SiteTest, WithoutAHostNoProgramRuns) {
  auto files = with_hiera();
  files["/site/strata.yaml"] = "enc_command: /bin/enc\n";
  Session& session = open(files);
  EXPECT_EQ(code_of([&] { Node(settings_, node("a.example.com"), session); }), "enc.failed");
}

TEST_F(SiteTest, FactsOfANodeAreLookedForOnTheHost) {
  FakeHost host;
  host.files["/facts/a.example.com.json"] = R"({"fqdn": "a.example.com"})";
  auto files = with_hiera();
  files["/site/strata.yaml"] = "facts_dir: /facts\n";
  Session& session = open(files, &host);
  Node found(settings_, {.name = "a.example.com", .looks_for_facts = true}, session);
  EXPECT_EQ(json(found.injector().inject("greeting").value), "\"first\"\n");
  EXPECT_TRUE(session.diagnostics().warnings().empty());
  const Node without(settings_, {.name = "c.example.com", .looks_for_facts = true}, session);
  ASSERT_FALSE(session.diagnostics().warnings().empty());
  EXPECT_EQ(session.diagnostics().warnings().front().code, "facts.missing");
}

TEST_F(SiteTest, ACheckTellsWhatIsWrongInWhicheverStep) {
  auto files = with_hiera();
  EXPECT_TRUE(check(settings_, node("a.example.com"), open(files)).errors.empty());
  files["/site/bindings/default.pp"] = "bindings default {\n  bind 'a' to 1\n  bind 'a' to 2\n}\n";
  const auto conflict = check(settings_, node("a.example.com"), open(files));
  ASSERT_EQ(conflict.errors.size(), 1U);
  EXPECT_EQ(conflict.errors.front().code, "bindings.conflict");
  EXPECT_EQ(conflict.environment, "production");
  EXPECT_EQ(conflict.manifest, "/site/manifests/site.pp");
  files["/site/strata.yaml"] = "colour: red\n";
  const auto wrong = check(settings_, node("a.example.com"), open(files));
  ASSERT_EQ(wrong.errors.size(), 1U);
  EXPECT_EQ(wrong.errors.front().code, "config.key");
}

TEST_F(SiteTest, AnAnswerTellsWhereItIsFrom) {
  Node opened(settings_, node("a.example.com"),
              open(Snapshot::make(engine_, memory_tree(with_hiera())), {.keeps_history = true}));
  const bindings::Explanation told = opened.injector().explain("", "ntp::servers");
  ASSERT_TRUE(told.winner.has_value());
  EXPECT_EQ(told.winner->layer, "data");
  EXPECT_EQ(told.winner->document, "hiera:/hiera.yaml");
}

/// With a producer in Lua, one call of which takes a while.
std::map<std::string, std::string> with_script() {
  auto files = with_hiera();
  files["/site/strata.yaml"] = "extensions: [{lua: who.lua}]\n";
  files["/site/who.lua"] =
      "strata.producer('who', function(ctx)\n"
      "  local all = {}\n"
      "  for i = 1, 1000 do all[i] = ctx.facts.fqdn end\n"
      "  return all[1000] .. #all\n"
      "end)\n";
  files["/site/bindings/default.pp"] =
      "bindings default {\n  bind 'asked' to lookup('ntp::servers')\n  bind 'who' to producer 'who'\n}\n";
  return files;
}

TEST_F(SiteTest, NodesOfOneSnapshotAnswerInThreadsOfTheirOwn) {
  for (const bool has_script : {false, true}) {
    const auto snapshot = Snapshot::make(engine_, memory_tree(has_script ? with_script() : with_hiera()));
    const std::string name = has_script ? "who" : "greeting";
    const auto ask_often = [&](const std::string& certname, const std::string& wanted) {
      constexpr int kRequests = 20;
      for (int i = 0; i < kRequests; ++i) {
        EXPECT_EQ(answer(settings_, node(certname), snapshot, name), "\"" + wanted + "\"\n");
        EXPECT_EQ(answer(settings_, node(certname), snapshot, "asked"), "[\"" + certname + "\"]\n");
      }
    };
    std::thread other([&] { ask_often("b.example.com", has_script ? "b.example.com1000" : "hello b.example.com"); });
    ask_often("c.example.com", has_script ? "c.example.com1000" : "hello c.example.com");
    other.join();
  }
}

TEST_F(SiteTest, AnEditOfOneDocumentReadsThatDocument) {
  auto files = with_script();
  const auto before = Snapshot::make(engine_, memory_tree(files));
  EXPECT_EQ(answer(settings_, node("a.example.com"), before, "who"), "\"a.example.com1000\"\n");
  EXPECT_EQ(answer(settings_, node("a.example.com"), before, "asked"), "[\"a.example.com\"]\n");
  const std::size_t reads = engine_->usage().reads;
  EXPECT_GT(reads, 3U);
  files["/site/bindings/default.pp"] = "bindings default {\n  bind 'asked' to [lookup('ntp::servers'), 'edited']\n}\n";
  const auto after = Snapshot::make(engine_, memory_tree(files));
  EXPECT_EQ(answer(settings_, node("a.example.com"), after, "asked"), "[[\"a.example.com\"], \"edited\"]\n");
  EXPECT_EQ(engine_->usage().reads, reads + 1);
  EXPECT_EQ(answer(settings_, node("a.example.com"), before, "asked"), "[\"a.example.com\"]\n")
      << "a Snapshot stays what it is";
}

TEST_F(SiteTest, AnswersOutliveWhatOthersAskAndTheSnapshotOfTheCaller) {
  engine_ = Engine::make({.file_cache = 0});
  Session& session = open(with_script());
  Node a(settings_, node("a.example.com"), session);
  const merge::Traced servers = a.injector().inject("ntp::servers");
  const merge::Traced who = a.injector().inject("who");
  const merge::Traced all = a.injector().all();
  {
    Node b(settings_, node("b.example.com"), session);
    (void)b.injector().all();
  }
  const auto other = Snapshot::make(engine_, memory_tree(with_hiera()));
  EXPECT_EQ(answer(settings_, node("b.example.com"), other, "greeting"), "\"hello b.example.com\"\n");
  EXPECT_EQ(json(servers.value), "[\"a.example.com\"]\n");
  EXPECT_EQ(json(who.value), "\"a.example.com1000\"\n");
  EXPECT_EQ(
      json(all.value),
      "{\"asked\": [\"a.example.com\"], \"ntp::servers\": [\"a.example.com\"], \"who\": \"a.example.com1000\"}\n");
  EXPECT_EQ(session.sources().place(servers.value.origin()).to_string(), "/site/data/all.yaml:1:15");
}

TEST_F(SiteTest, WhatHieraLacksIsNotMissedBesideIt) {
  auto files = with_hiera();
  std::string many = "bindings default {\n";
  for (int i = 0; i < 50; ++i)
    many += "  bind 'k" + std::to_string(i) + "' to " + std::to_string(i) + "\n  bind 'ntp::k" + std::to_string(i) +
            "' to 1\n";
  files["/site/bindings/default.pp"] = many + "}\n";
  files["/site/manifests/site.pp"] =
      "site { bindings => [ layer { 'data': include => 'hiera:' }, layer { 'site': include => 'confdir:/default' } ] "
      "}\n";
  files["/site/data/all.yaml"] = "k7: above\n'k9': null\nntp::k8: [above]\nlookup_options: {k11: {merge: nonsense}}\n";
  const auto snapshot = Snapshot::make(engine_, memory_tree(files));
  Session session(snapshot);
  Node a(settings_, node("a.example.com"), session);
  for (int i = 0; i < 50; ++i) {
    const std::string number = std::to_string(i);
    if (i == 11) {
      EXPECT_NE(code_of([&] { (void)a.injector().inject("k11"); }), "nothing thrown")
          << "its options are wrong, wherever it is bound";
      continue;
    }
    EXPECT_EQ(json(a.injector().inject("k" + number).value), i == 7 ? "\"above\"\n" : number + "\n");
    EXPECT_EQ(json(a.injector().inject("ntp::k" + number).value), i == 8 ? "[\"above\"]\n" : "1\n");
  }
}

}  // namespace
}  // namespace strata::site
