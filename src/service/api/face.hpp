// SPDX-License-Identifier: Apache-2.0
// strata's own API: sites, their nodes and values, and analyses of edits. Rules: docs/service/api.md.
#pragma once

#include <memory>

#include "service/face.hpp"

namespace strata::service::sites {
class Sites;
}  // namespace strata::service::sites
namespace strata::service::watch {
class Watches;
}  // namespace strata::service::watch

namespace strata::service::api {

/// What is given must outlive the face.
[[nodiscard]] std::unique_ptr<Face> make_api_face(sites::Sites& sites, watch::Watches& watches);

}  // namespace strata::service::api
