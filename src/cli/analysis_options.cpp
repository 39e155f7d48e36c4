// SPDX-License-Identifier: Apache-2.0
#include "analysis_options.hpp"

namespace strata::cli {

void AnalysisOptions::add_to(Arguments& command) {
  command
      .add_option("--fleet", file, "the targets: a JSON or YAML list of {name, args}; args are appended to the command")
      .type_name("FILE");
  command.add_option("--output", output, "the form of the report")
      .type_name("FORMAT")
      .one_of(formats)
      .capture_default_str();
  command.add_flag("--exit-zero", exit_zero, "exit with 0, even if there is something to report");
  options.add_permissions_to(command);
  options.add_common_to(command);
}

}  // namespace strata::cli
