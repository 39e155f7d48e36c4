// What a plugin's process runs in tests: strata's hidden mode, without the rest of strata.
#include "host/plugin_process.hpp"

int main(int argc, char** argv) { return argc == 4 ? strata::run_plugin_host(argv[2], argv[3]) : 2; }
