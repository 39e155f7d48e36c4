// SPDX-License-Identifier: Apache-2.0
// The options of a combination of Heat's environment files, and of the queries of its inputs.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "query/options.hpp"

namespace strata::heat {

/// The values of the options. An empty string is an option that is not given.
struct QueryOptions {
  std::vector<std::string> environments;  ///< Files, weakest first. `-` is standard input, here and below.
  std::vector<std::string> environment_folders;
  std::string environment_body;
  std::vector<std::string> parameters;  ///< `K=V`
  std::string template_file;
  std::vector<std::string> files;
  std::string existing;
  std::vector<std::string> cleared_parameters;
  std::string compat = "promised";
  std::string save_state;
  std::vector<std::string> pre_create;  ///< Names of resources.
  std::vector<std::string> pre_update;  ///< Names of resources.
  bool mask = false;
};

/// The options, in the order of the help.
[[nodiscard]] std::span<const query::OptionOf<QueryOptions>> query_options();
/// Those of them that name the inputs.
[[nodiscard]] std::span<const query::OptionOf<QueryOptions>> input_options();
/// Those of them that name the hooks of resources.
[[nodiscard]] std::span<const query::OptionOf<QueryOptions>> hook_options();

}  // namespace strata::heat
