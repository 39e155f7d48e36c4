// How secrets are hidden in what is printed: values and paths as hashes.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "strata/value.hpp"

namespace strata::deckhand {

/// Lower case hexadecimal SHA-256 of a value's JSON text as Python writes it, keys in their order. Cost: linear in the text.
[[nodiscard]] std::string hash_of(const Value& value);
/// The same of a text.
[[nodiscard]] std::string hash_of(std::string_view text);

/// How often the paths of a substitution are hashed: once where the document that holds it is encrypted, once more where its source is, since what
/// takes from an encrypted source is encrypted from then on.
[[nodiscard]] int path_hashes(bool document_is_encrypted, bool source_is_encrypted) noexcept;

/// The data of an encrypted document as it is printed: the hash of it.
[[nodiscard]] Value redacted_data(const Value& data, Arena& arena);
/// The metadata of a document that is encrypted, or takes from an encrypted source: `storagePolicy` says so, and `src.path` and each `dest` path of
/// its substitutions are hashed as often as `path_hashes` says. `source_is_encrypted` is asked with the index of each.
[[nodiscard]] Value redacted_metadata(const Value& metadata, const std::function<bool(std::size_t)>& source_is_encrypted, Arena& arena);

}  // namespace strata::deckhand
