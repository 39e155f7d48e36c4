// SPDX-License-Identifier: Apache-2.0
// Combines and checks what a request makes of a stack.
#pragma once

#include "service/stacks/body.hpp"
#include "service/stacks/kept.hpp"
#include "service/stacks/outputs.hpp"
#include "strata/heat.hpp"

namespace strata::service::stacks {

/// Combines the environment of a request. `kept`: the stack that it adds to; null: none. Error (Refused, 400).
[[nodiscard]] heat::Composition compose(Session& session, const Sent& sent, const Kept* kept);

/// A state that a request makes: what is kept of it, with hidden values and without.
struct Evaluated {
  Value clear;
  Value masked;
};
/// Combines the environment and checks the parameters, as the stack will use them. `earlier`: the stack before the
/// request, whose immutable parameters must stay; null: it is new. For `Purpose::patch` it is what the request adds to.
/// Error (Refused, 400).
[[nodiscard]] Evaluated evaluate(Session& session, const Sent& sent, Purpose purpose, const Kept* earlier,
                                 const Subject& subject);

}  // namespace strata::service::stacks
