// SPDX-License-Identifier: Apache-2.0
// Chooses the environment of a node.
#pragma once

#include "bindings/request.hpp"
#include "bindings/request/evaluation.hpp"

namespace strata::bindings {

/// Evaluates `<confdir>/environments.pp`, if it exists, and chooses the environment.
/// Errors: `environment.*`, `puppet.*`, `bindings.syntax`, `limit.*`; several are thrown together (Errors).
[[nodiscard]] Environment choose_environment(const Phase& phase);

}  // namespace strata::bindings
