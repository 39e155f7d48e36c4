// SPDX-License-Identifier: Apache-2.0
#include "bindings/site/node.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "bindings/queries/puppetdb.hpp"
#include "bindings/site/classifier.hpp"
#include "puppet/facts.hpp"
#include "strata/refusal.hpp"
#include "strata/traced.hpp"

namespace strata::site {
namespace detail {
namespace {

/// A file of the host, which need not be there.
std::optional<std::string> find_on_host(Host* host, const std::string& path) {
  return host == nullptr ? std::nullopt : host->find(path);
}

/// Whether anything of a site is in the folder, or another file stands for it.
bool is_site(const Settings& settings, const FileTree& tree) {
  static constexpr std::array<std::string_view, 7> kParts{"environments.pp", "site.pp",    "manifests",  "bindings",
                                                          "modules",         "hiera.yaml", "strata.yaml"};
  // A folder that is not there is an error of its own.
  if (!settings.environments_file.empty() || tree.kind(settings.confdir) != FileKind::folder) return true;
  const std::string& root = settings.environment_root;
  return std::ranges::any_of(kParts, [&](std::string_view part) {
    return tree.kind(fmt::format("{}/{}", settings.confdir, part)) != FileKind::none ||
           (!root.empty() && tree.kind(fmt::format("{}/{}", root, part)) != FileKind::none);
  });
}

}  // namespace

NodeState::NodeState(Settings of_site, Session& of_request)
    : settings(std::move(of_site)),
      session(of_request),
      site(SiteState::of(settings, session.snapshot())),
      hiera(session, settings.hiera, *request) {}

void NodeState::prepare(const NodeInputs& inputs) {
  usage = inputs.usage;
  configuration = bindings::read_configuration(settings.confdir, session);
  if (!is_site(settings, session.tree())) {
    const Error error =
        Error("bindings.no-site",
              "this folder is not a site: it has none of environments.pp, site.pp, manifests, bindings, modules, "
              "hiera.yaml and strata.yaml")
            .in(settings.confdir)
            .hint("name the folder of the site with --confdir DIR");
    if (inputs.needs_site) throw Error(error);
    session.diagnostics().warn(error.diagnostic());
  }
  const bindings::Facts facts = read_facts(inputs);
  const bindings::RequestInputs wanted{.session = session,
                                       .confdir = settings.confdir,
                                       .environments_file = settings.environments_file,
                                       .environment_root = settings.environment_root,
                                       .facts = facts,
                                       .agent_environment = inputs.agent_environment,
                                       .enc = classify(inputs, facts, *configuration, session),
                                       .node = inputs.name,
                                       .providers = [this](std::string_view scheme) { return provider(scheme); },
                                       .strict = settings.strict};
  bindings::prepare(wanted, *request);
}

bindings::Facts NodeState::read_facts(const NodeInputs& inputs) {
  bindings::Facts facts = find_facts(inputs);
  if (inputs.trusted) {
    const std::string& name = inputs.trusted->name;
    const SourceId source = session.sources().add(name, inputs.trusted->text);
    const puppet::NodeFacts read = puppet::read_trusted(session.sources(), source, name, session.limits());
    facts.set_trusted(read.trusted, read.arena);
  }
  return facts;
}

bindings::Facts NodeState::find_facts(const NodeInputs& inputs) {
  if (inputs.known_facts) {
    bindings::Facts facts;
    if (!inputs.known_facts->values.is_mapping()) return facts;
    facts.arena = inputs.known_facts->arena;
    facts.values = inputs.known_facts->values;
    if (inputs.known_facts->trusted) facts.set_trusted(inputs.known_facts->trusted, facts.arena);
    return facts;
  }
  const std::string& folder = configuration->facts_dir;
  if (inputs.facts)
    return bindings::read_facts(session.sources(), inputs.facts->name, inputs.facts->text, session.limits(),
                                inputs.name);
  if (!inputs.looks_for_facts || folder.empty()) return {};
  if (!is_node_name(inputs.name)) throw Error("enc.no-node", fmt::format("'{}' is not a valid node name", inputs.name));
  // The facts of a node are the host's, as those that are given: they are not configuration of a revision.
  for (const std::string_view suffix : {".yaml", ".json"}) {
    const std::string path = folder + "/" + inputs.name + std::string(suffix);
    if (auto bytes = find_on_host(session.host(), path))
      return bindings::read_facts(session.sources(), path, std::move(*bytes), session.limits(), inputs.name);
  }
  session.diagnostics().warn("facts.missing", fmt::format("no facts for the node '{}' in {}", inputs.name, folder));
  return {};
}

bindings::Registry& NodeState::open_registry() {
  if (registry) return *registry;
  registry = site.extensions(*configuration, request->environment, session.limits().stop).open(session);
  return *registry;
}

bindings::SchemeProvider* NodeState::provider(std::string_view scheme) {
  if (scheme == "hiera") return &hiera;
  return open_registry().provider(scheme);
}

bindings::QueryService* NodeState::open_queries() {
  if (bindings::QueryService* inventory = site.inventory(session.limits().stop)) return inventory;
  const auto& server = configuration->puppetdb;
  const std::string& chosen = configuration->query_service;
  if (server && (chosen.empty() || chosen == "puppetdb")) {
    HttpClient* http = session.host() == nullptr ? nullptr : session.host()->http();
    // Without an answer a query is an error: an empty set would be a wrong one.
    const auto when_refused = [this, at = server->origin](const std::string& url) {
      const Refusal refusal{
          .kind = Refusal::Kind::server,
          .what = fmt::format("PuppetDB at {} is not queried: what needs its resources has no value", url),
          .where = excerpt_at(session.sources(), at)};
      return continues_without(session, refusal) ? std::string() : way_to_allow(session, refusal.kind);
    };
    puppetdb = bindings::queries::puppetdb(*server, http, session.sources(), session.limits(), request->certname,
                                           when_refused);
    return puppetdb.get();
  }
  if (chosen.empty()) {
    const std::vector<std::string_view> names = open_registry().query_services();
    return names.size() == 1 ? open_registry().query_service(names.front()) : nullptr;
  }
  bindings::QueryService* found = open_registry().query_service(chosen);
  if (found == nullptr) {
    throw Error("config.value", fmt::format("no extension answers queries as '{}'", chosen))
        .in(settings.confdir + "/strata.yaml");
  }
  return found;
}

bindings::Services NodeState::services() {
  declared = bindings::manifest_parameters(session, request->environment);
  return {.queries = open_queries(),
          .extensions = &open_registry(),
          .functions = &hiera,
          .parameter_names = declared,
          .module_file = bindings::module_files(session.tree(), request->environment),
          .strict = settings.strict,
          .usage = usage};
}

}  // namespace detail

Node::Node(const Settings& settings, const NodeInputs& inputs, Session& session)
    : state_(std::make_unique<detail::NodeState>(settings, session)) {
  state_->prepare(inputs);
}
Node::~Node() = default;

bindings::Injector& Node::injector() {
  detail::NodeState& own = *state_;
  if (!own.injector) {
    own.injector = bindings::make_injector(own.site.preparations(), own.request, own.services(), own.session);
  }
  return *own.injector;
}

merge::Traced Node::enc() {
  bindings::Injector& bound = injector();
  const merge::Builder make(state_->arena, state_->session.recorder());
  merge::TracedMapping classes(make);
  const bindings::ParameterNames& declared = state_->declared;
  const merge::Traced list = bound.classes();
  for (const Value& name : list.value.items()) {
    // As with the automatic lookup of Hiera: what Puppet does not know as a parameter of the class would be an error
    // there.
    const auto names = declared(std::string(name.text()));
    const auto is_parameter = [&](std::string_view parameter) {
      return names && std::ranges::find(*names, parameter) != names->end();
    };
    classes.insert(name.text(), bound.parameters("class " + std::string(name.text()), is_parameter));
  }
  merge::TracedMapping out(make);
  out.insert("classes", classes.finish());
  out.insert("parameters", bound.variables());
  out.insert("environment", {make.arena().text(state_->request->environment.name), merge::Slot(merge::kNoLayer)});
  return out.finish();
}

std::string enc_text(const Value& enc, bool sort_keys) {
  return "---\n" + text::write_yaml(enc, {.profile = &text::psych(), .sort_keys = sort_keys, .indent = 2});
}

}  // namespace strata::site
