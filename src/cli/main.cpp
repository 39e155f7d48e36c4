// SPDX-License-Identifier: Apache-2.0
// strata COMMAND [options] …: the composition root.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "program.hpp"
#include "strata/process_host.hpp"

int main(int argc, char** argv) {
  try {
    // Not for people: strata starts itself so, for each plugin.
    constexpr int kPluginArguments = 4;
    if (argc == kPluginArguments && std::string_view(argv[1]) == strata::kPluginHost)
      return strata::run_plugin_host(argv[2], argv[3]);
    // Who started this may ignore it, which is inherited: how a plugin has ended would not be known.
    std::signal(SIGCHLD, SIG_DFL);
    return strata::cli::run_program(std::vector<std::string>(argv + std::min(argc, 1), argv + argc));
  } catch (const std::exception& error) {
    constexpr int kBug = 70;
    std::fprintf(stderr, "strata: this is a bug in strata: %s\nPlease report it with the command and its input.\n",
                 error.what());
    return kBug;
  }
}
