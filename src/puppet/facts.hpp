// Files of facts, in all forms in which Puppet and people keep them.
#pragma once

#include <memory>
#include <string_view>

#include "strata/limits.hpp"
#include "strata/origin.hpp"
#include "strata/value.hpp"

namespace strata::puppet {

/// The facts of a node.
struct NodeFacts {
  std::shared_ptr<Arena> arena;
  Value values;  ///< A mapping; null where the text is empty.
};

/// Reads facts: JSON for `*.json`, YAML for `*.yaml` and `*.yml`, else JSON and then YAML; in YAML also what Puppet keeps of a node
/// (`!ruby/object:Puppet::Node::Facts` with `values`).
/// Errors: `facts.shape` where they are not a mapping, and those of the readers.
[[nodiscard]] NodeFacts read_facts(Sources& sources, SourceId source, std::string_view file_name, const Limits& limits);

}  // namespace strata::puppet
