// SPDX-License-Identifier: Apache-2.0
#include "query_options.hpp"

#include <array>

#include "hiera/query_options.hpp"

namespace strata::site {
namespace {

using query::Trust;
using Values = QueryOptions;

constexpr auto kItem = std::to_array<query::OptionOf<Values>>({
    {{.name = "TYPE", .help = "a type, or the NAME if it is the only argument"}, &Values::first},
    {{.name = "NAME", .help = "a name; '' is the anonymous binding of the type"}, &Values::second},
});

constexpr auto kInjection = std::to_array<query::OptionOf<Values>>({
    {{.name = "all", .help = "every effective binding"}, &Values::all},
    {{.name = "classes", .help = "the included classes"}, &Values::classes},
    {{.name = "parameters", .value_name = "REF", .help = "the bound parameters of 'class ntp', 'Web' or 'Web[one]'"},
     &Values::parameters},
    {{.name = "variables", .help = "the bound top-scope variables"}, &Values::variables},
    {{.name = "default", .value_name = "JSON", .help = "the value to use if nothing is bound", .trust = Trust::anyone},
     &Values::default_value},
});

constexpr auto kExplanation = std::to_array<query::OptionOf<Values>>({
    {{.name = "graph", .help = "show the resources of other nodes that supply the site's values"}, &Values::graph},
});

constexpr std::size_t kOfNodes = 3;  ///< The last ones name nodes and hide secrets.
constexpr auto kSite = std::to_array<query::OptionOf<Values>>({
    {{.name = "confdir",
      .value_name = "DIR",
      .help = "the site: environments.pp, modules, bindings, strata.yaml; else $STRATA_CONFDIR",
      .default_value = "."},
     &Values::confdir},
    {{.name = "environment-root",
      .value_name = "DIR",
      .help = "the folder of the environment, whatever its name: a control repository; also the default of --confdir"},
     &Values::environment_root},
    {hiera::kMapOption, &Values::maps},
    {{.name = "environments", .value_name = "FILE", .help = "a file to use instead of environments.pp"},
     &Values::environments},
    {{.name = "facts",
      .value_name = "FILE",
      .help = "the node's facts: YAML or JSON, Puppet's cache, an answer of PuppetDB; - is standard input"},
     &Values::facts},
    {{.name = "trusted", .value_name = "FILE", .help = "trusted facts: the members of $trusted, as YAML or JSON"},
     &Values::trusted},
    {{.name = "enc",
      .value_name = "FILE",
      .help = "the output of an external node classifier, instead of running enc_command of strata.yaml"},
     &Values::enc},
    {{.name = "agent-environment",
      .value_name = "ENVIRONMENT",
      .help = "the environment that the agent requests, instead of the fact"},
     &Values::agent_environment},
    {{.name = "inventory", .value_name = "FILE", .help = "resources for queries: YAML or JSON"}, &Values::inventory},
    {{.name = "node", .value_name = "NODE", .help = "the node's name if its facts do not contain it"}, &Values::node},
    {hiera::kNodesOption, &Values::nodes},
    {{.name = "mask",
      .help = "show ****** for secrets, and <encrypted> for those of hiera: layers whose private key is missing",
      .trust = Trust::anyone},
     &Values::mask},
});

}  // namespace

Options item_options() { return kItem; }
Options injection_options() { return kInjection; }
Options explanation_options() { return kExplanation; }
Options site_options(bool names_node) { return Options(kSite).first(kSite.size() - (names_node ? 0 : kOfNodes)); }

}  // namespace strata::site
