// reclass 1.7: what the files of an inventory say of a node.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "strata/merge.hpp"
#include "strata/session.hpp"

namespace strata::reclass {

/// Where an inventory is.
struct Settings {
  std::string nodes = "nodes";      ///< The folder of the nodes. A file anywhere below it is the node of its name.
  std::string classes = "classes";  ///< The folder of the classes: `a/b.yml` is the class `a.b`, `a/init.yml` is `a`.
};

/// The names of all nodes, in byte order. Errors: `reclass.folder`, `reclass.duplicate`.
[[nodiscard]] std::vector<std::string> node_names(const Settings& settings, Session& session);

/// One question.
struct Request {
  Settings settings = {};
  std::string node = {};
};

/// The answer.
struct Result {
  merge::Traced node;                  ///< A mapping of `applications`, `classes`, `environment` and `parameters`.
  std::shared_ptr<const void> memory;  ///< Keeps the value alive after the Session ends.
};

/// Merges the classes of a node, each once and depth first, and the node over them. A history has a layer for each class, by its name, one for the
/// node, and `<automatic>` for the parameter `_reclass_`.
/// Warning: `reclass.repeated-key`. Errors: `reclass.*`, `limit.result`, `limit.depth`, those of the YAML reader. References that lead nowhere are
/// reported together. Cost: linear in the merged classes, whose files are parsed once for a Snapshot. Rule: docs/reclass/inventory.md.
[[nodiscard]] Result inventory(const Request& request, Session& session);

/// The result of one node of many.
struct NodeText {
  std::string node;
  std::string text;                   ///< Empty if there is a failure.
  std::vector<Diagnostic> warnings;   ///< Nodes of one class repeat them.
  std::optional<Diagnostic> failure;  ///< Why there is no result. The message names the node.
};

/// Writes a result. Called by several threads.
using WriteNode = std::function<std::string(const std::string& node, const Value& result)>;

/// Asks for many nodes, on the threads of the Engine's executor. Each node has a session of its own below `session`. `sink` receives the results in
/// the order of `nodes`, in the calling thread. Memory does not grow with the number of nodes. Errors: those of the inventory's folders, and those
/// that end the request. What is wrong with a node is its failure.
void inventories(const Settings& settings, std::span<const std::string> nodes, const WriteNode& write, Session& session,
                 const std::function<void(NodeText&& result)>& sink);

}  // namespace strata::reclass
