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

void SiteOptions::prepare(Host& host) {
  if (!given_.nodes.empty() &&
      (!given_.facts.empty() || !given_.trusted.empty() || !given_.enc.empty() || !given_.node.empty())) {
    throw UsageError(Usage::conflict,
                     "--nodes names the nodes and their facts: remove --facts, --trusted, --enc and --node");
  }
  if (!given_.node.empty()) node_.name = given_.node;
  node_.facts = read(host, given_.facts);
  node_.trusted = read(host, given_.trusted);
  node_.enc = read(host, given_.enc);
  inventory_ = read(host, given_.inventory);
  if (given_.agent_environment) node_.agent_environment = *given_.agent_environment;
}

std::string SiteOptions::confdir() const { return given_.confdir ? *given_.confdir : default_confdir(); }

void SiteOptions::set_node(std::string name) {
  node_.name = std::move(name);
  node_.looks_for_facts = true;
  node_.needs_site = true;
}

site::Settings SiteOptions::settings(bool strict, const std::shared_ptr<const FileBounds>& bounds) const {
  const bool is_root_alone = !given_.environment_root.empty() && !given_.confdir;
  site::Settings settings{.confdir = absolute(is_root_alone ? given_.environment_root : confdir()),
                          .inventory = inventory_,
                          .hiera = host_hiera_settings(bounds),
                          .strict = strict};
  if (!given_.environment_root.empty()) settings.environment_root = absolute(given_.environment_root);
  if (!given_.environments.empty()) settings.environments_file = absolute(given_.environments);
  settings.hiera.masks_locked = given_.mask;
  settings.hiera.maps = mapped_folders(given_.maps);
  return settings;
}

void SiteOptions::each_known(Host& host, Session& session,
                             const std::function<void(const hiera::Facts& facts)>& call) const {
  const std::string folder = settings(false).confdir;
  each_known_node(
      given_.nodes,
      {.name = {}, .verb = "inject", .settings = {{.name = "confdir", .values = {folder}}}, .folder = folder}, host,
      session, call);
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
