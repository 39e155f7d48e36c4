// What an external node classifier says of a node: as it was given, or from the command that strata.yaml names. Rule: docs/bindings/inject.md,
// "strata.yaml".
#pragma once

#include <memory>

#include "bindings/request/configuration.hpp"
#include "bindings/request/enc.hpp"
#include "bindings/request/facts.hpp"
#include "strata/host.hpp"
#include "strata/session.hpp"
#include "strata/site.hpp"

namespace strata::site {

/// Null where none was given and none is configured. The command is run by the host of the session.
/// Errors: `enc.*` (the command failed, took too long, or there is no name to ask for), and those of the reader.
[[nodiscard]] std::shared_ptr<const bindings::Enc> classify(const NodeInputs& inputs, const bindings::Facts& facts,
                                                            const bindings::Configuration& configuration, Session& session);

}  // namespace strata::site
