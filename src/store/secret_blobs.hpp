// SPDX-License-Identifier: Apache-2.0
// Blobs of a project that may hold secrets: files of uploads, facts of nodes. They are sealed where there is a key, and
// can be read where it is.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "store/blobs.hpp"
#include "store/keys.hpp"
#include "store/projects.hpp"

namespace strata::store {

/// Stores texts that are not there yet: sealed under the current key, or as put_blobs does if the ring is empty.
/// Returns their ids, in the same order. The id of a sealed text is one under its key and of the project: whoever has
/// the database can neither guess texts by it, nor see that projects have the same. A text that is there under another
/// key of the ring keeps its id.
std::vector<BlobId> put_secret_blobs(Transaction& transaction, const Keyring& keys, const Project& project,
                                     std::span<const std::string_view> texts);
BlobId put_secret_blob(Transaction& transaction, const Keyring& keys, const Project& project, std::string_view text);

/// Several texts, sealed or not. Errors: `store.damaged` if one is missing; those of `open`.
[[nodiscard]] std::unordered_map<BlobId, std::string> get_secret_blobs(Transaction& transaction, const Keyring& keys,
                                                                       const Project& project,
                                                                       std::span<const BlobId> ids);

/// The columns of a text, and the tables besides `blob b` that they are of.
inline constexpr std::string_view kSecretColumns =
    "b.bytes, b.size, s.id, s.key_id, s.wrapped, s.nonce, s.ciphertext, b.sealed";
inline constexpr std::string_view kSecretTables = "LEFT JOIN sealed s ON s.id = b.sealed";
/// The text of kSecretColumns from `first` on. Errors: as get_secret_blobs.
[[nodiscard]] std::string secret_text(const Row& row, std::size_t first, const Keyring& keys, const Project& project);

}  // namespace strata::store
