// SPDX-License-Identifier: Apache-2.0
// Nodes whose facts clients have stored with a site, besides those of its files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "service/face.hpp"
#include "service/sites/sites.hpp"
#include "store/sites.hpp"
#include "strata/builder.hpp"

namespace strata {
class Stop;
}  // namespace strata
namespace strata::store {
class Store;
}  // namespace strata::store

namespace strata::service::api {

/// A list with one node, as SiteState::with_facts takes it: `facts` and `trusted` of an object. Errors: `request.body`.
[[nodiscard]] std::string node_list(const std::string& name, const Value& given);

/// The entity tag of a stored node: it changes with its facts.
[[nodiscard]] std::string node_tag(std::int64_t generation);
/// A stored node of a site. Its facts are a list for SiteState::with_facts.
[[nodiscard]] std::optional<store::Node> stored_node(const Call& call, const std::string& site,
                                                     const std::string& name);
[[nodiscard]] std::optional<store::Node> stored_node(store::Store& store, const std::string& project,
                                                     const std::string& site, const std::string& name,
                                                     const Stop& stop);
/// All stored nodes of a site.
[[nodiscard]] sites::StoredNodes stored_nodes(const Call& call, const std::string& site);
/// The names of all nodes of a site: those of its files, in the order of the fleet, then the other ones that are
/// stored.
[[nodiscard]] std::vector<std::string> all_nodes(const Call& call, const std::string& site,
                                                 const sites::SiteState& state);

/// `{"facts": {…}, "trusted": {…}}`: stores a node, or its new facts. Errors: `site.fixed` for a node of the site's
/// files.
[[nodiscard]] Response put_node(const Call& call, sites::Sites& sites);
/// Error `site.node`.
[[nodiscard]] Response delete_node(const Call& call, sites::Sites& sites);

}  // namespace strata::service::api
