// SPDX-License-Identifier: Apache-2.0
#include "query_options.hpp"

#include <algorithm>
#include <array>

namespace strata::hiera {
namespace {

struct NamedRelease {
  std::string_view name;
  Compat compat;
};
constexpr std::array<NamedRelease, 6> kNamedReleases{{{"openvox", Compat::openvox},
                                                      {"openvox9", Compat::openvox9},
                                                      {"puppet7", Compat::puppet7},
                                                      {"puppet8", Compat::openvox},
                                                      {"promised", Compat::promised},
                                                      {"shipped", Compat::puppet7}}};

}  // namespace

Compat compat_named(std::string_view name) {
  return std::ranges::find(kNamedReleases, name, &NamedRelease::name)->compat;
}

std::span<const query::OptionOf<QueryOptions>> query_options() {
  using enum query::Trust;
  using Values = QueryOptions;
  static constexpr auto kReleases = [] {
    std::array<std::string_view, kNamedReleases.size()> out;
    std::ranges::transform(kNamedReleases, out.begin(), &NamedRelease::name);
    return out;
  }();
  static constexpr auto kAll = std::to_array<query::OptionOf<Values>>({
      {{.name = "KEY", .help = "the key; if there are several, the first that is found"}, &Values::keys},
      {{.name = "codedir",
        .value_name = "DIR",
        .help = "the code directory: DIR/environments/NAME, DIR/hiera.yaml, DIR/modules"},
       &Values::codedir},
      {{.name = "environment", .value_name = "ENVIRONMENT", .help = "the environment", .default_value = "production"},
       &Values::environment},
      {{.name = "environment-root",
        .value_name = "DIR",
        .help = "the environment's folder, instead of one in the code directory: a control repository with hiera.yaml, "
                "modules and environment.conf"},
       &Values::environment_root},
      {{.name = "hiera-config",
        .value_name = "FILE",
        .help = "the hiera.yaml of the global layer; if given alone, only this layer is searched"},
       &Values::hiera_config},
      {kMapOption, &Values::maps},
      {{.name = "facts",
        .value_name = "FILE",
        .help = "the node's facts: JSON or YAML, Puppet's cache, an answer of PuppetDB; - is standard input"},
       &Values::facts},
      {{.name = "trusted",
        .value_name = "FILE",
        .help = "trusted facts: the members of the variable trusted, as JSON or YAML"},
       &Values::trusted},
      {{.name = "server-facts",
        .value_name = "FILE",
        .help = "what the server knows about itself, as JSON or YAML: the members of the variable server_facts"},
       &Values::server_facts},
      {kNodesOption, &Values::nodes},
      {{.name = "node", .value_name = "NODE", .help = "the node's name"}, &Values::node},
      {{.name = "merge",
        .value_name = "STRATEGY",
        .help = "first, unique, hash or deep; overrides lookup_options",
        .trust = anyone},
       &Values::merge},
      {{.name = "knock-out-prefix",
        .value_name = "PREFIX",
        .help = "with --merge deep: the prefix of values to remove"},
       &Values::knockout_prefix},
      {{.name = "sort-merged-arrays", .help = "with --merge deep: merged arrays are sorted"},
       &Values::sort_merged_arrays},
      {{.name = "merge-hash-arrays",
        .help = "with --merge deep: hashes in arrays are merged by position",
        .trust = anyone},
       &Values::merge_hash_arrays},
      {{.name = "type", .value_name = "TYPE", .help = "the Puppet type that the value must have"}, &Values::type},
      {{.name = "default", .value_name = "TEXT", .help = "the text to use if no key is found", .trust = anyone},
       &Values::default_value},
      {{.name = "explain-options", .help = "explain how lookup_options were found"}, &Values::explain_options},
      {{.name = "render-as", .value_name = "FORMAT", .help = "yaml, json or s, as puppet lookup prints them"},
       &Values::render_as},
      {{.name = "all", .help = "every key"}, &Values::all},
      {{.name = "mask",
        .help = "show ****** for secrets, and <encrypted> for those whose private key is missing",
        .trust = anyone},
       &Values::mask},
      {{.name = "compat",
        .value_name = "RELEASE",
        .help = "the release whose rules apply: openvox (8.x, also named puppet8), openvox9, puppet7 (also named "
                "shipped), or promised: puppet7 with merges as the manual describes them",
        .choices = kReleases,
        .default_value = "openvox"},
       &Values::compat},
  });
  return kAll;
}

}  // namespace strata::hiera
