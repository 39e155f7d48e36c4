// A site as a user of the library opens it.
#include "strata/site.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "strata/text.hpp"

namespace strata::site {
namespace {

/// Programs that answer by a function.
class FakeHost final : public Host, public Programs {
 public:
  [[nodiscard]] std::string read(const std::string& name) override {
    const auto found = files.find(name);
    if (found == files.end()) throw Error("host.missing", "there is no such file").in(name);
    return found->second;
  }
  [[nodiscard]] Fetcher* network() override { return nullptr; }
  [[nodiscard]] Programs* programs() override { return this; }
  [[nodiscard]] ProgramResult run(const Program& program) override {
    asked.push_back(program);
    return answer;
  }

  std::map<std::string, std::string> files;
  std::vector<Program> asked;
  ProgramResult answer;
};

class SiteTest : public testing::Test {
 protected:
  Site& open(std::map<std::string, std::string> files, Host* host = nullptr) {
    tree_ = memory_tree(std::move(files));
    settings_.confdir = "/site";
    site_ = std::make_unique<Site>(settings_, *tree_, sources_, limits_, host);
    return *site_;
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

  Settings settings_;
  Sources sources_;
  merge::NullRecorder unrecorded_{sources_};
  Limits limits_;
  Diagnostics diagnostics_;
  std::unique_ptr<FileTree> tree_;
  std::unique_ptr<Site> site_;
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

NodeInputs node(const std::string& name) { return {.facts = NamedText{.name = name + ".yaml", .text = "fqdn: " + name + "\n"}}; }

TEST_F(SiteTest, NodesOfASiteHaveTheirOwnAnswers) {
  Site& site = open(with_hiera());
  const auto a = site.open(node("a.example.com"), diagnostics_, unrecorded_);
  const auto b = site.open(node("b.example.com"), diagnostics_, unrecorded_);
  EXPECT_EQ(json(a->injector().inject("greeting").value), "\"first\"\n");
  EXPECT_EQ(json(b->injector().inject("greeting").value), "\"hello b.example.com\"\n");
  EXPECT_EQ(json(b->injector().inject("ntp::servers").value), "[\"b.example.com\"]\n");
  EXPECT_EQ(json(a->injector().inject("asked").value), "[\"a.example.com\"]\n");
  EXPECT_TRUE(diagnostics_.warnings().empty());
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
  const CountingTree tree(files);
  settings_.confdir = "/site";
  Site site(settings_, tree, sources_, limits_, nullptr);
  for (const char* name : {"a.example.com", "b.example.com", "c.example.com"}) {
    NodeInputs inputs = node(name);
    inputs.enc = NamedText{.name = "enc.yaml", .text = "classes: [ntp]\n"};
    const auto opened = site.open(inputs, diagnostics_, unrecorded_);
    EXPECT_EQ(json(opened->enc().value.find("classes")->find("ntp")->find("servers")->items()[0]), "\"" + std::string(name) + "\"\n");
  }
  for (const char* path :
       {"/site/strata.yaml", "/site/bindings/default.pp", "/site/hiera.yaml", "/site/data/all.yaml", "/site/modules/ntp/manifests/init.pp"}) {
    EXPECT_EQ(tree.reads[path], 1) << path;
  }
}

TEST_F(SiteTest, AClassifierThatIsGivenIsNotRun) {
  FakeHost host;
  auto files = with_hiera();
  files["/site/strata.yaml"] = "enc_command: /bin/enc\n";
  NodeInputs inputs = node("a.example.com");
  inputs.enc = NamedText{.name = "enc.yaml", .text = "classes: [ntp]\n"};
  const auto opened = open(files, &host).open(inputs, diagnostics_, unrecorded_);
  EXPECT_EQ(json(opened->enc().value), R"({"classes": {"ntp": {"servers": ["a.example.com"]}}, "parameters": {}, "environment": "production"})"
                                       "\n");
  EXPECT_TRUE(host.asked.empty());
}

TEST_F(SiteTest, TheClassifierIsAskedForTheNodeWithItsFacts) {
  FakeHost host;
  host.answer = {
      .status = 0, .ended = "ended with status 0", .output = "classes: {ntp: {servers: [x]}}\nparameters: {tier: gold}\n", .errors = {}, .said = {}};
  auto files = with_hiera();
  files["/site/strata.yaml"] = "enc_command: /bin/enc --fast\nenc_facts: true\n";
  const auto opened = open(files, &host).open(node("a.example.com"), diagnostics_, unrecorded_);
  EXPECT_EQ(json(opened->enc().value), R"({"classes": {"ntp": {"servers": ["x"]}}, "parameters": {"tier": "gold"}, "environment": "production"})"
                                       "\n");
  ASSERT_EQ(host.asked.size(), 1U);
  EXPECT_EQ(host.asked.front().words, (std::vector<std::string>{"/bin/enc", "--fast", "a.example.com"}));
  EXPECT_EQ(host.asked.front().input, "{\n  \"fqdn\": \"a.example.com\"\n}\n");
}

TEST_F(SiteTest, AClassifierThatFailsIsAnErrorAtItsConfiguration) {
  FakeHost host;
  host.answer = {.status = 3, .ended = "ended with status 3", .output = {}, .errors = "no such node\n", .said = "no such node"};
  auto files = with_hiera();
  files["/site/strata.yaml"] = "enc_command: /bin/enc\n";
  Site& site = open(files, &host);
  try {
    (void)site.open(node("a.example.com"), diagnostics_, unrecorded_);
    FAIL() << "nothing thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "enc.failed");
    EXPECT_EQ(error.diagnostic().message, "the ENC ended with status 3 for node 'a.example.com': no such node");
    EXPECT_EQ(error.diagnostic().where.place.to_string(), "/site/strata.yaml:1:14");
  }
  EXPECT_EQ(code_of([&] { (void)site.open({.name = "-rf"}, diagnostics_, unrecorded_); }), "enc.no-node");
  EXPECT_EQ(code_of([&] { (void)site.open({}, diagnostics_, unrecorded_); }), "enc.no-node");
}

TEST_F(SiteTest, WithoutAHostNoProgramRuns) {
  auto files = with_hiera();
  files["/site/strata.yaml"] = "enc_command: /bin/enc\n";
  Site& site = open(files);
  EXPECT_EQ(code_of([&] { (void)site.open(node("a.example.com"), diagnostics_, unrecorded_); }), "enc.failed");
}

TEST_F(SiteTest, FactsOfANodeAreLookedForOnTheHost) {
  FakeHost host;
  host.files["/facts/a.example.com.json"] = R"({"fqdn": "a.example.com"})";
  auto files = with_hiera();
  files["/site/strata.yaml"] = "facts_dir: /facts\n";
  Site& site = open(files, &host);
  const auto found = site.open({.name = "a.example.com", .looks_for_facts = true}, diagnostics_, unrecorded_);
  EXPECT_EQ(json(found->injector().inject("greeting").value), "\"first\"\n");
  EXPECT_TRUE(diagnostics_.warnings().empty());
  (void)site.open({.name = "c.example.com", .looks_for_facts = true}, diagnostics_, unrecorded_);
  ASSERT_FALSE(diagnostics_.warnings().empty());
  EXPECT_EQ(diagnostics_.warnings().front().code, "facts.missing");
}

TEST_F(SiteTest, ACheckTellsWhatIsWrongInWhicheverStep) {
  auto files = with_hiera();
  EXPECT_TRUE(open(files).check(node("a.example.com")).errors.empty());
  files["/site/bindings/default.pp"] = "bindings default {\n  bind 'a' to 1\n  bind 'a' to 2\n}\n";
  const auto conflict = open(files).check(node("a.example.com"));
  ASSERT_EQ(conflict.errors.size(), 1U);
  EXPECT_EQ(conflict.errors.front().code, "bindings.conflict");
  EXPECT_EQ(conflict.environment, "production");
  EXPECT_EQ(conflict.manifest, "/site/manifests/site.pp");
  files["/site/strata.yaml"] = "colour: red\n";
  const auto wrong = open(files).check(node("a.example.com"));
  ASSERT_EQ(wrong.errors.size(), 1U);
  EXPECT_EQ(wrong.errors.front().code, "config.key");
}

TEST_F(SiteTest, AnAnswerTellsWhereItIsFrom) {
  merge::History history(sources_);
  const auto opened = open(with_hiera()).open(node("a.example.com"), diagnostics_, history);
  const bindings::Explanation told = opened->injector().explain("", "ntp::servers");
  ASSERT_TRUE(told.winner.has_value());
  EXPECT_EQ(told.winner->layer, "data");
  EXPECT_EQ(told.winner->document, "hiera:/hiera.yaml");
}

}  // namespace
}  // namespace strata::site
