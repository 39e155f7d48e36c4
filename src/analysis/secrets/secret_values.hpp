// SPDX-License-Identifier: Apache-2.0
// Which values of a text are secret.
#pragma once

#include "analysis/secrets/node_masks.hpp"
#include "analysis/secrets/secret_names.hpp"
#include "edit/target.hpp"
#include "strata/merge.hpp"

namespace strata::analysis {

/// Hides what readers have marked, what `names` say and what the text declares itself: data of encrypted documents,
/// defaults of hidden parameters. `more`: members of roots that are secret, too; may be null.
void hide_secrets(const edit::Reading& reading, const SecretNames& names, const SecretNames::Names* more,
                  NodeMasks& masks);
/// Whether a contribution shows a secret, or a part of one: it is marked, or its outcome is. The inputs of a
/// secret need not be secret: the name of a node in its text, the data of a document that an encrypted one is laid
/// over.
[[nodiscard]] bool shows_secret(const merge::PathHistory& path, const merge::Contribution& one,
                                const query::Traits& traits);
/// Whether some value is marked, or some key, however it is spelled, names a secret. `more`: may be null.
[[nodiscard]] bool has_secrets(const edit::Reading& reading, const SecretNames& names, const SecretNames::Names* more);

}  // namespace strata::analysis
