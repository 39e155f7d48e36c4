// What an external node classifier says of a node: as it was given, or from the command that strata.yaml names. Rule: bindings 4.4.
#pragma once

#include <memory>

#include "bindings/request/configuration.hpp"
#include "bindings/request/enc.hpp"
#include "bindings/request/facts.hpp"
#include "site/context.hpp"
#include "strata/host.hpp"
#include "strata/site.hpp"

namespace strata::site {

/// Null where none was given and none is configured. `programs`: null where none may be run.
/// Errors: `enc.*` (the command failed, took too long, or there is no name to ask for), and those of the reader.
[[nodiscard]] std::shared_ptr<const bindings::Enc> classify(const NodeInputs& inputs, const bindings::Facts& facts,
                                                            const bindings::Configuration& configuration, Programs* programs, const Context& context);

}  // namespace strata::site
