// SPDX-License-Identifier: Apache-2.0
// Data of nodes: facts and trusted facts, in all forms of Puppet, PuppetDB and hand-written files.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "strata/limits.hpp"
#include "strata/origin.hpp"
#include "strata/value.hpp"

namespace strata::puppet {

/// The facts of a node, with other data from the same file.
struct NodeFacts {
  std::shared_ptr<Arena> arena;
  Value values;           ///< A mapping. Null if the text is empty.
  std::string name = {};  ///< The node's name in the file. Empty if there is none.
  Value trusted = {};     ///< The trusted facts in the file, a mapping. Absent if there are none.
};

/// Reads the facts of one node. `*.json` is JSON; `*.yaml` and `*.yml` are YAML; for other names, JSON is tried first,
/// then YAML. The text is a mapping of names to values, or Puppet's cache of a node (`{name, values, timestamp,
/// expiration}`, with or without the YAML tag
/// `!ruby/object:Puppet::Node::Facts`), or an answer of PuppetDB (see nodes_of), in which `node` selects one of several
/// by certname. Errors: `facts.shape` if it has another form, or the answer does not have exactly one such node; those
/// of nodes_of and of the readers.
[[nodiscard]] NodeFacts read_facts(Sources& sources, SourceId source, std::string_view file_name, const Limits& limits,
                                   std::string_view node = {});

/// One node of a list: `{name, facts, trusted}`, or `{certname, facts, trusted, timestamp, environment}` as in
/// PuppetDB's inventory. Missing facts are an empty mapping in `arena`, which keeps the item alive. Error `fleet.node`:
/// it has another form or an unknown member.
[[nodiscard]] NodeFacts node_of(const Sources& sources, const Value& item, std::shared_ptr<Arena> arena);
/// Whether an item is a row of PuppetDB's facts: `{certname, environment, name, value}`.
[[nodiscard]] bool is_fact_row(const Value& item);
/// The nodes of an answer of PuppetDB: of its inventory, or of its facts, whose rows are grouped by certname in the
/// order of first occurrence. `arena` keeps the answer alive. Errors: `fleet.node`.
[[nodiscard]] std::vector<NodeFacts> nodes_of(const Sources& sources, const Value& answer,
                                              const std::shared_ptr<Arena>& arena);

/// Reads trusted facts: a JSON or YAML mapping, by the same rule as read_facts. An empty text is an empty mapping.
/// Errors: those of check_trusted and of the readers.
[[nodiscard]] NodeFacts read_trusted(Sources& sources, SourceId source, std::string_view file_name,
                                     const Limits& limits);
/// Error `facts.trusted`: it is not a mapping, or has a member that `$trusted` does not have.
void check_trusted(const Sources& sources, const Value& trusted);
/// The value of `$trusted`: `given`, completed from its certname, or else from the fact `clientcert`.
[[nodiscard]] Value trusted_of(const Value& facts, const Value& given, Arena& arena);

}  // namespace strata::puppet
