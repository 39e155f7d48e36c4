// SPDX-License-Identifier: Apache-2.0
#include "service/api/stored_nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>

#include "analysis/secret_texts.hpp"
#include "service/api/values.hpp"
#include "service/core.hpp"
#include "service/entity_tags.hpp"
#include "service/json.hpp"
#include "store/store.hpp"
#include "strata/error.hpp"
#include "strata/text.hpp"
#include "value/fields.hpp"

namespace strata::service::api {
namespace {

constexpr std::size_t kLongestFacts = std::size_t{4} << 20U;

/// Of the facts of a node, if there are any.
std::vector<std::string> fact_tags(const std::optional<std::int64_t>& generation) {
  return generation ? std::vector<std::string>{node_tag(*generation)} : std::vector<std::string>();
}

/// The keys under which facts are to be stored. Without any, facts with secrets have one made, or are refused. Error
/// `store.no-key`.
std::shared_ptr<const store::Keyring> keys_for_facts(const Call& call, const sites::SiteState& state,
                                                     const std::string& facts) {
  auto keys = call.core.store().keys(false);
  if (!keys->empty()) return keys;
  const analysis::SecretTexts& secrets = state.secret_texts();
  return secrets.may_have_some() && secrets.shown("/facts.json", facts) != facts ? call.core.store().keys(true) : keys;
}

}  // namespace

std::string node_list(const std::string& name, const Value& given) {
  Arena arena;
  MappingBuilder node(arena);
  node.insert("name", arena.text(name));
  for (const std::string_view member : {"facts", "trusted"}) {
    const Value* value = given.find(member);
    if (value == nullptr) continue;
    if (!value->is_mapping()) throw Error("request.body", fmt::format("'{}' is an object", member));
    node.insert(member, *value);
  }
  SequenceBuilder list(arena);
  list.append(node.finish());
  return text::write_json(list.finish(), {.indent = -1});
}

std::string node_tag(std::int64_t generation) { return fmt::format("\"{}\"", generation); }

std::optional<store::Node> stored_node(store::Store& store, const std::string& project, const std::string& site,
                                       const std::string& name, const Stop& stop) {
  std::optional<store::Node> out;
  const auto keys = store.keys(false);
  store.read(
      [&](store::Transaction& transaction) {
        out.reset();
        const auto found = store::find_project(transaction, project);
        if (found) out = store::find_node(transaction, *keys, *found, site, name);
      },
      {.deadline = deadline_of(stop)});
  return out;
}

std::optional<store::Node> stored_node(const Call& call, const std::string& site, const std::string& name) {
  return stored_node(call.core.store(), call.project, site, name, call.stop);
}

sites::StoredNodes stored_nodes(const Call& call, const std::string& site) {
  sites::StoredNodes out;
  const auto keys = call.core.store().keys(false);
  call.core.read(call, [&](store::Transaction& transaction, const store::Project* project) {
    out.clear();
    if (project == nullptr) return;
    for (store::Node& node : store::nodes(transaction, *keys, *project, site))
      out.emplace(std::move(node.name), std::move(node.facts));
  });
  return out;
}

std::vector<std::string> all_nodes(const Call& call, const std::string& site, const sites::SiteState& state) {
  std::vector<std::string> stored;
  call.core.read(call, [&](store::Transaction& transaction, const store::Project* project) {
    stored.clear();
    if (project != nullptr) stored = store::node_names(transaction, *project, site);
  });
  std::vector<std::string> out = state.nodes();
  if (stored.empty()) return out;
  const std::set<std::string_view> known(state.nodes().begin(), state.nodes().end());
  std::ranges::copy_if(stored, std::back_inserter(out),
                       [&known](const std::string& name) { return !known.contains(name); });
  return out;
}

Response put_node(const Call& call, sites::Sites& sites) {
  check_new_node(call[1]);
  const JsonBody json = read_data_body(call);
  if (!json.root().is_mapping() || json.root().find("facts") == nullptr)
    throw Error("request.body", "the body is an object with 'facts'");
  constexpr std::array<std::string_view, 2> kMembers{"facts", "trusted"};
  Fields(json.root(), "the body", {.code = "request.body", .sources = json.sources.get()}).only(kMembers);
  store::Node node{.name = call[1], .facts = node_list(call[1], json.root())};
  if (node.facts.size() > kLongestFacts)
    throw Error("request.body", fmt::format("facts have at most {} bytes", kLongestFacts));
  const auto state = sites.state(call, call[0]);
  if (state->has_node(call[1])) {
    throw Error("site.fixed", fmt::format("'{}' is a node of the files of '{}'", call[1], call[0])).hint("change them");
  }
  // Facts that the site does not take are refused before they are stored.
  state->with_facts(node.facts, analysis::Question::History::no, call.stop, [](analysis::Subject& subject) {
    const auto failure = subject.ask(std::vector<std::string>()).outcome.failure;
    if (failure && failure->code.starts_with("facts.")) throw Error(*failure);
  });
  const sites::Site site = sites.find(call, call[0]);
  const auto keys = keys_for_facts(call, *state, node.facts);
  return call.core.write(call, [&](Writing& writing) {
    // A site of the configuration has no row before its first node.
    if (!store::find_site(writing.transaction, writing.project, call[0])) {
      store::put_site(writing.transaction, writing.project,
                      {.name = call[0], .dialect = site.form.dialect, .kind = site.kind});
    }
    const auto before = store::node_generation(writing.transaction, writing.project, call[0], call[1]);
    check_preconditions(call, fact_tags(before));
    store::put_node(writing.transaction, *keys, writing.project, call[0], node);
    if (!before || *before != node.generation) writing.note("node", call[0] + '/' + call[1], node.generation);
    Arena arena;
    Response out = json_response(
        json_object(arena, {{"name", arena.text(call[1])}, {"generation", Value::integer(node.generation)}}),
        before ? 200 : 201);
    out.headers.set("ETag", node_tag(node.generation));
    return out;
  });
}

Response delete_node(const Call& call, sites::Sites& sites) {
  (void)sites.find(call, call[0]);
  return call.core.write(call, [&](Writing& writing) {
    check_preconditions(call,
                        fact_tags(store::node_generation(writing.transaction, writing.project, call[0], call[1])));
    if (!store::remove_node(writing.transaction, writing.project, call[0], call[1])) {
      throw Error("site.node", fmt::format("no node '{}' was stored", call[1]));
    }
    writing.note("node", call[0] + '/' + call[1], 0);
    return Response{.status = 204, .headers = {}};
  });
}

}  // namespace strata::service::api
