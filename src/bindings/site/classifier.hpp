// SPDX-License-Identifier: Apache-2.0
// The output of an external node classifier for a node: given, or from the command in strata.yaml. Rule:
// docs/bindings/inject.md, "strata.yaml".
#pragma once

#include <memory>

#include "bindings/request/configuration.hpp"
#include "bindings/request/enc.hpp"
#include "bindings/request/facts.hpp"
#include "strata/host.hpp"
#include "strata/session.hpp"
#include "strata/site.hpp"

namespace strata::site {

/// Null if none is given and none is configured. The host of the session runs the command.
/// Errors: `enc.*` (the command failed or took too long, or the node has no name), and those of the reader.
[[nodiscard]] std::shared_ptr<const bindings::Enc> classify(const NodeInputs& inputs, const bindings::Facts& facts,
                                                            const bindings::Configuration& configuration,
                                                            Session& session);

}  // namespace strata::site
