// SPDX-License-Identifier: Apache-2.0
// Blobs: texts, each stored once, whoever refers to it. Those of secret_blobs.hpp are sealed.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "store/database.hpp"
#include "strata/error.hpp"

namespace strata::store {

/// The SHA-256 of a text: 32 bytes. Of a text that is sealed, one under a key.
using BlobId = std::string;

[[nodiscard]] BlobId blob_id(std::string_view text);

/// Stores texts that are not there yet. Returns their ids, in the same order.
std::vector<BlobId> put_blobs(Transaction& transaction, std::span<const std::string_view> texts);
BlobId put_blob(Transaction& transaction, std::string_view text);

/// A text that is not sealed. Error `store.damaged` if it is missing.
[[nodiscard]] std::string get_blob(Transaction& transaction, const BlobId& id);
/// Several texts that are not sealed. Error `store.damaged` if one is missing.
[[nodiscard]] std::unordered_map<BlobId, std::string> get_blobs(Transaction& transaction, std::span<const BlobId> ids);

/// How a text is stored: compressed with zstd if that is shorter.
[[nodiscard]] std::string packed(std::string_view text);
/// The text of the columns `bytes` and `size`. Error `store.damaged`.
[[nodiscard]] std::string unpacked(std::string_view bytes, std::int64_t size);

/// Asks for the rows of many ids, some at a time, so that there is one statement to prepare. `select` ends before
/// `WHERE`; the table is called `b`. A row may come several times.
void for_each_blob(Transaction& transaction, std::string_view select, std::span<const BlobId> ids,
                   const std::function<void(const Row& row)>& use);
/// Error of a text that should be there.
[[nodiscard]] Error missing_blob(const BlobId& id);

/// Keeps others from referring to texts that are there, until the end of the transaction: for who removes texts that
/// nobody refers to. With `is_shared`, keeps those who remove texts away: for who will refer to texts.
void lock_blobs(Transaction& transaction, bool is_shared);

}  // namespace strata::store
