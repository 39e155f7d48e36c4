// SPDX-License-Identifier: Apache-2.0
#include "analysis_options.hpp"

namespace strata::cli {

void AnalysisOptions::add_to(Arguments& command) {
  command
      .add_option("--fleet", file,
                  "the subjects: a JSON or YAML list of {name, args}; each is the verb with these words at its end")
      .type_name("FILE");
  command.add_option("--output", output, "the form of the report").one_of(formats).capture_default_str();
  command.add_flag("--exit-zero", exit_zero, "exit status 0, also if there is something to tell");
  options.add_common_to(command);
}

}  // namespace strata::cli
