// SPDX-License-Identifier: Apache-2.0
#include "version.hpp"

#include <fmt/format.h>

#include "command.hpp"
#include "strata/version.hpp"

namespace strata::cli {

std::string version_text(bool verbose) {
  std::string text = "strata ";
  text.append(strata::version()).append("\n");
  if (verbose) {
    for (const Registration::Entry* entry : Registration::all()) {
      if (!entry->dialect.empty()) text += fmt::format("  {:<10}  {}\n", entry->dialect, entry->fidelity);
    }
  }
  return text;
}

}  // namespace strata::cli
