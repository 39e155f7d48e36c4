#include "strata/site.hpp"

#include <utility>

#include "bindings/queries/inventory.hpp"
#include "site/node.hpp"

namespace strata::site {

detail::SiteState::SiteState(Settings of_site, const FileTree& of_tree, Sources& of_sources, const Limits& of_limits, Host* of_host)
    : settings(std::move(of_site)),
      tree(of_tree),
      sources(of_sources),
      limits(of_limits),
      host(of_host),
      documents(tree, sources, limits),
      hiera(settings.hiera, tree, sources, limits) {}

const bindings::Configuration& detail::SiteState::configuration() {
  if (!configuration_) configuration_ = bindings::read_configuration(tree, sources, settings.confdir, limits);
  return *configuration_;
}

bindings::QueryService* detail::SiteState::inventory() {
  if (!inventory_ && settings.inventory) {
    inventory_ = bindings::queries::read_inventory(sources, sources.add(settings.inventory->name, settings.inventory->text), limits);
  }
  return inventory_.get();
}

const bindings::ParameterNames& detail::SiteState::declared(const bindings::Environment& environment) {
  bindings::ParameterNames& names = declared_[environment.modulepath];
  if (!names) names = bindings::manifest_parameters(tree, sources, limits, environment);
  return names;
}

Site::Site(Settings settings, const FileTree& tree, Sources& sources, const Limits& limits, Host* host)
    : state_(std::make_unique<detail::SiteState>(std::move(settings), tree, sources, limits, host)) {}
Site::~Site() = default;

std::unique_ptr<Node> Site::open(const NodeInputs& inputs, Diagnostics& diagnostics, merge::Recorder& recorder) {
  auto state = std::make_unique<detail::NodeState>(*state_, diagnostics, recorder);
  state->prepare(inputs);
  return std::unique_ptr<Node>(new Node(std::move(state)));
}

bindings::Findings Site::check(const NodeInputs& inputs) {
  Diagnostics diagnostics;
  merge::NullRecorder unrecorded(state_->sources);
  detail::NodeState node(*state_, diagnostics, unrecorded);
  bindings::Findings findings;
  try {
    node.prepare(inputs);
    findings = bindings::check(state_->preparations, node.request, node.services(), state_->sources, state_->limits);
  } catch (const Errors& errors) {
    findings.errors = errors.all();
  } catch (const Error& error) {
    findings.errors.push_back(error.diagnostic());
  }
  // What the steps before found is told as well, and where they came to.
  if (!node.request->environment.confdir.empty()) findings.environment = node.request->environment.name;
  findings.manifest = node.request->environment.manifest;
  findings.warnings.insert(findings.warnings.begin(), diagnostics.warnings().begin(), diagnostics.warnings().end());
  return findings;
}

}  // namespace strata::site
