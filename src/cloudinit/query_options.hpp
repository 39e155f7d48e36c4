// SPDX-License-Identifier: Apache-2.0
// The options of a merge of cloud-init data.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "query/options.hpp"

namespace strata::cloudinit {

/// The values of the options. An empty string is an option that is not given.
struct QueryOptions {
  std::vector<std::string> parts;  ///< Files, weakest first. `-` is standard input, here and below.
  std::string vendor_data;
  std::string vendor_data2;
  std::vector<std::string> base;  ///< Files or folders, weakest first.
  std::string instance_data;
  std::string launch_index;
  std::string strategy;              ///< As `merge_how` names it.
  std::vector<std::string> mergers;  ///< `NAME=FILE.lua`
  std::string compat = "shipped";
  std::string schema;  ///< A file, or `builtin`.
  std::string schema_type = "cloud-config";
  bool lists_parts = false;
};

/// The options, in the order of the help.
[[nodiscard]] std::span<const query::OptionOf<QueryOptions>> query_options();

}  // namespace strata::cloudinit
