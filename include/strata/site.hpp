// A site of ARM-8 bindings, whole: its configuration, ENC, environments, layers with `hiera:`, extensions and query services, put together. From a
// folder and the facts of a node to the injector that answers for it.
//
//     const auto snapshot = strata::Snapshot::make(strata::Engine::make(), strata::host_tree());
//     strata::Session session(snapshot);
//     strata::site::Node node({.confdir = "/etc/site"}, {.name = "kermit.example.com", .facts = {{"facts.yaml", facts}}}, session);
//     node.injector().inject("ntp::servers").value;
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "strata/bindings.hpp"
#include "strata/file_tree.hpp"
#include "strata/hiera.hpp"
#include "strata/host.hpp"
#include "strata/session.hpp"

namespace strata::site {

/// A text that describes a request, with the name that places show.
struct NamedText {
  std::string name;
  std::string text;
};

/// Which site, and under which rules.
struct Settings {
  std::string confdir;                 ///< Absolute path in the tree: environments.pp, modules, bindings, strata.yaml.
  std::string environment_root = {};   ///< Absolute: the folder of the environment, whichever is chosen, as in a control repository; empty: none.
  std::string environments_file = {};  ///< Absolute; another file instead of environments.pp, to try it; empty: none.
  std::optional<NamedText> inventory = {};  ///< Resources for queries, instead of the services that strata.yaml names.
  hiera::Settings hiera = {};               ///< Of `hiera:` layers: keys, variables, working folder. Each node sets environment and configuration.
  bool strict = false;                      ///< Unknown variables and repeated keys of a hash literal are errors.
};

/// Whom a request is about.
struct NodeInputs {
  std::string name = {};                              ///< What it is called where its facts do not say it; may be empty.
  std::optional<NamedText> facts = {};                ///< YAML or JSON.
  std::optional<hiera::Facts> known_facts = {};       ///< Facts that were read already, instead; with what is known of its certificate.
  std::optional<NamedText> trusted = {};              ///< What is known of its certificate: members of `$trusted`, YAML or JSON.
  bool looks_for_facts = false;                       ///< Whether `facts_dir` of strata.yaml is asked where no facts are given.
  bool needs_site = false;                            ///< Whether a folder that holds nothing of a site is an error, rather than a warning.
  std::optional<NamedText> enc = {};                  ///< What an ENC says, instead of `enc_command` of strata.yaml.
  std::optional<std::string> agent_environment = {};  ///< None: that of the facts.
};

/// Whether a text can be the name of a node: letters, digits, `.`, `-` and `_`, and none of `.` and `-` at the beginning. Such a name goes into paths
/// and to programs.
[[nodiscard]] bool is_node_name(std::string_view name) noexcept;

namespace detail {
struct NodeState;
}  // namespace detail

/// What a site says of one node. What is read and compiled of the site (configuration, environments.pp, site.pp, documents, manifests, extensions,
/// Hiera) is the Snapshot's: each node but the first costs a small part of it. Not thread-safe: one a request.
class Node {
 public:
  /// Facts, ENC, environment, site.pp, documents. `session` must outlive it; values live as long as the node and the session's memory.
  /// Errors: `config.*`, `facts.*`, `enc.*`, `environment.*`, `category.*`, `layer.*`, `bindings.*`, `puppet.*`, `limit.*`; those of one step are
  /// thrown together (Errors).
  Node(const Settings& settings, const NodeInputs& inputs, Session& session);
  ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  /// Composes when it is first asked for. Errors: as Injector's.
  [[nodiscard]] bindings::Injector& injector();
  /// What Puppet takes from an external node classifier: `{classes, parameters, environment}`. A Data name (`ntp::servers`) is a parameter where a
  /// manifest declares that its class has one of that name. Errors: those of producers.
  [[nodiscard]] merge::Traced enc();

 private:
  std::unique_ptr<detail::NodeState> state_;
};

/// All that is wrong with a site for a node. Never throws for bad input.
[[nodiscard]] bindings::Findings check(const Settings& settings, const NodeInputs& inputs, Session& session);

}  // namespace strata::site
