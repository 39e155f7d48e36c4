// The form of documents (D001): which keys there are, and of which types. Rule: docs/deckhand/render.md, "Documents".
#pragma once

#include "findings.hpp"
#include "strata/value.hpp"

namespace strata::deckhand {

/// Checks the form of one document; false where it is wrong. All that is wrong becomes findings with the code `deckhand.form` and check D001; where
/// the base (schema, metadata, name) is wrong, the rest of the metadata is not looked at.
/// `require_storage_policy`: a missing `storagePolicy` is wrong, too.
bool check_structure(const Sources& sources, const Value& root, bool require_storage_policy, Findings& findings);

}  // namespace strata::deckhand
