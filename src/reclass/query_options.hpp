// SPDX-License-Identifier: Apache-2.0
// The options of a query of reclass's inventory.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "query/options.hpp"

namespace strata::reclass {

/// The values of the options. An empty string is an option that is not given.
struct QueryOptions {
  std::vector<std::string> nodes;
  std::optional<std::string> base;  ///< No value: the working folder, or what other folders show.
  std::string nodes_folder;
  std::string classes_folder;
  std::string compat;  ///< Empty: as the files show.
  bool all = false;
  std::string list;  ///< The file with the names of nodes. `-` is standard input.
  bool shows_exports = false;
  bool check = false;
};

/// The options, in the order of the help.
[[nodiscard]] std::span<const query::OptionOf<QueryOptions>> query_options();

}  // namespace strata::reclass
