// SPDX-License-Identifier: Apache-2.0
// Queries of the exports of all nodes: `$[ exports:ip if exports:role == self:role ]`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "strata/origin.hpp"
#include "strata/value.hpp"

namespace strata::reclass {

/// Compares an export of a node with a value, or with a parameter of the node that has the query.
struct QueryTest {
  std::string path;           ///< Of the export, without `exports:`.
  bool is_of_self = false;    ///< `own_path` counts, not `value`.
  std::string own_path = {};  ///< Of the parameter, without `self:`.
  Value value = {};           ///< A string, a number or a boolean; absent if the test names exports only.
  bool is_equal = true;       ///< `==`. Otherwise `!=`.
  bool is_and = true;         ///< How it is joined with the tests before it, from left to right.
};

/// A query. Nodes without the export `path` are left out.
struct Query {
  bool ignores_errors = false;    ///< `+IgnoreErrors`: exports that refer to nothing count as missing.
  bool all_environments = false;  ///< `+AllEnvs`. Otherwise only nodes with the environment of the querying node count.
  bool lists_nodes = false;       ///< The result is a list of names. Otherwise a mapping from names to values.
  std::string path = {};          ///< Of the export that is the value, without its first step.
  std::vector<QueryTest> tests = {};
};

/// Reads a query, without `$[` and `]`. `arena` owns the values in it. Error `reclass.query` at `place`.
[[nodiscard]] Query parse_query(Arena& arena, std::string_view text, const Sources& sources, Origin place);

}  // namespace strata::reclass
