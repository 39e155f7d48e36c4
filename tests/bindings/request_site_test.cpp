// SPDX-License-Identifier: Apache-2.0
// Categories and layers.
#include <gtest/gtest.h>

#include "request_world.hpp"

namespace strata::bindings {
namespace {

std::string categories(const std::string& entries, const std::string& facts = "fqdn: K.example.com") {
  RequestWorld world(Files{{"site.pp", "site { categories { " + entries + " } }\n"}});
  const std::string problems = world.facts(facts).problems();
  return problems == "none" ? world.categories() : problems;
}

TEST(Categories, NodeAndEnvironmentAreAlwaysThere) {
  EXPECT_EQ(categories(""), "node=K.example.com environment=production");
  EXPECT_EQ(categories("rack => 7"), "node=K.example.com rack=7 environment=production");
  EXPECT_EQ(categories("environment => true rack => 7"), "node=K.example.com environment=production rack=7");
  EXPECT_EQ(categories("rack => 1.5, node => 'x',"), "rack=1.5 node=x environment=production");
}

TEST(Categories, TheNodeOfTheFacts) {
  EXPECT_EQ(categories("", "networking: {fqdn: n}\nclientcert: c"), "node=n environment=production");
  EXPECT_EQ(categories("", "clientcert: c"), "node=c environment=production");
  EXPECT_EQ(categories("", "{}"), "node=- environment=production");
  RequestWorld world(Files{});
  world.node = "given";
  EXPECT_EQ(world.categories(), "node=given environment=production");
}

TEST(Categories, UndefAndEmptyAreNotInEffect) {
  EXPECT_EQ(categories("a => undef b => '' c => false"), "node=K.example.com a=- b=- c=false environment=production");
}

TEST(Categories, RulesAreToldTogether) {
  EXPECT_EQ(
      categories("environment => 'x' node => 'n' common => 1 a => [1] a => 1 b => /x/ c => Integer"),
      "category.environment: the category 'environment' only takes the value true: its value is that of $environment\n"
      "category.order: the category 'node' must not be below 'environment'\n"
      "category.common: the category 'common' must not be listed: it is always the lowest one\n"
      "category.value: the value of category 'a' must be a text, a number, a boolean or undef, not a sequence\n"
      "category.duplicate: the category 'a' is listed twice\n"
      "category.value: the value of category 'b' must be a text, a number, a boolean or undef, not Regexp[/x/]\n"
      "category.value: the value of category 'c' must be a text, a number, a boolean or undef, not Type[Integer]\n");
}

TEST(Site, VariablesStayAndFactsCannotBeAssigned) {
  RequestWorld world(Files{{"site.pp", "$a = $fact + 1\n"}});
  const Request& request = world.facts("fact: 1\nenvironment: e").make();
  ASSERT_NE(request.scope->find("a"), nullptr);
  EXPECT_EQ(request.scope->find("a")->as_integer(), 2);
  EXPECT_EQ(request.scope->find("environment")->text(), "production");
  EXPECT_EQ(request.scope->find("settings::envdir")->text(), "/c");
  EXPECT_EQ(request.scope->find("fact"), nullptr) << "facts are behind bound variables";
  EXPECT_EQ(RequestWorld(Files{{"site.pp", "$fact = 2\n"}}).facts("fact: 1").problems(),
            "puppet.reassigned: cannot reassign variable '$fact'\n");
  EXPECT_EQ(RequestWorld(Files{{"site.pp", "$environment = 'x'\n"}}).problems(),
            "puppet.reassigned: cannot reassign variable '$environment'\n");
}

std::string layers(const std::string& list, const Files& more = {}) {
  Files files = more;
  files["site.pp"] = "site { bindings => [ " + list + " ] }\n";
  files.try_emplace("bindings/default.pp", "bindings default { }");
  files.try_emplace("bindings/a/b.pp", "bindings a::b { }");
  files.try_emplace("modules/m/bindings/default.pp", "bindings m::default { }");
  files.try_emplace("modules/m/bindings/x/y.pp", "bindings m::x::y { }");
  files.try_emplace("modules/n/bindings/default.pp", "bindings n::default { }");
  RequestWorld world(std::move(files));
  const std::string problems = world.problems();
  return problems == "none" ? world.layers() : problems;
}

std::string layer(const std::string& include) { return layers("layer { 'l': include => [" + include + "] }"); }

TEST(Layers, Defaults) {
  RequestWorld world(Files{{"modules/m/bindings/default.pp", "bindings m::default { }"}});
  EXPECT_EQ(world.layers(), "site: | modules: m::default");
  EXPECT_EQ(world.enc("classes: [a]").layers(), "site: | enc: enc | modules: m::default");
}

TEST(Layers, Wildcards) {
  EXPECT_EQ(layer("'module:/*::default'"), "l: m::default n::default");
  EXPECT_EQ(layer("'module:/m::**'"), "l: m::default m::x::y");
  EXPECT_EQ(layer("'module:/**'"), "l: m::default m::x::y n::default");
  EXPECT_EQ(layer("'module:/**::default'"), "l: m::default n::default");
  EXPECT_EQ(layer("'module:/**::y'"), "l: m::x::y");
  EXPECT_EQ(layer("'module:/m::*::y'"), "l: m::x::y");
  EXPECT_EQ(layer("'confdir:/**'"), "l: a::b default");
  EXPECT_EQ(layer("'confdir:/*'"), "l: default");
  EXPECT_EQ(layer("'confdir:/**::b'"), "l: a::b");
  EXPECT_EQ(layer("'confdir:/z::*', 'module:/nope::*'"), "l:");
}

TEST(Layers, OrderAndExclude) {
  EXPECT_EQ(layer("'module:/n::default', 'module:/*::default', 'confdir:/DEFAULT'"),
            "l: n::default m::default default");
  EXPECT_EQ(layers("{ 'l': exclude => ['modules:/*::default', 'confdir:/nope'], include => 'module:/**' }"),
            "l: m::x::y");
  EXPECT_EQ(layers(""), "");
}

TEST(Layers, TheFilesOfTheEnvironmentWin) {
  RequestWorld world(Files{{"environments.pp", "site { environment { 'production': bindingsdir => 'own' } }"},
                           {"site.pp", "site { bindings => [ layer { 'l': include => 'confdir:/*' } ] }"},
                           {"own/default.pp", "bindings default { bind 'a' to 1 }"},
                           {"bindings/default.pp", "bindings default { }"},
                           {"bindings/shared.pp", "bindings shared { }"}});
  const Request& request = world.make();
  const DocumentList& documents = *request.layers[0].parts.at(0).documents;
  ASSERT_EQ(documents.size(), 2U);
  EXPECT_EQ(documents[0]->statements.size(), 1U);
  EXPECT_EQ(documents[1]->name, "shared");
}

TEST(Layers, WhatIsWrongIsToldTogether) {
  EXPECT_EQ(layers("layer { 'a': include => ['confdir:/nope', 'gopher:/x', 'plain', 'module:/m', 'confdir:/../x', "
                   "'enc:/x', 'confdir:/a?b'] }, layer "
                   "{ 'a': }"),
            "layer.uri: layer 'a': the URI 'plain' has no scheme\n"
            "layer.duplicate: there are two layers called 'a'\n");
  EXPECT_EQ(
      layers("layer { 'a': include => ['confdir:/nope', 'gopher:/x', 'module:/m', 'confdir:/../x', 'enc:/x', "
             "'confdir:/a?optional&b'] }"),
      "layer.missing: layer 'a': cannot load bindings 'confdir:/nope': expected the file /c/bindings/nope.pp\n"
      "layer.scheme: layer 'a': unknown scheme 'gopher' of the URI 'gopher:/x'\n"
      "layer.uri: layer 'a': the URI 'module:/m' has no bindings name after the module's name\n"
      "layer.uri: layer 'a': the URI 'confdir:/../x' has the segment '../x', which is neither a name nor '*' nor '**'\n"
      "layer.uri: layer 'a': the URI 'enc:/x' is not a part of an ENC\n"
      "layer.uri: layer 'a': the URI 'confdir:/a?optional&b' may only have 'optional' after its '?'\n");
}

TEST(Layers, ADocumentIsReadOnce) {
  RequestWorld world(Files{
      {"site.pp",
       "site { bindings => [ layer { 'a': include => 'confdir:/default' }, layer { 'b': include => 'confdir:/*' } ] }"},
      {"bindings/default.pp", "bindings default { }"}});
  const Request& request = world.make();
  const auto first = (*request.layers[0].parts.at(0).documents)[0];
  EXPECT_EQ((*request.layers[1].parts.at(0).documents)[0], first);
  EXPECT_EQ((*world.make().layers[0].parts.at(0).documents)[0], first) << "nodes share documents";
}

TEST(Layers, RequestsShareTheirLists) {
  RequestWorld world(Files{{"site.pp",
                            "site { bindings => [ layer { 'all': include => 'confdir:/*' }, "
                            "layer { 'some': include => ['confdir:/a', 'confdir:/*'], exclude => 'confdir:/c' } ] }"},
                           {"bindings/a.pp", "bindings a { }"},
                           {"bindings/b.pp", "bindings b { }"},
                           {"bindings/c.pp", "bindings c { }"},
                           {"bindings/d.pp", "bindings d { }"}});
  const auto lists = [&world] {
    std::vector<std::shared_ptr<const DocumentList>> out;
    for (const Layer& layer : world.make().layers) {
      for (const LayerPart& part : layer.parts) out.push_back(part.documents);
    }
    return out;
  };
  const auto first = lists();
  ASSERT_EQ(first.size(), 3U);
  EXPECT_EQ(first[0]->size(), 4U);
  EXPECT_EQ(first[1]->size(), 1U);
  ASSERT_EQ(first[2]->size(), 2U) << "neither a, which is there already, nor c";
  EXPECT_EQ((*first[2])[0]->name, "b");
  EXPECT_EQ((*first[2])[1]->name, "d");
  EXPECT_EQ(lists(), first);
}

class RecordingProvider final : public SchemeProvider {
 public:
  std::vector<LayerItem> items(const LayerRequest& wanted) override {
    ++calls;
    for (const Uri& uri : wanted.include) asked += uri.written + " ";
    for (const Uri& uri : wanted.exclude) asked += "-" + uri.text + " ";
    environment = wanted.request.environment.name;
    auto document = std::make_shared<Document>();
    document->title = "provided";
    return {{.document = std::move(document), .source = nullptr}};
  }
  int calls = 0;
  std::string asked;
  std::string environment;
};

TEST(Layers, AProviderIsAskedOnceALayer) {
  RecordingProvider provider;
  RequestWorld world({{"site.pp",
                       "site { bindings => [ layer { 'a': include => ['confdir:/default', 'ldap:/x', 'enc:', "
                       "'ldap:/y?q=1&optional'], exclude => 'ldap:/z' } ] }"},
                      {"bindings/default.pp", "bindings default { }"}});
  world.providers = [&](std::string_view scheme) { return scheme == "ldap" ? &provider : nullptr; };
  EXPECT_EQ(world.layers(), "a: default provided");
  EXPECT_EQ(provider.calls, 1);
  EXPECT_EQ(provider.asked, "ldap:/x ldap:/y?q=1&optional -ldap:/z ");
  EXPECT_EQ(provider.environment, "production");
}

TEST(Layers, BootBindsSchemes) {
  RecordingProvider provider;
  const auto made = [&](const std::string& boot) {
    RequestWorld world({{"site.pp", "site { bindings => [ layer { 'a': include => 'people:/x' } ] }"},
                        {"bindings/boot.pp", "bindings boot { " + boot + " }"}});
    world.providers = [&](std::string_view scheme) { return scheme == "MyLdap" ? &provider : nullptr; };
    const std::string problems = world.problems();
    return problems == "none" ? world.layers() : problems;
  };
  EXPECT_EQ(made("bind 'people' to Type[MyLdap] in 'bindings_providers'"), "a: provided");
  EXPECT_EQ(made("bind 'people' to Type[Other] in 'bindings_providers'"),
            "bindings.boot: no extension provides bindings as 'Other'\n");
  EXPECT_EQ(made("when node x { bind 'people' to Type[MyLdap] in 'bindings_providers' }"),
            "bindings.boot: a provider of a scheme must be bound unconditionally and with literals\n");
}

}  // namespace
}  // namespace strata::bindings
