// SPDX-License-Identifier: Apache-2.0
#include "query_options.hpp"

#include <array>

namespace strata::deckhand {

std::span<const query::OptionOf<QueryOptions>> query_options() {
  using enum query::Trust;
  using Values = QueryOptions;
  static constexpr std::array<std::string_view, 2> kRules{"promised", "shipped"};
  static constexpr auto kAll = std::to_array<query::OptionOf<Values>>({
      {{.name = "FILE",
        .help = "streams of documents; a folder means all *.yaml and *.yml in it and below; - is standard input"},
       &Values::inputs},
      {{.name = "schema",
        .value_name = "SCHEMA",
        .help = "only documents of a schema: namespace, namespace/Kind or namespace/Kind/v1",
        .trust = anyone},
       &Values::schemas},
      {{.name = "name", .value_name = "NAME", .help = "only documents with a name", .trust = anyone}, &Values::names},
      {{.name = "layer", .value_name = "LAYER", .help = "only documents of a layer"}, &Values::layers},
      {{.name = "label",
        .value_name = "KEY=VALUE",
        .help = "only documents with a label; given several times, with all of them"},
       &Values::labels},
      {{.name = "pegleg-site",
        .value_name = "SITE",
        .help = "the files of a site of Pegleg: from the repository in the one FILE, a folder, or else here"},
       &Values::pegleg_site},
      {{.name = "extra-repository",
        .short_name = "e",
        .value_name = "NAME=DIR",
        .help = "the folder of another repository that the definition of the site names"},
       &Values::repositories},
      {{.name = "allow-missing-sources", .help = "skip substitutions whose source does not exist, with a warning"},
       &Values::allows_missing_sources},
      {{.name = "cleartext-secrets", .help = "show the data of encrypted documents, and values made from them"},
       &Values::cleartext_secrets},
      {{.name = "check", .help = "look for errors only; print no documents"}, &Values::check},
      {{.name = "compat",
        .value_name = "RULES",
        .help = "promised: delete removes what its path names; shipped: the first equal value, as the reference does",
        .choices = kRules},
       &Values::compat},
  });
  return kAll;
}

}  // namespace strata::deckhand
