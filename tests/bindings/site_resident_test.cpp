// SPDX-License-Identifier: Apache-2.0
// A site that is edited between queries: each result is that of a site that was opened after the edit.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "strata/site.hpp"
#include "strata/text.hpp"

namespace strata::site {
namespace {

using SiteFiles = std::map<std::string, std::string>;

const std::vector<std::string> kLookedUp{"a", "b", "m::x"};

std::string problem(const std::function<std::string()>& work) {
  try {
    return work();
  } catch (const Errors& several) {
    std::string out;
    for (const Diagnostic& each : several.all()) out += format(each, "error");
    return out;
  } catch (const Error& error) {
    return format(error.diagnostic(), "error");
  }
}

/// All results of a site for a node.
std::string answers(const std::shared_ptr<Snapshot>& snapshot, const std::string& name) {
  const Settings settings{.confdir = "/site"};
  const NodeInputs inputs{.name = name,
                          .facts = NamedText{"facts.yaml", fmt::format("clientcert: {}\nvirtual: true\n", name)}};
  std::string out;
  Session session(snapshot);
  const bindings::Findings findings = check(settings, inputs, session);
  for (const auto& layer : findings.layers) out += fmt::format("{}: {}\n", layer.name, fmt::join(layer.documents, " "));
  for (const Diagnostic& each : findings.errors) out += format(each, "error");
  for (const Diagnostic& each : findings.warnings) out += format(each, "warning");
  out += problem([&] {
    Session own(snapshot);
    Node node(settings, inputs, own);
    return text::write_json(node.injector().all().value, {.sort_keys = false, .indent = -1});
  });
  for (const std::string& key : kLookedUp) {
    out += problem([&] {
      Session own(snapshot, {.keeps_history = true});
      Node node(settings, inputs, own);
      return bindings::explanation_text(own.sources(), node.injector().explain("", key));
    });
    out += problem([&] {
      Session own(snapshot);
      Node node(settings, inputs, own);
      return text::write_json(node.injector().inject(key).value, {.sort_keys = false, .indent = -1});
    });
  }
  for (const Diagnostic& each : session.diagnostics().warnings()) out += format(each, "warning");
  return out;
}

rc::Gen<std::string> any_statement() {
  return rc::gen::exec([] {
    const std::string key = "'" + *rc::gen::elementOf(kLookedUp) + "'";
    const int number = *rc::gen::inRange(0, 4);
    const std::string text = *rc::gen::elementOf(std::vector<std::string>{
        fmt::format("bind {} to {}", key, number), fmt::format("bind {} to {}", key, number),
        fmt::format("bind override {} to {}", key, number), fmt::format("bind abstract {}", key),
        fmt::format("bind {} to inject('a')", key), fmt::format("bind {} to mark({})", key, number),
        fmt::format("multibind Hash, {} as 'i'", key), fmt::format("bind 'n{}' to {} in 'i'", number, number),
        fmt::format("bind alias 'a' as {}", key), fmt::format("bind renamed 'b' as {}", key),
        fmt::format("rebind {}", key), fmt::format("include c{}", number),
        fmt::format("bind \"${{facts['clientcert']}}{}\" to 1", number),
        fmt::format("bind {} to optional $facts['none']", key), fmt::format("bind {} to", key)});
    const std::string when = *rc::gen::elementOf(
        std::vector<std::string>{"", "", "", "node 'kermit'", "node 'other'", "environment production"});
    return when.empty() ? text : fmt::format("when {} {{ {} }}", when, text);
  });
}

/// New bytes of some file of the site, or none: it is deleted.
std::pair<std::string, std::optional<std::string>> any_edit() {
  const std::string name = *rc::gen::elementOf(
      std::vector<std::string>{"default", "m::default", "n::default", "o::default", "o::default", "script", "site"});
  if (name == "site") {
    return {"/site/site.pp", *rc::gen::elementOf(std::vector<std::string>{
                                 "$x = 1", "site { bindings => [layer { 'one': include => 'module:/*::default' }] }",
                                 "site { bindings => [layer { 'one': include => ['module:/m::default', "
                                 "'module:/*::default'], exclude => 'module:/n::default' },"
                                 " layer { 'two': include => 'module:/**' }] }"})};
  }
  if (name == "script") {
    return {"/site/modules/m/lib/strata/mark.lua",
            fmt::format("strata.{}('mark', function(x) return {} .. x end)",
                        *rc::gen::element<std::string>("func", "function_", "register"), *rc::gen::inRange(0, 9))};
  }
  std::string path = "/site/bindings/default.pp";
  if (name != "default") path = fmt::format("/site/modules/{}/bindings/default.pp", name.substr(0, 1));
  if (*rc::gen::inRange(0, 8) == 0) return {path, std::nullopt};
  std::string body;
  for (const std::string& one : *rc::gen::resize(5, rc::gen::container<std::vector<std::string>>(any_statement())))
    body += one + "\n";
  return {path, fmt::format("bindings {} {{\n{}}}\n", name, body)};
}

RC_GTEST_PROP(ResidentSite, AnswersAsIfItWereOpenedAnew, ()) {
  SiteFiles files{
      {"/site/environments.pp", ""},
      {"/site/modules/m/bindings/default.pp", "bindings m::default {\n  bind 'm::x' to 1\n}\n"},
      {"/site/modules/n/bindings/default.pp", "bindings n::default {\n  bind 'a' to 2\n  bind 'b' to 2\n}\n"}};
  const auto engine = Engine::make();
  std::shared_ptr<const FileTree> tree = memory_tree(files);
  auto snapshot = Snapshot::make(engine, tree);
  static_cast<void>(answers(snapshot, "kermit"));
  for (int edit = 0; edit < 4; ++edit) {
    Edits edits;
    for (int more = *rc::gen::inRange(1, 3); more > 0; --more) {
      auto [path, bytes] = any_edit();
      edits.insert_or_assign(path, bytes);
    }
    for (const auto& [path, bytes] : edits) {
      if (bytes) {
        files.insert_or_assign(path, *bytes);
      } else {
        files.erase(path);
      }
    }
    tree = edited_tree(tree, edits);
    const auto next = Snapshot::make(engine, tree);
    // Folders stay when their last file is deleted: the cold one is of the same tree.
    const auto cold = Snapshot::make(Engine::make(), tree);
    const std::string name = edit % 2 == 0 ? "kermit" : "other";
    RC_ASSERT(answers(next, name) == answers(cold, name));
    snapshot = next;
  }
}

class ResidentSiteTest : public testing::Test {
 protected:
  static std::string answer(const std::shared_ptr<Snapshot>& snapshot, const std::string& name) {
    Session session(snapshot);
    Node node({.confdir = "/site"}, {.name = "kermit"}, session);
    std::string out;
    text::append_json(out, node.injector().inject(name).value, {.sort_keys = false, .indent = -1});
    return out;
  }
};

TEST_F(ResidentSiteTest, ReadsWhatChangedAndNothingElse) {
  SiteFiles files{{"/site/environments.pp", ""}};
  const auto path = [](int i) { return fmt::format("/site/modules/m{}/bindings/default.pp", i); };
  for (int i = 0; i < 50; ++i) files[path(i)] = fmt::format("bindings m{0}::default {{ bind 'm{0}::x' to {0} }}", i);
  const auto engine = Engine::make();
  std::shared_ptr<const FileTree> tree = memory_tree(files);
  auto snapshot = Snapshot::make(engine, tree);
  EXPECT_EQ(answer(snapshot, "m7::x"), "7");
  for (int edit = 0; edit < 100; ++edit) {
    const std::size_t before = engine->usage().reads;
    tree = edited_tree(tree, {{path(7), fmt::format("bindings m7::default {{ bind 'm7::x' to 'v{}' }}", edit)}});
    snapshot = Snapshot::make(engine, tree);
    EXPECT_EQ(answer(snapshot, "m7::x"), fmt::format("\"v{}\"", edit));
    EXPECT_EQ(answer(snapshot, "m8::x"), "8");
    EXPECT_EQ(engine->usage().reads, before + 1);
  }
}

TEST_F(ResidentSiteTest, AScriptThatChangedIsRunAnew) {
  const std::string script = "/site/modules/m/lib/strata/mark.lua";
  const auto text = [](int i) { return fmt::format("strata.func('mark', function(x) return {} end)", i); };
  const auto engine = Engine::make();
  const std::shared_ptr<const FileTree> tree =
      memory_tree({{"/site/environments.pp", ""},
                   {script, text(1)},
                   {"/site/modules/m/bindings/default.pp", "bindings m::default { bind 'a' to mark(0) }"}});
  const auto first = Snapshot::make(engine, tree);
  EXPECT_EQ(answer(first, "a"), "1");
  const auto second = Snapshot::make(engine, edited_tree(tree, {{script, text(2)}}));
  EXPECT_EQ(answer(second, "a"), "2");
  EXPECT_EQ(answer(first, "a"), "1");
  const auto third = Snapshot::make(engine, tree);
  EXPECT_EQ(answer(third, "a"), "1");
}

}  // namespace
}  // namespace strata::site
