// SPDX-License-Identifier: Apache-2.0
// Event sinks: checks what the engine accepts.
#pragma once

#include "heat/documents.hpp"

namespace strata::heat {

/// Checks the section `event_sinks`: a sequence of mappings with a known `type` and its options.
/// Error `heat.event-sink`, naming the key.
void check_event_sinks(const Documents& documents, const Value& sinks);

}  // namespace strata::heat
