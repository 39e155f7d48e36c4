#include "site_request.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "bindings/queries/inventory.hpp"
#include "bindings/queries/puppetdb.hpp"
#include "bindings/request/paths.hpp"
#include "host/process_programs.hpp"
#include "strata/text.hpp"
#include "terminal.hpp"

namespace strata::cli {
namespace {

constexpr std::size_t kMostEncOutput = std::size_t{1} << 26U;

std::string default_confdir() {
  const char* given = std::getenv("STRATA_CONFDIR");  // NOLINT(concurrency-mt-unsafe): nothing sets variables
  return given == nullptr || *given == '\0' ? "." : given;
}

std::string absolute(const std::string& path) {
  const std::string folder = working_folder();
  return bindings::joined(folder.empty() ? "/" : folder, path);
}

std::optional<SiteOptions::Named> read(Host& host, const std::string& name) {
  if (name.empty()) return std::nullopt;
  return SiteOptions::Named{.name = name == "-" ? "<stdin>" : name, .text = host.read(name)};
}

}  // namespace

void SiteOptions::add_to(Arguments& command, bool names_node) {
  confdir_ = default_confdir();
  command.add_option("--confdir", confdir_, "the site: environments.pp, modules, bindings, strata.yaml; else $STRATA_CONFDIR")
      .type_name("DIR")
      .capture_default_str();
  command.add_option("--environments", environments_file_, "another file instead of environments.pp, to try it").type_name("FILE");
  command.add_option("--facts", facts_name_, "the node's facts: YAML or JSON; - is standard input").type_name("FILE");
  command.add_option("--enc", enc_name_, "what an external node classifier says of the node, instead of enc_command of strata.yaml")
      .type_name("FILE");
  agent_option_ =
      command.add_option("--agent-environment", agent_environment_, "the environment that the agent asks for, instead of the fact").type_name("NAME");
  command.add_option("--inventory", inventory_name_, "resources for queries: YAML or JSON").type_name("FILE");
  if (names_node) command.add_option("--node", node_, "what the node is called where its facts do not say it").type_name("NAME");
}

void SiteOptions::prepare(Host& host) {
  host_ = &host;
  facts_ = read(host, facts_name_);
  enc_ = read(host, enc_name_);
  inventory_ = read(host, inventory_name_);
}

std::optional<std::string> SiteOptions::agent_environment() const {
  return agent_option_.is_given() ? std::optional(agent_environment_) : std::nullopt;
}

SiteRequest::SiteRequest(const SiteOptions& options, const Run& run, bool strict)
    : options_(options),
      run_(run),
      strict_(strict),
      confdir_(absolute(options.confdir())),
      request_(std::make_shared<bindings::Request>()),
      documents_(run.tree, run.sources, run.limits),
      hiera_(run_, *request_) {}

SiteRequest::~SiteRequest() = default;

void SiteRequest::prepare(bool facts_of_node) {
  configuration_ = bindings::read_configuration(run_.tree, run_.sources, confdir_, run_.limits);
  const bindings::Facts facts = read_facts(facts_of_node);
  const bindings::RequestInputs inputs{.tree = run_.tree,
                                       .sources = run_.sources,
                                       .diagnostics = run_.diagnostics,
                                       .limits = run_.limits,
                                       .confdir = confdir_,
                                       .environments_file = options_.environments_file().empty() ? "" : absolute(options_.environments_file()),
                                       .facts = facts,
                                       .agent_environment = options_.agent_environment(),
                                       .enc = read_enc(facts),
                                       .node = options_.node(),
                                       .providers = [this](std::string_view scheme) { return provider(scheme); },
                                       .strict = strict_};
  bindings::prepare(inputs, documents_, *request_);
}

bindings::Facts SiteRequest::read_facts(bool facts_of_node) const {
  if (options_.facts()) return bindings::read_facts(run_.sources, options_.facts()->name, options_.facts()->text, run_.limits);
  if (!facts_of_node || configuration_.facts_dir.empty()) return {};
  // The facts of a node are the host's, as --facts is: they are no configuration that a revision has.
  const auto host = host_tree({}, run_.limits.input);
  for (const std::string_view suffix : {".yaml", ".json"}) {
    const std::string path = configuration_.facts_dir + "/" + options_.node() + std::string(suffix);
    if (auto bytes = host->read(path)) return bindings::read_facts(run_.sources, path, std::move(*bytes), run_.limits);
  }
  run_.diagnostics.warn("facts.missing", fmt::format("there are no facts of node '{}' in {}", options_.node(), configuration_.facts_dir));
  return {};
}

std::shared_ptr<const bindings::Enc> SiteRequest::read_enc(const bindings::Facts& facts) const {
  if (options_.enc()) {
    const SourceId source = run_.sources.add(options_.enc()->name, options_.enc()->text);
    return std::make_shared<const bindings::Enc>(bindings::read_enc(run_.sources, source, run_.limits, run_.diagnostics));
  }
  return configuration_.enc_command ? run_enc(facts) : nullptr;
}

std::shared_ptr<const bindings::Enc> SiteRequest::run_enc(const bindings::Facts& facts) const {
  const bindings::EncCommand& command = *configuration_.enc_command;
  const std::string from_facts = bindings::node_name(facts.values);
  const std::string& node = options_.node().empty() ? from_facts : options_.node();
  if (node.empty()) {
    throw Error("enc.no-node", "the ENC is asked for a node, and nothing says what it is called")
        .at(run_.sources, command.origin)
        .hint("give facts with 'fqdn' or 'networking.fqdn', or --node NAME");
  }
  if (node.starts_with('-') || node.find('\0') != std::string::npos) {
    throw Error("enc.no-node", fmt::format("the ENC is not asked for the node '{}': it could take the name for an option", node))
        .at(run_.sources, command.origin);
  }
  Programs* programs = options_.host().programs();
  if (programs == nullptr) throw Error("enc.failed", "no programs may be run here").at(run_.sources, command.origin);
  Program program{.words = command.words, .input = {}, .seconds = command.timeout, .max_output = kMostEncOutput};
  program.words.push_back(node);
  if (command.takes_facts) program.input = text::write_json(facts.values);
  ProgramResult result;
  try {
    result = programs->run(program);
  } catch (const Error& error) {
    throw Error("enc.failed", fmt::format("the ENC gave nothing for node '{}': {}", node, error.diagnostic().message))
        .at(run_.sources, command.origin);
  }
  if (result.status != 0) {
    const std::string said = shown_errors(result.errors);
    throw Error("enc.failed", fmt::format("the ENC ended with status {} for node '{}'{}{}", result.status, node, said.empty() ? "" : ": ", said))
        .at(run_.sources, command.origin);
  }
  const SourceId source = run_.sources.add(fmt::format("<enc {}>", node), std::move(result.output));
  return std::make_shared<const bindings::Enc>(bindings::read_enc(run_.sources, source, run_.limits, run_.diagnostics));
}

bindings::Registry& SiteRequest::registry() {
  if (registry_) return *registry_;
  extensions_ = std::make_unique<bindings::extensions::Extensions>(run_.sources, run_.limits, options_.host().plugins());
  for (const bindings::ExtensionDeclaration& declaration : configuration_.extensions) extensions_->add(declaration, run_.tree);
  extensions_->add_modules(run_.tree, request_->environment.modulepath);
  registry_ = extensions_->open(run_.sources, run_.diagnostics);
  return *registry_;
}

bindings::SchemeProvider* SiteRequest::provider(std::string_view scheme) {
  if (scheme == "hiera") return &hiera_;
  return registry().provider(scheme);
}

bindings::QueryService* SiteRequest::queries() {
  if (queries_) return queries_.get();
  const std::string& chosen = configuration_.query_service;
  if (options_.inventory()) {
    const SourceId source = run_.sources.add(options_.inventory()->name, options_.inventory()->text);
    queries_ = bindings::queries::read_inventory(run_.sources, source, run_.limits);
  } else if (configuration_.puppetdb && (chosen.empty() || chosen == "puppetdb")) {
    queries_ = bindings::queries::puppetdb(*configuration_.puppetdb, options_.host().http(), run_.sources, run_.limits,
                                           bindings::node_name(request_->facts));
  } else {
    const std::vector<std::string_view> names = registry().query_services();
    if (chosen.empty()) return names.size() == 1 ? registry().query_service(names.front()) : nullptr;
    bindings::QueryService* found = registry().query_service(chosen);
    if (found == nullptr) throw Error("config.value", fmt::format("no extension answers queries as '{}'", chosen)).in(confdir_ + "/strata.yaml");
    return found;
  }
  return queries_.get();
}

bindings::Services SiteRequest::services() {
  return {.queries = queries(),
          .extensions = &registry(),
          .functions = &hiera_,
          .parameter_names = bindings::manifest_parameters(run_.tree, run_.sources, run_.limits, request_->environment),
          .module_file = bindings::module_files(run_.tree, request_->environment),
          .strict = strict_};
}

bindings::Injector& SiteRequest::injector() {
  if (!injector_) {
    injector_ = std::make_unique<bindings::Injector>(preparations_, request_, services(), run_.sources, run_.diagnostics, run_.limits, run_.history);
  }
  return *injector_;
}

bindings::Findings SiteRequest::check() {
  bindings::Findings findings;
  const auto failed = [&](const Error& error) {
    if (const auto* several = dynamic_cast<const Errors*>(&error)) {
      findings.errors = several->all();
    } else {
      findings.errors.push_back(error.diagnostic());
    }
  };
  bool is_prepared = false;
  try {
    prepare();
    is_prepared = true;
  } catch (const Error& error) {
    failed(error);
  }
  if (is_prepared) {
    try {
      findings = bindings::check(preparations_, request_, services(), run_.sources, run_.limits);
    } catch (const Error& error) {
      failed(error);
    }
  }
  // What the steps before found is told as well, and where they came to.
  if (!request_->environment.confdir.empty()) findings.environment = request_->environment.name;
  findings.manifest = request_->environment.manifest;
  findings.warnings.insert(findings.warnings.begin(), run_.diagnostics.warnings().begin(), run_.diagnostics.warnings().end());
  return findings;
}

}  // namespace strata::cli
