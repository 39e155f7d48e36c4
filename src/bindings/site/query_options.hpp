// SPDX-License-Identifier: Apache-2.0
// The options of queries of a site of ARM-8 bindings.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "query/options.hpp"

namespace strata::site {

/// The values of the options. An empty string is an option that is not given.
struct QueryOptions {
  std::optional<std::string> first;   ///< A type; the name if `second` is missing.
  std::optional<std::string> second;  ///< A name. Empty: the anonymous binding of the type.
  bool graph = false;
  bool all = false;
  bool classes = false;
  std::optional<std::string> parameters;  ///< A reference to a class or a resource.
  bool variables = false;
  std::optional<std::string> default_value;  ///< JSON.
  std::optional<std::string> confdir;        ///< No value: as $STRATA_CONFDIR says, else the working folder.
  std::string environment_root;
  std::vector<std::string> maps;  ///< `FROM=DIR`
  std::string environments;       ///< A file.
  std::string facts;              ///< A file. `-` is standard input, here and below.
  std::string trusted;            ///< A file.
  std::string enc;                ///< A file.
  std::optional<std::string> agent_environment;
  std::string inventory;  ///< A file.
  std::string node;
  std::string nodes;  ///< The file, the folder or the pattern of a fleet.
  bool mask = false;
};

using Options = std::span<const query::OptionOf<QueryOptions>>;

/// The type and the name, as arguments.
[[nodiscard]] Options item_options();
/// The options of an injection that prints something else than the value of a name.
[[nodiscard]] Options injection_options();
/// The option of an explanation that prints something else than the history of a value.
[[nodiscard]] Options explanation_options();
/// The site and its node. `names_node`: with the node, the fleet and the mask; without them the node is an argument.
[[nodiscard]] Options site_options(bool names_node);

}  // namespace strata::site
