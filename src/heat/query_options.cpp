// SPDX-License-Identifier: Apache-2.0
// The table holds the inputs first, then the options of a combination, with the hooks in one piece.
#include "query_options.hpp"

#include <array>

namespace strata::heat {
namespace {

using query::Trust;
using Values = QueryOptions;

constexpr std::array<std::string_view, 2> kRules{"promised", "shipped"};
constexpr std::size_t kInputs = 9;
constexpr std::size_t kFirstHook = kInputs + 1;
constexpr std::size_t kHooks = 2;

constexpr auto kOptions = std::to_array<query::OptionOf<Values>>({
    {{.name = "environment",
      .short_name = "e",
      .value_name = "FILE",
      .help = "an environment file; later ones override earlier ones; - is standard input"},
     &Values::environments},
    {{.name = "environment-directory", .value_name = "DIR", .help = "all *.yaml of a folder, overridden by every -e"},
     &Values::environment_folders},
    {{.name = "environment-body",
      .value_name = "FILE",
      .help = "the environment of a request; ignored if there is an -e"},
     &Values::environment_body},
    {{.name = "parameter", .value_name = "K=V", .help = "an explicit parameter; if given only once, it is split at ;"},
     &Values::parameters},
    {{.name = "template", .short_name = "t", .value_name = "FILE", .help = "the template of the stack"},
     &Values::template_file},
    {{.name = "file", .value_name = "FILE", .help = "attaches one more file; what it declares wins"}, &Values::files},
    {{.name = "existing", .value_name = "STATE.json", .help = "the state of the stack, for an update"},
     &Values::existing},
    {{.name = "clear-parameter", .value_name = "K", .help = "remove a parameter from the state"},
     &Values::cleared_parameters},
    {{.name = "compat",
      .value_name = "RULES",
      .help = "promised: explicit parameters win, updates combine again; shipped: as the engine does",
      .choices = kRules},
     &Values::compat},
    {{.name = "save-state",
      .value_name = "OUT.json",
      .help = "write the state of the stack, for the next --existing; - prints it instead of the result"},
     &Values::save_state},
    {{.name = "pre-create",
      .value_name = "NAME",
      .help = "pause before a resource is created; in nested stacks OUTER/INNER"},
     &Values::pre_create},
    {{.name = "pre-update", .value_name = "NAME", .help = "pause before a resource is updated"}, &Values::pre_update},
    {{.name = "mask", .help = "show ****** for the values of hidden parameters", .trust = Trust::anyone},
     &Values::mask},
});

}  // namespace

std::span<const query::OptionOf<QueryOptions>> query_options() { return kOptions; }
std::span<const query::OptionOf<QueryOptions>> input_options() { return query_options().first(kInputs); }
std::span<const query::OptionOf<QueryOptions>> hook_options() { return query_options().subspan(kFirstHook, kHooks); }

}  // namespace strata::heat
