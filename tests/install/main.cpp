// SPDX-License-Identifier: Apache-2.0
// Uses an installed strata through its public headers only.
#include <strata/bindings.hpp>
#include <strata/engine.hpp>
#include <strata/hiera.hpp>
#include <strata/session.hpp>
#include <strata/site.hpp>
#include <strata/snapshot.hpp>
#include <strata/text.hpp>

#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace {

/// A request's answer, which outlives the request.
strata::hiera::Result look_up(const std::shared_ptr<strata::Snapshot>& snapshot) {
  strata::Session session(snapshot);
  strata::hiera::Request request;
  request.settings.codedir = "/code";
  const strata::SourceId facts = session.sources().add("web01.yaml", "site: ams\n");
  request.facts = strata::hiera::read_facts(session.sources(), facts, "web01.yaml", session.limits());
  request.query.names = {"ntp::servers"};
  return strata::hiera::lookup(request, session);
}

std::string json(const strata::Value& value) {
  return strata::text::write_json(value, {.sort_keys = false, .indent = -1});
}

/// docs/library/hiera.md.
bool looks_up(const std::shared_ptr<strata::Engine>& engine) {
  const std::shared_ptr<const strata::FileTree> tree = strata::memory_tree(
      {{"/code/environments/production/hiera.yaml", "version: 5\n"},
       {"/code/environments/production/data/common.yaml", "ntp::servers: [\"ntp.%{site}.example.com\"]\n"}});
  const strata::hiera::Result result = look_up(strata::Snapshot::make(engine, tree));
  const strata::Place place = strata::Sources(engine->locations()).place(result.value.value.origin());

  // An edit that nobody has saved: the other files are not read again.
  const std::size_t reads = engine->usage().reads;
  const auto edited =
      strata::edited_tree(tree, {{"/code/environments/production/data/common.yaml", "ntp::servers: []\n"}});
  const strata::hiera::Result other = look_up(strata::Snapshot::make(engine, edited));
  return json(result.value.value) == "[\"ntp.ams.example.com\"]\n" &&
         place.to_string() == "/code/environments/production/data/common.yaml:1:15" &&
         json(other.value.value) == "[]\n" && engine->usage().reads == reads + 1;
}

/// docs/library/bindings.md.
bool injects(const std::shared_ptr<strata::Engine>& engine) {
  strata::Session session(strata::Snapshot::make(
      engine, strata::memory_tree({{"/site/bindings/default.pp",
                                    "bindings default {\n  bind 'motd' to \"this is ${hostname}\"\n}\n"}})));
  strata::site::Node node({.confdir = "/site"}, {.facts = strata::site::NamedText{"web01.yaml", "hostname: web01\n"}},
                          session);
  return node.injector().inject("motd").value.text() == "this is web01";
}

/// docs/library/bindings.md: documents in memory.
bool injects_texts(const std::shared_ptr<strata::Engine>& engine) {
  using namespace strata::bindings;
  strata::Session session(strata::Snapshot::make(engine, strata::memory_tree({})));
  const std::vector<LayerTexts> layers{
      {"site", {{"site.pp", "bindings site {\n  when node 'web01' { bind 'port' to $port }\n}\n"}}},
      {"defaults", {{"web.pp", "bindings web { bind 'port' to 80 }"}}}};
  Preparations shared;
  Injector injector(shared,
                    {.documents = LayeredDocuments(layers, session),
                     .categories = {{"node", "web01"}},
                     .facts = strata::NamedText{"facts.yaml", "port: 8443\n"}},
                    session);
  const Explanation told = injector.explain("", "port");
  bool is_placed = false;
  try {
    const std::vector<LayerTexts> wrong{{"site", {{"wrong.pp", "bindings wrong {\n  bind\n}\n"}}}};
    static_cast<void>(LayeredDocuments(wrong, session));
  } catch (const strata::Error& error) {
    is_placed = error.diagnostic().where.place.to_string() == "wrong.pp:3:1";
  }
  return told.value.value.as_integer() == 8443 && told.shadowed.size() == 1 && told.shadowed[0].document == "web" &&
         is_placed;
}

}  // namespace

int main() {
  const auto engine = strata::Engine::make();
  const auto snapshot = strata::Snapshot::make(engine, strata::memory_tree({}));
  strata::Session session(snapshot);
  const auto source = session.sources().add("sample.yaml", "ntp:\n  servers: [a, b]\n");
  const auto document = strata::text::read_yaml(session.sources(), source, strata::text::pyyaml(), session.limits());
  std::cout << json(document.root);
  const bool is_placed =
      session.sources().place(document.root.find("ntp")->find("servers")->origin()).to_string() == "sample.yaml:2:12";
  return is_placed && looks_up(engine) && injects(engine) && injects_texts(engine) ? 0 : 1;
}
