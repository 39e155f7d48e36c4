// Uses an installed strata through its public headers only.
#include <strata/hiera.hpp>
#include <strata/limits.hpp>
#include <strata/site.hpp>
#include <strata/text.hpp>

#include <iostream>

namespace {

/// docs/lookup.md, "The library".
bool looks_up() {
  strata::Sources sources;
  const strata::Limits limits;
  const std::shared_ptr<const strata::FileTree> tree =
      strata::memory_tree({{"/code/environments/production/hiera.yaml", "version: 5\n"},
                           {"/code/environments/production/data/common.yaml", "ntp::servers: [\"ntp.%{site}.example.com\"]\n"}});
  const strata::hiera::Facts facts = strata::hiera::read_facts(sources, sources.add("web01.yaml", "site: ams\n"), "web01.yaml", limits);
  strata::hiera::Settings settings;
  settings.codedir = "/code";
  const strata::hiera::CodeDirectory code(settings, tree, sources, limits);
  strata::Diagnostics warnings;
  strata::merge::NullRecorder unrecorded(sources);
  auto node = code.node(facts, warnings, unrecorded);
  strata::hiera::Query query;
  query.names = {"ntp::servers"};
  const auto result = node.lookup(query);
  return strata::text::write_json(result.value.value, {.sort_keys = false, .indent = -1}) == "[\"ntp.ams.example.com\"]\n";
}

/// docs/inject.md, "The library".
bool injects() {
  strata::Sources sources;
  const strata::Limits limits;
  const auto tree = strata::memory_tree({{"/site/bindings/default.pp", "bindings default {\n  bind 'motd' to \"this is ${hostname}\"\n}\n"}});
  strata::site::Site site({.confdir = "/site"}, *tree, sources, limits, nullptr);
  strata::Diagnostics warnings;
  strata::merge::NullRecorder unrecorded(sources);
  const auto node = site.open({.facts = strata::site::NamedText{"web01.yaml", "hostname: web01\n"}}, warnings, unrecorded);
  return node->injector().inject("motd").value.text() == "this is web01";
}

}  // namespace

int main() {
  strata::Sources sources;
  const auto source = sources.add("sample.yaml", "ntp:\n  servers: [a, b]\n");
  const auto document = strata::text::read_yaml(sources, source, strata::text::pyyaml(), strata::Limits{});
  std::cout << strata::text::write_json(document.root, {.sort_keys = false, .indent = -1});
  const bool is_placed = sources.place(document.root.find("ntp")->find("servers")->origin()).to_string() == "sample.yaml:2:12";
  return is_placed && looks_up() && injects() ? 0 : 1;
}
