// SPDX-License-Identifier: Apache-2.0
#include "query_options.hpp"

#include <array>

namespace strata::cloudinit {

std::span<const query::OptionOf<QueryOptions>> query_options() {
  using Values = QueryOptions;
  static constexpr std::array<std::string_view, 2> kRules{"shipped", "promised"};
  static constexpr std::array<std::string_view, 2> kTypes{"cloud-config", "network-config"};
  static constexpr auto kAll = std::to_array<query::OptionOf<Values>>({
      {{.name = "PART",
        .help = "user-data: cloud-config, MIME message, gzip, …; several are merged in order; - is standard input"},
       &Values::parts},
      {{.name = "vendor-data", .value_name = "FILE", .help = "vendor data"}, &Values::vendor_data},
      {{.name = "vendor-data2", .value_name = "FILE", .help = "second vendor data, stronger than the first"},
       &Values::vendor_data2},
      {{.name = "base",
        .value_name = "FILE|DIR",
        .help = "base configuration: a file with its FILE.d, or a folder of *.cfg; later ones override earlier ones; "
                "- is standard input"},
       &Values::base},
      {{.name = "instance-data", .value_name = "FILE", .help = "JSON for jinja templates"}, &Values::instance_data},
      {{.name = "launch-index",
        .value_name = "N",
        .help = "the number of this machine in its group; parts for other machines are left out"},
       &Values::launch_index},
      {{.name = "strategy",
        .value_name = "MERGERS",
        .help = "default mergers, for parts that name none: list(append)+dict(recurse_list)+str()"},
       &Values::strategy},
      {{.name = "merger", .value_name = "NAME=FILE.lua", .help = "a merger written in Lua, which strategies can name"},
       &Values::mergers},
      {{.name = "compat",
        .value_name = "RULES",
        .help = "shipped: a part's mergers merge that part; promised: they merge the next part",
        .choices = kRules},
       &Values::compat},
      {{.name = "schema",
        .value_name = "FILE",
        .help = "for strata check: the JSON schema of cloud-init to check against, in place of that of the installed "
                "cloud-init; builtin: strata's own table of names and types, which is smaller"},
       &Values::schema},
      {{.name = "schema-type",
        .value_name = "TYPE",
        .help = "for strata check: what PART is; a network-config (version 1 or 2) is one PART and nothing else",
        .choices = kTypes},
       &Values::schema_type},
      {{.name = "parts", .help = "list the parts and what happened to each, instead of the result"},
       &Values::lists_parts},
  });
  return kAll;
}

}  // namespace strata::cloudinit
