#include "site/node.hpp"

#include <fmt/format.h>
#include <array>

#include <algorithm>
#include <utility>
#include <vector>

#include "bindings/queries/puppetdb.hpp"
#include "site/classifier.hpp"

namespace strata::site {
namespace detail {
namespace {

/// A file of the host, which need not be there.
std::optional<std::string> find_on_host(Host* host, const std::string& path) {
  if (host == nullptr) return std::nullopt;
  try {
    return host->read(path);
  } catch (const Error& error) {
    if (error.code() != "host.missing") throw;
    return std::nullopt;
  }
}

}  // namespace

NodeState::NodeState(SiteState& of_site, Diagnostics& diagnostics, merge::Recorder& recorder)
    : site(of_site),
      context{.tree = of_site.tree,
              .sources = of_site.sources,
              .diagnostics = diagnostics,
              .recorder = recorder,
              .limits = of_site.limits,
              .hiera = of_site.hiera},
      hiera(context, *request) {}

void NodeState::prepare(const NodeInputs& inputs) {
  const bindings::Facts facts = read_facts(inputs);
  const bindings::RequestInputs wanted{
      .tree = context.tree,
      .sources = context.sources,
      .diagnostics = context.diagnostics,
      .limits = context.limits,
      .confdir = site.settings.confdir,
      .environments_file = site.settings.environments_file,
      .facts = facts,
      .agent_environment = inputs.agent_environment,
      .enc = classify(inputs, facts, site.configuration(), site.host == nullptr ? nullptr : site.host->programs(), context),
      .node = inputs.name,
      .providers = [this](std::string_view scheme) { return provider(scheme); },
      .strict = site.settings.strict};
  bindings::prepare(wanted, site.documents, *request);
}

bindings::Facts NodeState::read_facts(const NodeInputs& inputs) {
  const std::string& folder = site.configuration().facts_dir;
  if (inputs.facts) return bindings::read_facts(context.sources, inputs.facts->name, inputs.facts->text, context.limits);
  if (!inputs.looks_for_facts || folder.empty()) return {};
  // The facts of a node are the host's, as those that are given: they are no configuration that a revision has.
  for (const std::string_view suffix : {".yaml", ".json"}) {
    const std::string path = folder + "/" + inputs.name + std::string(suffix);
    if (auto bytes = find_on_host(site.host, path)) return bindings::read_facts(context.sources, path, std::move(*bytes), context.limits);
  }
  context.diagnostics.warn("facts.missing", fmt::format("there are no facts of node '{}' in {}", inputs.name, folder));
  return {};
}

bindings::Registry& NodeState::open_registry() {
  if (registry) return *registry;
  extensions =
      std::make_unique<bindings::extensions::Extensions>(context.sources, context.limits, site.host == nullptr ? nullptr : site.host->plugins());
  for (const bindings::ExtensionDeclaration& declaration : site.configuration().extensions) extensions->add(declaration, context.tree);
  extensions->add_modules(context.tree, request->environment.modulepath);
  registry = extensions->open(context.sources, context.diagnostics);
  return *registry;
}

bindings::SchemeProvider* NodeState::provider(std::string_view scheme) {
  if (scheme == "hiera") return &hiera;
  return open_registry().provider(scheme);
}

bindings::QueryService* NodeState::open_queries() {
  if (bindings::QueryService* inventory = site.inventory()) return inventory;
  const auto& server = site.configuration().puppetdb;
  const std::string& chosen = site.configuration().query_service;
  if (server && (chosen.empty() || chosen == "puppetdb")) {
    HttpClient* http = site.host == nullptr ? nullptr : site.host->http();
    puppetdb = bindings::queries::puppetdb(*server, http, context.sources, context.limits, request->certname);
    return puppetdb.get();
  }
  if (chosen.empty()) {
    const std::vector<std::string_view> names = open_registry().query_services();
    return names.size() == 1 ? open_registry().query_service(names.front()) : nullptr;
  }
  bindings::QueryService* found = open_registry().query_service(chosen);
  if (found == nullptr) {
    throw Error("config.value", fmt::format("no extension answers queries as '{}'", chosen)).in(site.settings.confdir + "/strata.yaml");
  }
  return found;
}

bindings::Services NodeState::services() {
  return {.queries = open_queries(),
          .extensions = &open_registry(),
          .functions = &hiera,
          .parameter_names = site.declared(request->environment),
          .module_file = bindings::module_files(context.tree, request->environment),
          .strict = site.settings.strict};
}

}  // namespace detail

Node::Node(std::unique_ptr<detail::NodeState> state) : state_(std::move(state)) {}
Node::~Node() = default;

bindings::Injector& Node::injector() {
  detail::NodeState& own = *state_;
  if (!own.injector) {
    own.injector = std::make_unique<bindings::Injector>(own.site.preparations, own.request, own.services(), own.context.sources,
                                                        own.context.diagnostics, own.context.limits, own.context.recorder);
  }
  return *own.injector;
}

merge::Traced Node::enc() {
  bindings::Injector& bound = injector();
  Arena& arena = state_->arena;
  std::vector<merge::Traced> members;
  const Value classes = arena.mapping();
  const bindings::ParameterNames& declared = state_->site.declared(state_->request->environment);
  const merge::Traced list = bound.classes();
  for (const Value& name : list.value.items()) {
    // As with the automatic lookup of Hiera: what Puppet does not know as a parameter of the class would be an error there.
    const auto names = declared(std::string(name.text()));
    const auto is_parameter = [&](std::string_view parameter) { return names && std::ranges::find(*names, parameter) != names->end(); };
    members.push_back(bound.parameters("class " + std::string(name.text()), is_parameter));
    arena.insert(classes, name.text(), members.back().value);
  }
  merge::Recorder& recorder = state_->context.recorder;
  const merge::Traced all_classes = recorder.compose(classes, members);
  const merge::Traced variables = bound.variables();
  const merge::Traced environment{arena.text(state_->request->environment.name), merge::Slot(merge::kNoLayer)};
  const Value out = arena.mapping();
  arena.insert(out, "classes", all_classes.value);
  arena.insert(out, "parameters", variables.value);
  arena.insert(out, "environment", environment.value);
  return recorder.compose(out, std::array{all_classes, variables, environment});
}

}  // namespace strata::site
