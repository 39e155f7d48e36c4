// What a site of bindings says of a node, as Puppet takes it from an external node classifier.
#pragma once

#include <optional>
#include <string>

#include "service/face.hpp"
#include "service/sites/state.hpp"

namespace strata::service::nodes {

/// What `strata enc NODE` prints in the site. `stored`: the node as somebody stored it, a list for SiteState::with_facts. Errors: `site.dialect` for
/// a site of something else, `secret.redacted` for results with secrets and a client who may not read them, and those of the node.
[[nodiscard]] std::string enc_of(const Call& call, const sites::SiteState& state, const std::string& node, const std::optional<std::string>& stored);

}  // namespace strata::service::nodes
