// RFC 6902 patches (`#cloud-config-jsonp`) on what has been gathered so far.
#pragma once

#include "strata/merge.hpp"
#include "strata/session.hpp"

namespace strata::cloudinit {

/// Applies a patch (a sequence of operations) to an accumulated value; new values belong to `layer` and live in `arena`.
/// All or nothing: after an Error the value is as before. Errors: `patch.operation`, `patch.path`, `patch.test`, `limit.depth`, `limit.result`.
void apply_patch(merge::Accumulator& accumulator, const Value& patch, merge::Slot layer, Session& session, Arena& arena);

}  // namespace strata::cloudinit
