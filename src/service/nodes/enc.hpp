// SPDX-License-Identifier: Apache-2.0
// What a site of bindings says of a node, as Puppet takes it from an external node classifier.
#pragma once

#include <optional>
#include <string>

#include "service/face.hpp"
#include "service/sites/state.hpp"

namespace strata::service::nodes {

struct Classification {
  std::string text;  ///< What `strata enc NODE` prints in the site.
  bool is_secret = false;
};
/// `stored`: the node as somebody stored it, a list for SiteState::with_facts. Errors: `site.dialect` for a site of
/// something else, and those of the node.
[[nodiscard]] Classification enc_of(const Call& call, const sites::SiteState& state, const std::string& node,
                                    const std::optional<std::string>& stored);

}  // namespace strata::service::nodes
