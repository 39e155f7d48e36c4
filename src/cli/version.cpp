#include "version.hpp"

#include "strata/version.hpp"

namespace strata::cli {

std::string version_text(bool verbose) {
  std::string text = "strata ";
  text.append(strata::version()).append("\n");
  if (verbose) {
    text +=
        "  cloud-init  behaves as 22.4.2 and as the source of August 2026; where they differ docs/cloud-init/fidelity.md tells which\n"
        "  Deckhand    behaves as the engine of August 2026\n";
  }
  return text;
}

}  // namespace strata::cli
