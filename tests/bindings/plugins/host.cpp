// SPDX-License-Identifier: Apache-2.0
// What a plugin's process runs in tests: strata's hidden mode, without the rest of strata.
#include "strata/process_host.hpp"

int main(int argc, char** argv) { return argc == 4 ? strata::run_plugin_host(argv[2], argv[3]) : 2; }

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
/// What the limit of the process does elsewhere.
extern "C" const char* __asan_default_options() {
  return "hard_rss_limit_mb=1024:handle_segv=0:handle_abort=0:handle_sigbus=0";
}
#endif
#endif
