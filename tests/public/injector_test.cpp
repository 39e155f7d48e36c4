// SPDX-License-Identifier: Apache-2.0
// Injectors of documents in memory, with public headers alone.
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "strata/bindings.hpp"
#include "strata/builder.hpp"
#include "strata/engine.hpp"
#include "strata/error.hpp"
#include "strata/file_tree.hpp"
#include "strata/session.hpp"
#include "strata/snapshot.hpp"
#include "strata/text.hpp"

namespace {

using strata::bindings::check;
using strata::bindings::Injector;
using strata::bindings::InjectorInputs;
using strata::bindings::LayeredDocuments;
using strata::bindings::LayerTexts;
using strata::bindings::Preparations;

strata::SessionSettings with_history() { return {.keeps_history = true}; }

class InjectorOfTexts : public ::testing::Test {
 protected:
  static std::string json(const strata::Value& value) {
    return strata::text::write_json(value, {.sort_keys = false, .indent = -1});
  }

  /// `code at FILE:LINE:COLUMN` of each error.
  template <class Work>
  static std::string errors_of(const Work& work) {
    const auto line = [](const strata::Diagnostic& each) {
      return each.code + " at " + each.where.place.to_string() + "\n";
    };
    try {
      work();
    } catch (const strata::Errors& errors) {
      std::string out;
      for (const strata::Diagnostic& each : errors.all()) out += line(each);
      return out;
    } catch (const strata::Error& error) {
      return line(error.diagnostic());
    }
    return "none";
  }

