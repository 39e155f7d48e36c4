// SPDX-License-Identifier: Apache-2.0
#include "service/nodes/enc.hpp"

#include <fmt/format.h>

#include "service/core.hpp"
#include "strata/error.hpp"
#include "strata/fleet.hpp"
#include "strata/host.hpp"
#include "strata/paths.hpp"
#include "strata/report.hpp"
#include "strata/session.hpp"
#include "strata/site.hpp"
#include "strata/snapshot.hpp"
#include "strata/stop_scope.hpp"
#include "strata/text.hpp"
#include "strata/workspace.hpp"

namespace strata::service::nodes {
namespace {

constexpr const char* kTreeRoot = "/";

/// An option of the site's question. Empty: it is not there.
std::string option_of(const sites::SiteState& state, std::string_view name) {
  const workspace::Setting* setting = state.project().find(name);
  return setting == nullptr || setting->values.empty() ? std::string() : setting->values.front();
}
std::string path_of(const sites::SiteState& state, std::string_view name) {
  const std::string value = option_of(state, name);
  return value.empty() ? value : absolute_path(kTreeRoot, value);
}

site::Settings node_settings(const sites::SiteState& state) {
  const std::string root = path_of(state, "environment-root");
  const std::string confdir = path_of(state, "confdir");
  site::Settings out{.confdir = !confdir.empty() ? confdir : root.empty() ? kTreeRoot : root, .environment_root = root};
  out.environments_file = path_of(state, "environments");
  out.hiera.working_folder = kTreeRoot;
  out.hiera.keys_in_tree = true;
  if (const std::string inventory = path_of(state, "inventory"); !inventory.empty()) {
    if (auto text = state.question_tree().read(inventory))
      out.inventory = site::NamedText{.name = inventory, .text = *std::move(text)};
  }
  return out;
}

/// The facts of a node in a list of nodes. No value: it is not in it.
std::optional<hiera::Facts> facts_in(hiera::NodeSource& nodes, const std::string& node, Session& session) {
  while (const auto one = nodes.next()) {
    session.stop().check();
    if (!one->name.empty() && one->name != node) continue;
    hiera::Facts facts = one->facts(session.sources());
    if (facts.node == node) return facts;
  }
  return std::nullopt;
}

/// The facts in the store, or those of the nodes that the site's question names. No value: the site looks for
/// them itself.
std::optional<hiera::Facts> known_facts(const sites::SiteState& state, const std::string& node,
                                        const std::optional<std::string>& stored, Session& session) {
  const auto read_once = [](std::string text) {
    return [text = std::move(text)]() mutable { return std::exchange(text, {}); };
  };
  if (stored) {
    const auto nodes = hiera::node_list(read_once(*stored), "<nodes>", session.sources(), session.limits());
    return facts_in(*nodes, node, session);
  }
  const std::string path = path_of(state, "nodes");
  if (path.empty()) return std::nullopt;
  const FileTree& tree = state.question_tree();
  if (tree.kind(path) == FileKind::folder) {
    const auto nodes = hiera::node_folder(tree, path, session.limits());
    return facts_in(*nodes, node, session);
  }
  auto text = tree.read(path);
  if (!text) return std::nullopt;
  const auto nodes = hiera::node_list(read_once(*std::move(text)), path, session.sources(), session.limits());
  return facts_in(*nodes, node, session);
}

}  // namespace

Classification enc_of(const Call& call, const sites::SiteState& state, const std::string& node,
                      const std::optional<std::string>& stored) {
  if (state.form().dialect != "bindings") {
    throw Error("site.dialect", "a site of bindings classifies nodes, others do not");
  }
  Session session(state.snapshot(), {.limits = state.limits(call.stop), .host = &state.host()});
  const StopScope work(&session.stop());
  site::NodeInputs inputs{.name = node, .known_facts = known_facts(state, node, stored, session)};
  inputs.looks_for_facts = !inputs.known_facts;
  inputs.needs_site = true;
  site::Node site_node(node_settings(state), inputs, session);
  const Value result = site_node.enc().value;
  return {.text = site::enc_text(result), .is_secret = report::holds_secret(result)};
}

}  // namespace strata::service::nodes
