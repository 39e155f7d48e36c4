// SPDX-License-Identifier: Apache-2.0
#include "site_options.hpp"

#include <cstdlib>
#include <utility>

#include "hiera_settings.hpp"
#include "lookup_fleet.hpp"
#include "strata/paths.hpp"
#include "terminal.hpp"

namespace strata::cli {
namespace {

std::string default_confdir() {
  const char* given = std::getenv("STRATA_CONFDIR");  // NOLINT(concurrency-mt-unsafe): nothing sets variables
  return given == nullptr || *given == '\0' ? "." : given;
}

std::string absolute(const std::string& path) { return absolute_path(working_folder(), path); }

std::optional<site::NamedText> read(Host& host, const std::string& name) {
  if (name.empty()) return std::nullopt;
  return site::NamedText{.name = name == "-" ? "<stdin>" : name, .text = host.read(name)};
}

}  // namespace

void SiteOptions::add_to(Arguments& command, bool names_node) {
  confdir_ = default_confdir();
  confdir_option_ = command
                        .add_option("--confdir", confdir_,
                                    "the site: environments.pp, modules, bindings, strata.yaml; else $STRATA_CONFDIR")
                        .type_name("DIR")
                        .capture_default_str();
  command
      .add_option(
          "--environment-root", environment_root_,
          "the folder of the environment, whatever its name: a control repository; also the default of --confdir")
      .type_name("DIR");
  add_map_option(command, maps_);
  command.add_option("--environments", environments_file_, "a file to use instead of environments.pp")
      .type_name("FILE");
  command
      .add_option("--facts", facts_name_,
                  "the node's facts: YAML or JSON, Puppet's cache, an answer of PuppetDB; - is standard input")
      .type_name("FILE");
  command.add_option("--trusted", trusted_name_, "trusted facts: the members of $trusted, as YAML or JSON")
      .type_name("FILE");
  command
      .add_option("--enc", enc_name_,
                  "the output of an external node classifier, instead of running enc_command of strata.yaml")
      .type_name("FILE");
  agent_option_ = command
                      .add_option("--agent-environment", agent_environment_,
                                  "the environment that the agent requests, instead of the fact")
                      .type_name("ENVIRONMENT");
  command.add_option("--inventory", inventory_name_, "resources for queries: YAML or JSON").type_name("FILE");
  if (!names_node) return;
  command.add_option("--node", node_.name, "the node's name if its facts do not contain it").type_name("NODE");
  command
      .add_option("--nodes", nodes_,
                  "a whole fleet: a JSON or YAML list of {name, facts, trusted}, an answer of PuppetDB, or a folder or "
                  "pattern of facts files "
                  "NAME.yaml, NAME.json")
      .type_name("FILE|DIR");
  command.add_flag("--mask", mask_,
                   "show ****** for secrets, and <encrypted> for those of hiera: layers whose private key is missing");
}

void SiteOptions::prepare(Host& host) {
  if (!nodes_.empty() &&
      (!facts_name_.empty() || !trusted_name_.empty() || !enc_name_.empty() || !node_.name.empty())) {
    throw UsageError(Usage::conflict,
                     "--nodes names the nodes and their facts: remove --facts, --trusted, --enc and --node");
  }
  node_.facts = read(host, facts_name_);
  node_.trusted = read(host, trusted_name_);
  node_.enc = read(host, enc_name_);
  inventory_ = read(host, inventory_name_);
  if (agent_option_.is_given()) node_.agent_environment = agent_environment_;
}

void SiteOptions::set_node(std::string name) {
  node_.name = std::move(name);
  node_.looks_for_facts = true;
  node_.needs_site = true;
}

site::Settings SiteOptions::settings(bool strict, const std::shared_ptr<const FileBounds>& bounds) const {
  const bool is_root_alone = !environment_root_.empty() && !confdir_option_.is_given();
  site::Settings settings{.confdir = absolute(is_root_alone ? environment_root_ : confdir_),
                          .inventory = inventory_,
                          .hiera = host_hiera_settings(bounds),
                          .strict = strict};
  if (!environment_root_.empty()) settings.environment_root = absolute(environment_root_);
  if (!environments_file_.empty()) settings.environments_file = absolute(environments_file_);
  settings.hiera.masks_locked = mask_;
  settings.hiera.maps = mapped_folders(maps_);
  return settings;
}

void SiteOptions::each_known(Host& host, Session& session,
                             const std::function<void(const hiera::Facts& facts)>& call) const {
  const std::string folder = settings(false).confdir;
  each_known_node(
      nodes_, {.name = {}, .verb = "inject", .settings = {{.name = "confdir", .values = {folder}}}, .folder = folder},
      host, session, call);
}

void SiteOptions::each_node(Host& host, Session& session,
                            const std::function<void(const site::NodeInputs& node)>& call) const {
  const auto call_without_enc = [&](site::NodeInputs node) {
    if (!node.enc) node.enc = site::NamedText{.name = "<no classifier>", .text = "{}"};
    call(node);
  };
  bool is_known = false;
  if (!node_.facts && node_.name.empty()) {
    each_known(host, session, [&](const hiera::Facts& facts) {
      is_known = true;
      call_without_enc(node(facts));
    });
  }
  if (!is_known) call_without_enc(node_);
}

void SiteOptions::suggest(std::string_view kind, Host& host, Session& session, const AddSuggestion& add) const {
  if (kind == "NODE") {
    each_known(host, session, [&](const hiera::Facts& facts) { add({.word = facts.node}); });
  } else if (kind == "ENVIRONMENT") {
    suggest_folders(session.tree(), settings(false).confdir + "/environments", add);
  }
}

site::NodeInputs SiteOptions::node(const hiera::Facts& facts) const {
  site::NodeInputs out = node_;
  out.name = facts.node;
  out.known_facts = facts;
  return out;
}

}  // namespace strata::cli
