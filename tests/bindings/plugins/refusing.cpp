// SPDX-License-Identifier: Apache-2.0
// Plugins that do not get as far as being asked. Which one, the definition says.
#include <unistd.h>

#include <cstdlib>

#include "strata/plugin.hpp"

STRATA_PLUGIN(plugin) {
  (void)plugin;
#if STRATA_REFUSAL == 1
  throw std::runtime_error("no licence");
#elif STRATA_REFUSAL == 2
  std::abort();
#else
  for (;;) pause();
#endif
}
