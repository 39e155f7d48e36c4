// SPDX-License-Identifier: Apache-2.0
// RFC 6902 patches (`#cloud-config-jsonp`) on the configuration merged so far.
#pragma once

#include "strata/merge.hpp"
#include "strata/session.hpp"

namespace strata::cloudinit {

/// Applies a patch (a sequence of operations) to an accumulated value. New values belong to `layer` and live in
/// `arena`. After an Error the value is unchanged. Errors: `patch.operation`, `patch.path`, `patch.test`,
/// `limit.depth`, `limit.result`.
void apply_patch(merge::Accumulator& accumulator, const Value& patch, merge::Slot layer, Session& session,
                 Arena& arena);

}  // namespace strata::cloudinit
