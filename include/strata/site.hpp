// A site of ARM-8 bindings, whole: its configuration, ENC, environments, layers with `hiera:`, extensions and query services, put together. From a
// folder and the facts of a node to the injector that answers for it.
//
//     const auto tree = strata::host_tree();
//     strata::site::Site site({.confdir = "/etc/site"}, *tree, sources, limits, nullptr);
//     const auto node = site.open({.name = "kermit.example.com", .facts = {{"facts.yaml", facts}}}, diagnostics);
//     node->injector().inject("ntp::servers").value;
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "strata/bindings.hpp"
#include "strata/file_tree.hpp"
#include "strata/hiera.hpp"
#include "strata/host.hpp"

namespace strata::site {

/// A text that describes a request, with the name that places show.
struct NamedText {
  std::string name;
  std::string text;
};

/// Which site, and under which rules.
struct Settings {
  std::string confdir;                      ///< Absolute path in the tree: environments.pp, modules, bindings, strata.yaml.
  std::string environments_file = {};       ///< Absolute; another file instead of environments.pp, to try it; empty: none.
  std::optional<NamedText> inventory = {};  ///< Resources for queries, instead of the services that strata.yaml names.
  hiera::Settings hiera = {};               ///< Of `hiera:` layers: keys, variables, working folder. Each node sets environment and configuration.
  bool strict = false;                      ///< Unknown variables and repeated keys of a hash literal are errors.
};

/// Whom a request is about.
struct NodeInputs {
  std::string name = {};                              ///< What it is called where its facts do not say it; may be empty.
  std::optional<NamedText> facts = {};                ///< YAML or JSON.
  bool looks_for_facts = false;                       ///< Whether `facts_dir` of strata.yaml is asked where no facts are given.
  std::optional<NamedText> enc = {};                  ///< What an ENC says, instead of `enc_command` of strata.yaml.
  std::optional<std::string> agent_environment = {};  ///< None: that of the facts.
};

namespace detail {
struct SiteState;
struct NodeState;
}  // namespace detail

/// What a site says of one node. It owns all that answers point into. Not thread-safe.
class Node {
 public:
  ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  /// Composes when it is first asked for. Errors: as Injector's.
  [[nodiscard]] bindings::Injector& injector();
  /// What Puppet takes from an external node classifier: `{classes, parameters, environment}`. A Data name (`ntp::servers`) is a parameter where a
  /// manifest declares that its class has one of that name. Errors: those of producers.
  [[nodiscard]] merge::Traced enc();

 private:
  friend class Site;
  explicit Node(std::unique_ptr<detail::NodeState> state);
  std::unique_ptr<detail::NodeState> state_;
};

/// An opened site. Nodes share its parsed documents and what is prepared of them: each but the first costs a small part of it. Not thread-safe.
class Site {
 public:
  /// Nothing is read yet. All that is referred to must outlive the site.
  /// `host`: programs, plugins and servers that configuration names; null: there are none.
  Site(Settings settings, const FileTree& tree, Sources& sources, const Limits& limits, Host* host);
  ~Site();
  Site(const Site&) = delete;
  Site& operator=(const Site&) = delete;

  /// Facts, ENC, environment, site.pp, documents (steps 1 to 7 of a request). The node must not outlive the site, nor what else it is given.
  /// `recorder`: where provenance is recorded; it must outlive the node.
  /// Errors: `config.*`, `facts.*`, `enc.*`, `environment.*`, `category.*`, `layer.*`, `bindings.*`, `puppet.*`, `limit.*`; those of one step are
  /// thrown together (Errors).
  [[nodiscard]] std::unique_ptr<Node> open(const NodeInputs& inputs, Diagnostics& diagnostics, merge::Recorder& recorder);
  /// All that is wrong with the site for a node. Never throws for bad input.
  [[nodiscard]] bindings::Findings check(const NodeInputs& inputs);

 private:
  std::unique_ptr<detail::SiteState> state_;
};

}  // namespace strata::site
