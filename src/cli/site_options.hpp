// SPDX-License-Identifier: Apache-2.0
// The shared options of commands that use a site.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "command.hpp"
#include "strata/site.hpp"

namespace strata::cli {

/// The site and the node.
class SiteOptions {
 public:
  /// `names_node`: whether there is `--node`. False for commands whose node is an argument.
  void add_to(Arguments& command, bool names_node);
  /// Reads the inputs from the host. Throws UsageError, Error.
  void prepare(Host& host);
  /// For commands whose node is an argument: its facts are searched if none are given.
  void set_node(std::string name);

  [[nodiscard]] site::Settings settings(bool strict, const std::shared_ptr<const FileBounds>& bounds = nullptr) const;
  [[nodiscard]] const site::NodeInputs& node() const noexcept { return node_; }
  /// The argument of `--nodes`. Empty if there is only one node.
  [[nodiscard]] const std::string& nodes() const noexcept { return nodes_; }
  /// The inputs of one of those nodes.
  [[nodiscard]] site::NodeInputs node(const hiera::Facts& facts) const;
  /// For suggestions: calls with the node of the options, or with each one that is known if they name none, or with one
  /// of which nothing is known. No ENC runs.
  void each_node(Host& host, Session& session, const std::function<void(const site::NodeInputs& node)>& call) const;
  /// As Command::suggest.
  void suggest(std::string_view kind, Host& host, Session& session, const AddSuggestion& add) const;
  /// Whether secrets are masked.
  [[nodiscard]] bool masks() const noexcept { return mask_; }
  /// The folder of the site, as named by the user.
  [[nodiscard]] const std::string& confdir() const noexcept { return confdir_; }

 private:
  void each_known(Host& host, Session& session, const std::function<void(const hiera::Facts& facts)>& call) const;

  std::string confdir_;
  Option confdir_option_;
  std::string environment_root_;
  std::vector<std::string> maps_;
  std::string environments_file_;
  std::string facts_name_;
  std::string trusted_name_;
  std::string enc_name_;
  std::string inventory_name_;
  std::string nodes_;
  bool mask_ = false;
  std::string agent_environment_;
  Option agent_option_;
  site::NodeInputs node_;
  std::optional<site::NamedText> inventory_;
};

}  // namespace strata::cli
