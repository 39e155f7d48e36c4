// RFC 6902 patches (`#cloud-config-jsonp`) on what has been gathered so far.
#pragma once

#include "strata/error.hpp"
#include "strata/limits.hpp"
#include "strata/merge.hpp"

namespace strata::cloudinit {

/// Applies a patch (a sequence of operations) to an accumulated value; new values belong to `layer`.
/// All or nothing: after an Error the value is as before. Errors: `patch.operation`, `patch.path`, `patch.test`, `limit.depth`, `limit.result`.
void apply_patch(merge::Accumulator& accumulator, const Value& patch, merge::Slot layer, const Sources& sources, Diagnostics& diagnostics,
                 Arena& arena, const Limits& limits);

}  // namespace strata::cloudinit
