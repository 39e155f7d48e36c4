// SPDX-License-Identifier: Apache-2.0
// The options that every analysis has.
#pragma once

#include <string>
#include <vector>

#include "options.hpp"

namespace strata::cli {

struct AnalysisOptions {
  std::string file;                                     ///< Of `--fleet`.
  std::string output = "text";                          ///< One of `formats`.
  std::vector<std::string> formats = {"text", "json"};  ///< Set before `add_to`.
  bool exit_zero = false;
  SharedOptions options;

  void add_to(Arguments& command);
  [[nodiscard]] bool as_json() const { return output == "json"; }
  /// The exit status where there is something to tell, or nothing.
  [[nodiscard]] int status(bool has_something) const { return has_something && !exit_zero ? 1 : 0; }
};

}  // namespace strata::cli
