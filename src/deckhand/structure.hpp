// SPDX-License-Identifier: Apache-2.0
// The form of documents (D001): keys and their types. Rule: docs/deckhand/render.md, "Documents".
#pragma once

#include "findings.hpp"
#include "strata/value.hpp"

namespace strata::deckhand {

/// Checks the form of one document; false if it is invalid. Each problem becomes a finding with the code
/// `deckhand.form` and check D001. If the base (schema, metadata, name) is invalid, the rest of the metadata is not
/// checked. `require_storage_policy`: a missing `storagePolicy` is a problem too.
bool check_structure(const Sources& sources, const Value& root, bool require_storage_policy, Findings& findings);

}  // namespace strata::deckhand
