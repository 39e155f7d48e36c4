// SPDX-License-Identifier: Apache-2.0
// Hiera for a whole fleet: one query, many nodes, all cores. docs/hiera/fleet.md.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "strata/hiera.hpp"
#include "strata/host.hpp"

namespace strata::hiera {

/// A node whose facts have not been read yet.
struct FleetNode {
  std::string name;  ///< For messages. May be empty until the facts are read.
  /// Reads the facts, with the node's name. Called once, in the thread that looks up the node. Texts go to `sources`.
  /// A LookupError means that the facts of this node are bad; LookupError::name gives the node if its name was not
  /// known. Any other Error ends the run.
  std::function<Facts(Sources& sources)> facts;
  std::function<Excerpt()> where =
      {};  ///< Where a list has it; lives as long as the NodeSource. Empty: not known, or it is of a folder.
};

/// A sequence of nodes. Its members are called by one thread at a time.
class NodeSource {
 public:
  virtual ~NodeSource() = default;
  /// The next node. No value at the end. An Error ends the run.
  [[nodiscard]] virtual std::optional<FleetNode> next() = 0;
  /// The number of nodes, if known.
  [[nodiscard]] virtual std::optional<std::size_t> size() const { return std::nullopt; }
};

/// Whether a path is a pattern of facts files: `facts/*.yaml`.
[[nodiscard]] bool is_node_pattern(std::string_view path);
/// The nodes of a folder, or of a pattern of its files: one facts file per node, NAME.yaml, NAME.yml or NAME.json.
/// Other files are ignored. The order is the byte order of the names. `tree` must outlive the result. Errors:
/// `fleet.folder`, `fleet.duplicate-node`. An error in a facts file belongs to its node.
[[nodiscard]] std::unique_ptr<NodeSource> node_folder(const FileTree& tree, const std::string& folder,
                                                      const Limits& limits);

/// The nodes of a list in JSON or YAML: of `{name, facts, trusted}`, or an answer of PuppetDB about its inventory
/// (`{certname, facts, trusted}`) or its facts (`{certname, name, value}`, grouped by certname). JSON is read node by
/// node, in memory that does not grow with the list. YAML and rows of facts are read whole into `sources`, which must
/// outlive the list. `file` is the name in places. A name that ends in `.yaml` or `.yml` means YAML; otherwise a text
/// that begins with `[` is JSON. Errors: `fleet.list`, `fleet.node`, `facts.trusted`, those of read_facts and of the
/// readers. They end the run.
[[nodiscard]] std::unique_ptr<NodeSource> node_list(ReadMore read, std::string file, Sources& sources,
                                                    const Limits& limits);

/// How results are written.
enum class FleetForm {
  json_member,  ///< `  "NODE": RESULT`, as in a mapping with an indent of two.
  json_line,    ///< `{"NODE": RESULT}` and a line break.
  custom,
};

struct FleetQuery {
  Query query;       ///< Asked for each node. Its block is called by several threads.
  bool all = false;  ///< Ask for every root key instead of the query's names. The result is a mapping.
  FleetForm form = FleetForm::json_member;
  bool masks = false;                                                                    ///< Show `******` for secrets.
  bool sort_keys = false;                                                                ///< For the JSON forms.
  std::function<std::string(const std::string& node, const Value& result)> custom = {};  ///< Called by several threads.
};

/// The result of one node.
struct FleetResult {
  std::string node;
  std::string text;                  ///< Empty if there is a failure.
  std::vector<Diagnostic> warnings;  ///< In order. Nodes that share results repeat them.
  /// With FleetQuery::all: why keys are missing from the result. Messages name the key, not the node.
  std::vector<Diagnostic> failed_keys;
  std::optional<Diagnostic> failure;    ///< Why there is no result. The message names node and key.
  std::function<Excerpt()> where = {};  ///< As FleetNode::where.
};

/// Whether an error of a lookup concerns the whole run (its configuration, its query), not the data of one node.
[[nodiscard]] bool ends_run(const Error& error);

/// Receives the results in the order of the nodes, in the calling thread.
using FleetSink = std::function<void(FleetResult&& result)>;

/// Runs a query for many nodes on several threads. Each node has a session of its own below `session`. Nodes whose
/// paths resolve alike share results. If Settings::share_files is false, memory does not grow with the number of nodes.
/// Errors: those of the configuration and the query, thrown after the results of the nodes before. A problem with one
/// node is its failure.
void fleet(const Settings& settings, NodeSource& nodes, const FleetQuery& query, Session& session,
           const FleetSink& sink);

}  // namespace strata::hiera
