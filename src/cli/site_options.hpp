// SPDX-License-Identifier: Apache-2.0
// The inputs that the options of a site name, for commands that use a site.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "bindings/site/query_options.hpp"
#include "command.hpp"
#include "strata/site.hpp"

namespace strata::cli {

/// The site and the node that options name. The options must outlive it.
class SiteOptions {
 public:
  explicit SiteOptions(const site::QueryOptions& given) : given_(given) {}
  /// Reads the inputs from the host. Throws UsageError, Error.
  void prepare(Host& host);
  /// For commands whose node is an argument: its facts are searched if none are given.
  void set_node(std::string name);

  [[nodiscard]] site::Settings settings(bool strict, const std::shared_ptr<const FileBounds>& bounds = nullptr) const;
  [[nodiscard]] const site::NodeInputs& node() const noexcept { return node_; }
  /// The argument of `--nodes`. Empty if there is only one node.
  [[nodiscard]] const std::string& nodes() const noexcept { return given_.nodes; }
  /// The inputs of one of those nodes.
  [[nodiscard]] site::NodeInputs node(const hiera::Facts& facts) const;
  /// For suggestions: calls with the node of the options, or with each one that is known if they name none, or with one
  /// of which nothing is known. No ENC runs.
  void each_node(Host& host, Session& session, const std::function<void(const site::NodeInputs& node)>& call) const;
  /// As Command::suggest.
  void suggest(std::string_view kind, Host& host, Session& session, const AddSuggestion& add) const;
  /// Whether secrets are masked.
  [[nodiscard]] bool masks() const noexcept { return given_.mask; }
  /// The folder of the site, as named by the user.
  [[nodiscard]] std::string confdir() const;

 private:
  void each_known(Host& host, Session& session, const std::function<void(const hiera::Facts& facts)>& call) const;

  const site::QueryOptions& given_;
  site::NodeInputs node_;
  std::optional<site::NamedText> inventory_;
};

}  // namespace strata::cli
