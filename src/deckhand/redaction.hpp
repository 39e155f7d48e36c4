// SPDX-License-Identifier: Apache-2.0
// Hides secrets in the output: values and paths become hashes.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "strata/value.hpp"

namespace strata::deckhand {

/// SHA-256 of a value's JSON text as Python writes it, keys in their order, in lower-case hexadecimal. Cost: linear in
/// the text.
[[nodiscard]] std::string hash_of(const Value& value);
/// The same of a text.
[[nodiscard]] std::string hash_of(std::string_view text);

/// How often the paths of a substitution are hashed: once if the document is encrypted, and once more if the source is
/// encrypted, because a document becomes encrypted when it substitutes from an encrypted source.
[[nodiscard]] int path_hashes(bool document_is_encrypted, bool source_is_encrypted) noexcept;

/// The data of an encrypted document in the output: their hash.
[[nodiscard]] Value redacted_data(const Value& data, Arena& arena);
/// The metadata of a document that is encrypted or substitutes from an encrypted source. `storagePolicy` says so;
/// `src.path` and all `dest` paths of its substitutions are hashed `path_hashes` times. `source_is_encrypted` is called
/// with the index of each substitution.
[[nodiscard]] Value redacted_metadata(const Value& metadata,
                                      const std::function<bool(std::size_t)>& source_is_encrypted, Arena& arena);

}  // namespace strata::deckhand
