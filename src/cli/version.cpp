#include "version.hpp"

#include "strata/version.hpp"

namespace strata::cli {

std::string version_text(bool verbose) {
  std::string text = "strata ";
  text.append(strata::version()).append("\n");
  if (verbose) {
    text +=
        "  cloud-init  behaves as 22.4.2 and as the source of August 2026; docs/cloud-init/fidelity.md says which one if they differ\n"
        "  Hiera 5     behaves as Puppet 7.23; --compat puppet8 as Puppet 8\n"
        "  Deckhand    behaves as the engine of August 2026\n"
        "  Heat        behaves as Heat 19.0.0, its client as python-heatclient 3.1.0\n"
        "  ARM-8       bindings, with the Puppet language of 7.23\n";
  }
  return text;
}

}  // namespace strata::cli
