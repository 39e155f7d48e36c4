// SPDX-License-Identifier: Apache-2.0
// The options of a lookup.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "query/options.hpp"
#include "strata/hiera.hpp"

namespace strata::hiera {

/// The values of the options. An empty string is an option that is not given.
struct QueryOptions {
  std::vector<std::string> keys;
  std::string codedir;
  std::string environment = "production";
  std::string environment_root;
  std::string hiera_config;
  std::vector<std::string> maps;  ///< `FROM=DIR`
  std::string facts;              ///< A file. `-` is standard input, here and below.
  std::string trusted;            ///< A file.
  std::string server_facts;       ///< A file.
  std::string nodes;              ///< The file, the folder or the pattern of a fleet.
  std::string node;
  std::optional<std::string> merge;
  std::optional<std::string> knockout_prefix;
  bool sort_merged_arrays = false;
  bool merge_hash_arrays = false;
  std::optional<std::string> type;
  std::optional<std::string> default_value;
  bool explain_options = false;
  std::optional<std::string> render_as;
  bool all = false;
  bool mask = false;
  std::string compat = "openvox";
};

/// Options that sites of bindings have, too.
inline constexpr query::Option kMapOption{
    .name = "map",
    .value_name = "FROM=DIR",
    .help = "a folder of a server, as files of Hiera name it, and the folder that holds its files here"};
inline constexpr query::Option kNodesOption{
    .name = "nodes",
    .value_name = "FILE|DIR",
    .help =
        "a whole fleet: a JSON or YAML list of {name, facts, trusted}, an answer of PuppetDB, or a folder or pattern "
        "of facts files NAME.yaml, NAME.json"};

/// The release that a value of `compat` names; some have an older name, too. The name must be one of the choices.
[[nodiscard]] Compat compat_named(std::string_view name);

/// The options, in the order of the help.
[[nodiscard]] std::span<const query::OptionOf<QueryOptions>> query_options();

}  // namespace strata::hiera
