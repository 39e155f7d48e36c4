// SPDX-License-Identifier: Apache-2.0
// Sealed values in the store.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "store/database.hpp"
#include "store/seal.hpp"
#include "strata/error.hpp"

namespace strata::store {

/// Seals a secret for a table of a project. Returns the id of the row, which is to be stored there. Errors:
/// `store.no-key`.
[[nodiscard]] std::string add_sealed(Transaction& transaction, const Keyring& keys, std::string_view project,
                                     std::string_view table, std::string_view secret);
/// Opens one. Errors: those of `open`; `store.sealed-broken` also where there is no such row.
[[nodiscard]] SecretBytes open_sealed(Transaction& transaction, const Keyring& keys, const SealPlace& place);
/// The value of the columns `key_id`, `wrapped`, `nonce` and `ciphertext`.
[[nodiscard]] SealedValue sealed_value(const Row& row, std::size_t first);
/// Error of a sealed value that should be there.
[[nodiscard]] Error lost_sealed(std::string_view id);
/// Whether an error of `open_sealed` is about this one value: it is damaged, or its key is not there.
[[nodiscard]] bool is_unreadable(const Error& error) noexcept;
void remove_sealed(Transaction& transaction, std::span<const std::string> ids);

/// A sealed value of the store, and a place that refers to it.
struct SealedRow {
  std::string id;
  std::string project;  ///< Empty, as `table`: nobody refers to it.
  std::string table;
  SealedValue value;

  [[nodiscard]] bool is_used() const noexcept { return !table.empty(); }
  [[nodiscard]] SealPlace place() const noexcept { return {.project = project, .table = table, .id = id}; }
};
/// The next `most` sealed values with ids after `after`, in their order. One that several places refer to is there for
/// each of them.
[[nodiscard]] std::vector<SealedRow> sealed_rows(Transaction& transaction, std::string_view after, std::int64_t most);
/// Stores a value under another key.
void update_sealed(Transaction& transaction, const std::string& id, const SealedValue& value);

}  // namespace strata::store