  const std::vector<LayerTexts> layers_{
      {"site",
       {{"site.pp",
         "bindings site {\n  when node 'web01' { bind 'port' to 8443 }\n  bind 'motd' to \"${hostname} in "
         "${region}\"\n}\n"}}},
      {"defaults",
       {{"web.pp", "bindings web { bind 'port' to 80  bind Integer, 'workers' to 4 }"},
        {"users.pp",
         "bindings users { multibind Array[String], 'users' as 'u'  bind to 'root' in 'u'  bind to $facts['owner'] in "
         "'u' }"}}}};
  strata::Session session_{strata::Snapshot::make(strata::Engine::make(), strata::memory_tree({})), with_history()};
  Preparations shared_;
  InjectorInputs inputs_{.documents = LayeredDocuments(layers_, session_),
                         .categories = {{"node", "web01"}, {"zone", std::nullopt}},
                         .facts = strata::NamedText{"facts.yaml", "hostname: web01\nowner: ann\n"}};
};

TEST_F(InjectorOfTexts, GivesValues) {
  strata::Arena arena;
  strata::MappingBuilder variables(arena);
  variables.insert("region", arena.text("ams"));
  inputs_.variables = variables.finish();
  Injector injector(shared_, inputs_, session_);
  EXPECT_EQ(injector.inject("port").value.as_integer(), 8443);
  EXPECT_EQ(injector.inject("Integer", "workers").value.as_integer(), 4);
  EXPECT_EQ(injector.inject("motd").value.text(), "web01 in ams");
  EXPECT_EQ(json(injector.inject("users").value), "[\"root\", \"ann\"]\n");
  EXPECT_FALSE(injector.find("nothing").value);
}

TEST_F(InjectorOfTexts, FactsMayBeValues) {
  strata::Arena arena;
  strata::MappingBuilder facts(arena);
  facts.insert("owner", arena.text("bob"));
  inputs_.facts = facts.finish();
  Injector injector(shared_, inputs_, session_);
  EXPECT_EQ(json(injector.inject("users").value), "[\"root\", \"bob\"]\n");
}

TEST_F(InjectorOfTexts, TellsWhereValuesComeFrom) {
  Injector injector(shared_, inputs_, session_);
  const strata::bindings::Explanation told = injector.explain("", "port");
  ASSERT_TRUE(told.winner.has_value());
  EXPECT_EQ(told.winner->layer, "site");
  EXPECT_EQ(told.winner->category, "node 'web01'");
  ASSERT_EQ(told.shadowed.size(), 1U);
  EXPECT_EQ(told.shadowed[0].document, "web");
  EXPECT_EQ(told.shadowed[0].reason, "lower layer");
  EXPECT_EQ(strata::bindings::explanation_text(session_.sources(), told),
            "'port'\n  winner\n    site.pp:2:23: bind in site, layer 'site', node 'web01'\n  value\n    8443\n"
            "  shadowed\n    web.pp:1:16: bind in web, layer 'defaults', common\n      lower layer\n");
}

TEST_F(InjectorOfTexts, OtherNodesShareDocumentsAndPreparations) {
  for (const std::string_view name : {"web01", "db01"}) {
    strata::Session session(session_.shared_snapshot());
    InjectorInputs own = inputs_;
    own.categories[0].value = std::string(name);
    Injector injector(shared_, own, session);
    EXPECT_EQ(injector.inject("port").value.as_integer(), name == "web01" ? 8443 : 80);
  }
}

TEST_F(InjectorOfTexts, AnInjectorKeepsItsDocuments) {
  std::optional<Injector> injector;
  {
    const std::vector<LayerTexts> layers{{"l", {{"a.pp", "bindings a { bind 'a' to ['text'] }"}}}};
    injector.emplace(shared_, InjectorInputs{.documents = LayeredDocuments(layers, session_)}, session_);
  }
  const strata::Value value = injector->inject("a").value;
  EXPECT_EQ(json(value), "[\"text\"]\n");
  EXPECT_EQ(session_.sources().place(value.origin()).to_string(), "a.pp:1:26");
}

TEST_F(InjectorOfTexts, ErrorsHavePlaces) {
  const std::vector<LayerTexts> wrong{
      {"l", {{"one.pp", "bindings one {\n  bind 'a' too 1\n}\n"}, {"two.pp", "bindings two { bind }"}}}, {"l", {}}};
  EXPECT_EQ(errors_of([&] { LayeredDocuments(wrong, session_); }),
            "puppet.syntax at one.pp:2:12\npuppet.syntax at two.pp:1:21\nlayer.duplicate at \n");
  const std::vector<LayerTexts> twice{
      {"l", {{"one.pp", "bindings one { bind 'a' to 1 }"}, {"two.pp", "bindings two { bind 'a' to 2 }"}}}};
  const InjectorInputs conflict{.documents = LayeredDocuments(twice, session_)};
  EXPECT_EQ(errors_of([&] { Injector(shared_, conflict, session_); }), "bindings.conflict at one.pp:1:16\n");
  const strata::bindings::Findings findings = check(shared_, conflict, session_);
  ASSERT_EQ(findings.errors.size(), 1U);
  EXPECT_EQ(findings.errors[0].code, "bindings.conflict");
  ASSERT_EQ(findings.layers.size(), 1U);
  EXPECT_EQ(findings.layers[0].documents, (std::vector<std::string>{"one", "two"}));
}

TEST_F(InjectorOfTexts, WrongInputsAreErrors) {
  const auto code_of = [&](const InjectorInputs& inputs) {
    return errors_of([&] { Injector(shared_, inputs, session_); });
  };
  strata::Arena arena;
  EXPECT_EQ(code_of({.categories = {{"Node", "a"}, {"common", "a"}, {"a", "b"}, {"a", "c"}}}),
            "category.name at \ncategory.common at \ncategory.duplicate at \n");
  EXPECT_EQ(code_of({.facts = strata::NamedText{"facts.yaml", "[1"}}), "yaml.syntax at facts.yaml:1:3\n");
  EXPECT_EQ(code_of({.facts = strata::Value::integer(1)}), "facts.shape at \n");
  EXPECT_EQ(code_of({.variables = strata::Value::integer(1)}), "bindings.variable at \n");
  strata::MappingBuilder variables(arena);
  variables.insert("Not a name", arena.text("x"));
  EXPECT_EQ(code_of({.variables = variables.finish()}), "bindings.variable at \n");
  InjectorInputs unknown = inputs_;
  unknown.strict = true;  // $region.
  Injector injector(shared_, unknown, session_);
  EXPECT_EQ(errors_of([&] { static_cast<void>(injector.inject("motd")); }),
            "puppet.unknown-variable at site.pp:3:36\n");
}

}  // namespace
