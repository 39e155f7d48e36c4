// SPDX-License-Identifier: Apache-2.0
// Documents in the wrapper of Pegleg. Rule: docs/deckhand/pegleg.md, "Wrapped secrets".
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "deckhand/document.hpp"
#include "strata/deckhand.hpp"

namespace strata::deckhand {

inline constexpr std::string_view kManagedDocument = "pegleg/PeglegManagedDocument/v1";

/// Whether a document is a wrapper.
[[nodiscard]] bool is_managed(const Value& root);

/// A document in a wrapper.
struct Managed {
  Value document;             ///< `data.managedDocument`: a mapping. Absent: the wrapper has none.
  bool is_encrypted = false;  ///< The wrapper has `data.encrypted`: the data of the document are encrypted.
};
/// Takes off one wrapper, as Pegleg does: a document in it that is a wrapper itself stays one.
[[nodiscard]] Managed unwrap(const Value& root);

/// Sets what a document has besides, because it was in a wrapper. Its data are text where the file has them as bytes
/// (`!!binary`). They are secret where they are encrypted, and where a wrapper inside of it holds something encrypted.
void finish_managed(Document& document, const Managed& managed, Arena& arena);

/// Decrypts the data that Pegleg encrypted. Documents of the layer `site` are opened with the passphrase and the salt
/// of `credentials`, others with those in the documents `global_passphrase` and `global_salt`, if there are any.
/// Without credentials all stay as they are. Findings: `deckhand.passphrase`, `deckhand.decrypt`; none holds something
/// of the credentials or of what was decrypted.
void decrypt_managed(std::span<Document> documents, const PeglegCredentials& credentials, Session& session,
                     Arena& arena, Findings& findings);

}  // namespace strata::deckhand
