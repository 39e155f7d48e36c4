// SPDX-License-Identifier: Apache-2.0
// The options of a rendering of Deckhand's documents.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "query/options.hpp"

namespace strata::deckhand {

/// The values of the options. An empty string is an option that is not given.
struct QueryOptions {
  std::vector<std::string> inputs;  ///< Files and folders. `-` is standard input.
  std::vector<std::string> schemas;
  std::vector<std::string> names;
  std::vector<std::string> layers;
  std::vector<std::string> labels;  ///< `KEY=VALUE`
  std::string pegleg_site;
  std::vector<std::string> repositories;  ///< `NAME=DIR`
  bool allows_missing_sources = false;
  bool cleartext_secrets = false;
  bool check = false;
  std::string compat = "promised";
};

/// The options, in the order of the help.
[[nodiscard]] std::span<const query::OptionOf<QueryOptions>> query_options();

}  // namespace strata::deckhand
