// SPDX-License-Identifier: Apache-2.0
// A complete site of ARM-8 bindings: configuration, ENC, environments, layers with `hiera:`, extensions and query
// services. From a folder and the facts of a node it makes the injector of the node.
//
//     const auto snapshot = strata::Snapshot::make(strata::Engine::make(), strata::host_tree());
//     strata::Session session(snapshot);
//     strata::site::Node node({.confdir = "/etc/site"}, {.name = "kermit.example.com", .facts = {{"facts.yaml",
//     facts}}}, session); node.injector().inject("ntp::servers").value;
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "strata/bindings.hpp"
#include "strata/file_tree.hpp"
#include "strata/hiera.hpp"
#include "strata/host.hpp"
#include "strata/named_text.hpp"
#include "strata/session.hpp"

namespace strata::site {

using strata::NamedText;

/// The site and its rules.
struct Settings {
  std::string confdir;  ///< Absolute path in the tree: environments.pp, modules, bindings, strata.yaml.
  /// Absolute path of the environment's folder, for every environment name, as in a control repository. Empty: none.
  std::string environment_root = {};
  std::string environments_file = {};  ///< Absolute path of a file to use instead of environments.pp. Empty: none.
  /// Resources for queries, instead of the services that strata.yaml names.
  std::optional<NamedText> inventory = {};
  /// For `hiera:` layers: keys, variables, working directory. Each node sets environment and configuration.
  hiera::Settings hiera = {};
  bool strict = false;  ///< Unknown variables and duplicate keys in a hash literal are errors.
};

/// The node that a request is about.
struct NodeInputs {
  std::string name = {};                ///< The node's name if its facts do not contain one. May be empty.
  std::optional<NamedText> facts = {};  ///< YAML or JSON.
  std::optional<hiera::Facts> known_facts =
      {};                                 ///< Facts that are already read, to use instead. May include trusted facts.
  std::optional<NamedText> trusted = {};  ///< Trusted facts: members of `$trusted`, as YAML or JSON.
  bool looks_for_facts = false;           ///< Look in `facts_dir` of strata.yaml if no facts are given.
  bool needs_site = false;                ///< A folder that contains nothing of a site is an error, not a warning.
  std::optional<NamedText> enc = {};      ///< The output of an ENC, instead of running `enc_command` of strata.yaml.
  std::optional<std::string> agent_environment = {};  ///< No value: the environment in the facts.
  bindings::Usage* usage =
      nullptr;  ///< Learns which statements count for the node. It must outlive the node. May be null.
};

/// Whether a text is a valid node name: letters, digits, `.`, `-` and `_`, not beginning with `.` or `-`. Node names
/// are used in paths and as arguments of programs.
[[nodiscard]] bool is_node_name(std::string_view name) noexcept;

namespace detail {
struct NodeState;
}  // namespace detail

/// What Node::enc gives, as a classifier prints it: YAML that Psych reads.
[[nodiscard]] std::string enc_text(const Value& enc, bool sort_keys = false);

/// A node of a site. The Snapshot holds everything that is read and compiled for the site (configuration,
/// environments.pp, site.pp, documents, manifests, extensions, Hiera), so that further nodes cost little. Not
/// thread-safe: one per request.
class Node {
 public:
  /// Reads facts, ENC, environment, site.pp and documents. `session` must outlive the node. Values live as long as the
  /// node and the session's memory. Errors: `config.*`, `facts.*`, `enc.*`, `environment.*`, `category.*`, `layer.*`,
  /// `bindings.*`, `puppet.*`, `limit.*`. Errors of one step are thrown together (Errors).
  Node(const Settings& settings, const NodeInputs& inputs, Session& session);
  ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  /// Made by the first call. Errors: as the constructor of Injector.
  [[nodiscard]] bindings::Injector& injector();
  /// The answer of an external node classifier for Puppet: `{classes, parameters, environment}`. A Data name
  /// (`ntp::servers`) is a parameter if a manifest declares a parameter of this name in the class. Errors: those of
  /// producers.
  [[nodiscard]] merge::Traced enc();

 private:
  std::unique_ptr<detail::NodeState> state_;
};

/// Finds all problems of a site for a node. Throws only errors that end the request.
[[nodiscard]] bindings::Findings check(const Settings& settings, const NodeInputs& inputs, Session& session);

}  // namespace strata::site
