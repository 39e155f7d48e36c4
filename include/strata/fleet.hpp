// Hiera for a whole fleet: one query, many nodes, all cores. docs/hiera/fleet.md.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "strata/hiera.hpp"

namespace strata::hiera {

/// A node whose facts nobody has read yet.
struct FleetNode {
  std::string name;  ///< As far as it is known before its facts are; for messages.
  /// Gives the facts, with the node's name. Called once, in the thread that looks the node up; texts go to `sources`.
  /// A LookupError says that this node's facts are bad, and LookupError::name who the node is where that was not known; any other Error ends the run.
  std::function<Facts(Sources& sources)> facts;
};

/// Where nodes come from, one after the other. Members are called by one thread at a time.
class NodeSource {
 public:
  virtual ~NodeSource() = default;
  /// The next node; none at the end. Errors end the run.
  [[nodiscard]] virtual std::optional<FleetNode> next() = 0;
  /// How many nodes there are in all, where that is known.
  [[nodiscard]] virtual std::optional<std::size_t> size() const { return std::nullopt; }
};

/// A folder with a facts file a node, NAME.yaml, NAME.yml or NAME.json; others are passed over. In byte order of the names.
/// `tree` must outlive it. Errors: `fleet.folder`, `fleet.duplicate-node`; those of a facts file are the node's.
[[nodiscard]] std::unique_ptr<NodeSource> node_folder(const FileTree& tree, const std::string& folder, const Limits& limits);

/// Gives the next bytes of a text, as many as it likes; nothing at the end.
using ReadMore = std::function<std::string()>;
/// A JSON or YAML list of `{name, facts, trusted}`, or an answer of PuppetDB to a query of its inventory (`{certname, facts, trusted}`) or facts
/// (`{certname, name, value}`, grouped by certname). JSON is read node by node and takes no memory that grows with it; YAML and rows of facts are
/// read whole, into `sources`, which must outlive the list. `file`: the name that places show; `.yaml` and `.yml` are YAML, else what begins with `[`
/// is JSON. Errors: `fleet.list`, `fleet.node`, `facts.trusted`, those of read_facts and of the readers; they end the run.
[[nodiscard]] std::unique_ptr<NodeSource> node_list(ReadMore read, std::string file, Sources& sources, const Limits& limits);

/// How results become text.
enum class FleetForm {
  json_member,  ///< `  "NODE": RESULT`, as within a mapping that is written with an indent of two.
  json_line,    ///< `{"NODE": RESULT}` and a line break.
  custom,
};

struct FleetQuery {
  Query query;           ///< Asked of each node. Its block is called by several threads.
  bool all = false;      ///< Instead of the query's names: every root key, as a mapping.
  unsigned threads = 0;  ///< 0: one a core. Results do not depend on it.
  FleetForm form = FleetForm::json_member;
  bool masks = false;                                                                    ///< Show `******` for secrets.
  bool sort_keys = false;                                                                ///< Of the JSON forms.
  std::function<std::string(const std::string& node, const Value& result)> custom = {};  ///< Called by several threads.
};

/// What a node came to.
struct FleetResult {
  std::string node;
  std::string text;                     ///< Empty where there is a failure.
  std::vector<Diagnostic> warnings;     ///< In order. Nodes that share results repeat them.
  std::vector<Diagnostic> failed_keys;  ///< With FleetQuery::all: why keys are left out of the result. The messages name the key, not the node.
  std::optional<Diagnostic> failure;    ///< Why there is no result: the message names node and key.
};

/// Whether an error of a lookup says that the run is wrong (its configuration, its query), rather than what this node finds in its data.
[[nodiscard]] bool ends_run(const Error& error);

/// Takes the results, in the order of the nodes, in the thread that asked.
using FleetSink = std::function<void(FleetResult&& result)>;

/// Asks a query of many nodes, on several threads, each in a session of its own below `session`. Nodes whose paths resolve alike share results.
/// Where Settings::share_files is false, memory does not grow with the number of nodes.
/// Errors: of the configuration and the query, once the results of the nodes before are given; what is wrong with one node is its failure.
void fleet(const Settings& settings, NodeSource& nodes, const FleetQuery& query, Session& session, const FleetSink& sink);

}  // namespace strata::hiera
