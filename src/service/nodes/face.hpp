// SPDX-License-Identifier: Apache-2.0
// The face for machines that fetch: a NoCloud seed for cloud-init, values for a Puppet server. Rules:
// docs/service/nodes.md.
#pragma once

#include <memory>

#include "service/face.hpp"

namespace strata::service::sites {
class Sites;
}  // namespace strata::service::sites

namespace strata::service::nodes {

/// What is given must outlive the face.
[[nodiscard]] std::unique_ptr<Face> make_nodes_face(sites::Sites& sites);

}  // namespace strata::service::nodes
