// One node's request, with everything that answers it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bindings/extensions/extensions.hpp"
#include "bindings/extensions/registry.hpp"
#include "bindings/queries/service.hpp"
#include "bindings/request.hpp"
#include "bindings/request/configuration.hpp"
#include "bindings/request/documents.hpp"
#include "bindings/request/prepare.hpp"
#include "site/context.hpp"
#include "site/hiera_layer.hpp"
#include "strata/site.hpp"

namespace strata::site::detail {

/// What the nodes of a site have in common.
struct SiteState {
  SiteState(Settings of_site, const FileTree& of_tree, Sources& of_sources, const Limits& of_limits, Host* of_host);

  Settings settings;
  const FileTree& tree;
  Sources& sources;
  const Limits& limits;
  Host* host;
  bindings::DocumentStore documents;
  bindings::Preparations preparations;
  CodeDirectories hiera;

  /// What strata.yaml says.
  [[nodiscard]] const bindings::Configuration& configuration();
  /// The resources that the settings give; null where they give none.
  [[nodiscard]] bindings::QueryService* inventory();
  /// The parameters that the manifests of an environment's modules declare.
  [[nodiscard]] const bindings::ParameterNames& declared(const bindings::Environment& environment);

 private:
  std::optional<bindings::Configuration> configuration_;
  std::unique_ptr<bindings::QueryService> inventory_;
  std::map<std::vector<std::string>, bindings::ParameterNames> declared_;  ///< By modulepath.
};

struct NodeState {
  NodeState(SiteState& of_site, Diagnostics& diagnostics, merge::Recorder& recorder);

  /// After an Error, what was found before it is in `request`.
  void prepare(const NodeInputs& inputs);
  [[nodiscard]] bindings::Services services();

  SiteState& site;
  Context context;
  std::shared_ptr<bindings::Request> request = std::make_shared<bindings::Request>();
  HieraLayers hiera;
  std::unique_ptr<bindings::extensions::Extensions> extensions;
  std::unique_ptr<bindings::Registry> registry;
  std::unique_ptr<bindings::QueryService> puppetdb;
  std::unique_ptr<bindings::Injector> injector;
  Arena arena;  ///< Of answers that are put together here.

 private:
  [[nodiscard]] bindings::Facts read_facts(const NodeInputs& inputs);
  [[nodiscard]] bindings::SchemeProvider* provider(std::string_view scheme);
  [[nodiscard]] bindings::Registry& open_registry();
  [[nodiscard]] bindings::QueryService* open_queries();
};

}  // namespace strata::site::detail
