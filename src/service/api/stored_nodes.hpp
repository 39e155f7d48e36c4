// Nodes whose facts clients have stored with a site, besides those of its files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "service/face.hpp"
#include "service/sites/sites.hpp"
#include "store/sites.hpp"
#include "strata/builder.hpp"

namespace strata::service::api {

/// A list with one node, as SiteState::with_facts takes it: `facts` and `trusted` of an object. Errors: `request.body`.
[[nodiscard]] std::string node_list(const std::string& name, const Value& given);

/// The entity tag of a stored node: it changes with its facts.
[[nodiscard]] std::string node_tag(std::int64_t generation);
/// A stored node of a site. Its facts are a list for SiteState::with_facts.
[[nodiscard]] std::optional<store::Node> stored_node(const Call& call, const std::string& site, const std::string& name);
/// The names of the stored nodes of a site, sorted.
[[nodiscard]] std::vector<std::string> stored_nodes(const Call& call, const std::string& site);

/// `{"facts": {…}, "trusted": {…}}`: stores a node, or its new facts. Errors: `site.fixed` for a node of the site's files.
[[nodiscard]] Response put_node(const Call& call, sites::Sites& sites);
/// Error `site.node`.
[[nodiscard]] Response delete_node(const Call& call, sites::Sites& sites);

}  // namespace strata::service::api
