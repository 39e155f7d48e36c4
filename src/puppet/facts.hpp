// What describes nodes: their facts and certificates, in all forms in which Puppet, PuppetDB and people keep them.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "strata/limits.hpp"
#include "strata/origin.hpp"
#include "strata/value.hpp"

namespace strata::puppet {

/// The facts of a node, with what else stood beside them.
struct NodeFacts {
  std::shared_ptr<Arena> arena;
  Value values;           ///< A mapping; null where the text is empty.
  std::string name = {};  ///< What the file calls the node; empty where it does not.
  Value trusted = {};     ///< What the file says of the node's certificate, a mapping; absent where it says nothing.
};

/// Reads the facts of one node: JSON for `*.json`, YAML for `*.yaml` and `*.yml`, else JSON and then YAML. They are a mapping of names to values; or
/// what Puppet caches of a node (`{name, values, timestamp, expiration}`, in YAML also with the tag `!ruby/object:Puppet::Node::Facts`); or an answer
/// of PuppetDB (see nodes_of), of which `node` says the certname where there are several.
/// Errors: `facts.shape` where they are none of these, and where the answer has not exactly one such node; those of nodes_of and of the readers.
[[nodiscard]] NodeFacts read_facts(Sources& sources, SourceId source, std::string_view file_name, const Limits& limits, std::string_view node = {});

/// One node of a list: `{name, facts, trusted}`, or as PuppetDB's inventory has it, `{certname, facts, trusted, timestamp, environment}`. Facts may
/// be missing: then they are an empty mapping in `arena`, which keeps the item alive.
/// Error `fleet.node`: it is none of these, or has a member that is unknown.
[[nodiscard]] NodeFacts node_of(const Sources& sources, const Value& item, std::shared_ptr<Arena> arena);
/// Whether an item is a row of PuppetDB's facts: `{certname, environment, name, value}`.
[[nodiscard]] bool is_fact_row(const Value& item);
/// The nodes of an answer of PuppetDB: of its inventory, or of its facts, whose rows are grouped by certname in the order of the first ones. `arena`
/// keeps the answer alive. Errors: `fleet.node`.
[[nodiscard]] std::vector<NodeFacts> nodes_of(const Sources& sources, const Value& answer, const std::shared_ptr<Arena>& arena);

/// Reads what is known of a node's certificate: a JSON or YAML mapping, by the same rule as read_facts. An empty text is an empty mapping.
/// Errors: those of check_trusted and of the readers.
[[nodiscard]] NodeFacts read_trusted(Sources& sources, SourceId source, std::string_view file_name, const Limits& limits);
/// Error `facts.trusted`: it is not a mapping, or has a member that `$trusted` has not.
void check_trusted(const Sources& sources, const Value& trusted);
/// The value of `$trusted`: what is `given`, and for the rest what follows from its certname, or else from the fact `clientcert`.
[[nodiscard]] Value trusted_of(const Value& facts, const Value& given, Arena& arena);

}  // namespace strata::puppet
