// SPDX-License-Identifier: Apache-2.0
// The request of one node, with everything that answers it.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "bindings/extensions/extensions.hpp"
#include "bindings/extensions/registry.hpp"
#include "bindings/queries/service.hpp"
#include "bindings/request.hpp"
#include "bindings/request/configuration.hpp"
#include "bindings/request/prepare.hpp"
#include "bindings/services.hpp"
#include "bindings/site/hiera_layer.hpp"
#include "strata/session.hpp"
#include "strata/site.hpp"

namespace strata::site::detail {

/// State shared by the nodes of a site in one Snapshot. Thread-safe.
class SiteState {
 public:
  SiteState(const Settings& settings, Snapshot& snapshot, std::string name);
  /// The state in a Snapshot.
  [[nodiscard]] static SiteState& of(const Settings& settings, Snapshot& snapshot);

  /// The resources in the settings. Null if there are none.
  [[nodiscard]] bindings::QueryService* inventory(const Stop* stop);
  /// The extensions of the configuration and of an environment's modules: their contents and plugin processes. Each
  /// node opens a registry of them.
  [[nodiscard]] const bindings::extensions::Extensions& extensions(const bindings::Configuration& configuration,
                                                                   const bindings::Environment& environment,
                                                                   const Stop* stop);
  [[nodiscard]] bindings::Preparations& preparations() noexcept { return preparations_; }

 private:
  Snapshot& snapshot_;
  std::string name_;  ///< Identifies the site and its settings.
  Sources texts_;     ///< Strings that are not files of the configuration.
  std::optional<NamedText> inventory_text_;
  bindings::Preparations preparations_;
  std::timed_mutex mutex_;  ///< Guards everything below while it is opened.
  std::optional<SourceId> inventory_source_;
  std::unique_ptr<bindings::QueryService> inventory_;
  struct ModuleExtensions;
  std::map<std::vector<std::string>, std::shared_ptr<ModuleExtensions>> extensions_;  ///< By module path.
};

struct NodeState {
  NodeState(Settings of_site, Session& of_request);

  /// After an Error, `request` holds what was found before it.
  void prepare(const NodeInputs& inputs);
  [[nodiscard]] bindings::Services services();

  Settings settings;
  Session& session;
  SiteState& site;
  std::shared_ptr<const bindings::Configuration> configuration;
  std::shared_ptr<bindings::Request> request = std::make_shared<bindings::Request>();
  HieraLayers hiera;
  bindings::ParameterNames declared;
  std::unique_ptr<bindings::Registry> registry;
  std::unique_ptr<bindings::QueryService> puppetdb;
  std::unique_ptr<bindings::Injector> injector;
  bindings::Usage* usage = nullptr;
  Arena arena;  ///< For answers that are made here.

 private:
  [[nodiscard]] bindings::Facts read_facts(const NodeInputs& inputs);
  /// The given facts, or those in `facts_dir`.
  [[nodiscard]] bindings::Facts find_facts(const NodeInputs& inputs);
  [[nodiscard]] bindings::SchemeProvider* provider(std::string_view scheme);
  [[nodiscard]] bindings::Registry& open_registry();
  [[nodiscard]] bindings::QueryService* open_queries();
};

}  // namespace strata::site::detail
