// SPDX-License-Identifier: Apache-2.0
#include "query_options.hpp"

#include <array>

namespace strata::reclass {

std::span<const query::OptionOf<QueryOptions>> query_options() {
  using Values = QueryOptions;
  static constexpr std::array<std::string_view, 2> kRules{"reclass", "kapitan"};
  static constexpr auto kAll = std::to_array<query::OptionOf<Values>>({
      {{.name = "NODE", .help = "the node: the name of a file below the folder of nodes, without its extension"},
       &Values::nodes},
      {{.name = "inventory-base-uri",
        .short_name = "b",
        .value_name = "DIR",
        .help = "the folder of the inventory, with reclass-config.yml, nodes or targets, and classes",
        .default_value = "."},
       &Values::base},
      {{.name = "nodes-dir", .value_name = "DIR", .help = "the folder of the nodes"}, &Values::nodes_folder},
      {{.name = "classes-dir", .value_name = "DIR", .help = "the folder of the classes"}, &Values::classes_folder},
      {{.name = "compat",
        .value_name = "RULES",
        .help = "reclass: as reclass 1.7, for Salt; kapitan: as Kapitan with its reclass. By default, kapitan where "
                "targets/ lies beside classes/, or .kapitan in the folder",
        .choices = kRules},
       &Values::compat},
      {{.name = "all", .help = "every node: a mapping from node to result"}, &Values::all},
      {{.name = "nodes",
        .value_name = "FILE",
        .help = "the nodes of a list: a JSON or YAML sequence of names; - is standard input"},
       &Values::list},
      {{.name = "exports", .help = "print the exports of nodes, too"}, &Values::shows_exports},
      {{.name = "check", .help = "print only errors and warnings"}, &Values::check},
  });
  return kAll;
}

}  // namespace strata::reclass
