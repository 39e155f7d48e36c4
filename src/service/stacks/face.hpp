// SPDX-License-Identifier: Apache-2.0
// The Heat face: the Orchestration API, as far as it is about the environments of stacks.
#pragma once

#include <memory>

#include "service/face.hpp"

namespace strata::service {
class Core;
}  // namespace strata::service

namespace strata::service::stacks {

/// Paths below `/v1/{project}`. `core` must outlive the face. Rule: docs/service/heat.md.
[[nodiscard]] std::unique_ptr<Face> make_heat_face(Core& core);

}  // namespace strata::service::stacks
